// The list of conversations: what is done in it, the drawer of a phone, and pages that tell each other of changes.
(() => {
  "use strict";
  const OPEN = "abstracts-assistant-open"; // of this tab: the conversation that it shows
  const VERSION = "abstracts-assistant-version"; // of this browser: the newest state of the list
  const FOLDED = "abstracts-assistant-folded";
  const wide = matchMedia("(min-width: 1101px)");
  const at = (id) => document.getElementById(id);

  const read = (store, key) => { try { return store().getItem(key) || ""; } catch { return ""; } };
  const write = (store, key, value) => { try { store().setItem(key, value); } catch { /* not allowed here */ } };
  const tab = () => sessionStorage, browser = () => localStorage;

  const save = (parcel) => {
    if (!parcel) return;
    const { name, type, text } = JSON.parse(parcel);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: type + ";charset=utf-8" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  // "" where the reader has chosen nothing: then the pane is there where there is room for it.
  const shown = () => (wide.matches ? read(browser, FOLDED) !== "yes" : document.body.classList.contains("talks-drawn"));
  const tellShown = () => {
    document.body.classList.toggle("talks-folded", read(browser, FOLDED) === "yes");
    const button = document.querySelector("#talks-bar .drawer");
    if (button) button.setAttribute("aria-expanded", String(shown()));
  };
  const show = (yes, focus = true) => {
    if (wide.matches) write(browser, FOLDED, yes ? "no" : "yes");
    else document.body.classList.toggle("talks-drawn", yes);
    tellShown();
    if (!focus || wide.matches) return;
    const goal = yes ? document.querySelector("#talks-new") : document.querySelector("#talks-bar .drawer");
    if (goal) goal.focus();
  };

  const refresh = () => { const button = at("talks-refresh"); if (button) button.click(); };
  const tell = (element, detail) => element.dispatchEvent(new CustomEvent("talk", { bubbles: true, detail }));

  const fold = (item, yes) => {
    item.querySelector(".acts").hidden = yes;
    item.querySelector(".more").setAttribute("aria-expanded", String(!yes));
  };
  const foldAll = (but) => {
    for (const item of document.querySelectorAll("#talks-list .talk")) if (item !== but) fold(item, true);
  };

  const rename = (item) => {
    const button = item.querySelector(".open");
    const field = document.createElement("input");
    field.value = button.querySelector(".name").textContent;
    field.maxLength = 120;
    field.className = "rename";
    field.setAttribute("aria-label", "New name");
    fold(item, true);
    button.hidden = true;
    item.prepend(field);
    field.select();
    let over = false;
    const end = (keep) => {
      if (over) return;
      over = true;
      if (keep) tell(item, { act: "rename", talk: item.dataset.talk, title: field.value });
      field.remove();
      button.hidden = false;
      button.focus();
    };
    field.addEventListener("blur", () => end(field.isConnected));
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      // The key would press the button that has the focus afterwards, and open the conversation.
      if (event.key === "Enter") event.preventDefault();
      if (event.key === "Enter") end(true);
      if (event.key === "Escape") end(false);
    });
  };

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest("#talks-bar .drawer")) return show(!shown());
    if (target.closest("#talks-bar .fresh")) return at("talks-new").click();
    const item = target.closest("#talks-list .talk");
    const more = target.closest("#talks-list .more");
    foldAll(more ? item : null);
    if (more) return fold(item, more.getAttribute("aria-expanded") === "true");
    const button = target.closest("#talks-list [data-act]");
    if (button) {
      const { act } = button.dataset;
      if (act === "rename") return rename(item);
      const whose = button.closest("[data-talk]");
      tell(button, { act, talk: whose ? whose.dataset.talk : "" });
      if (act === "open" && !wide.matches) show(false);
    } else if (target.closest("#talks-new") && !wide.matches) {
      show(false, false);
    } else if (document.body.classList.contains("talks-drawn") && !target.closest("#talks")) {
      show(false);
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const open = document.querySelector('#talks-list .more[aria-expanded="true"]');
    if (open) {
      foldAll(null);
      open.focus();
    } else if (document.body.classList.contains("talks-drawn")) {
      show(false);
    }
  });

  // What another page of this browser did to the list is seen here at once; what happened elsewhere, on coming back.
  addEventListener("storage", (event) => {
    const list = document.querySelector("#talks-list .talks");
    if (event.key === VERSION && list && Number(event.newValue) > Number(list.dataset.version)) refresh();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  addEventListener("online", refresh);

  const watch = () => {
    const list = at("talks-list");
    const current = at("current");
    if (!list || !current) return setTimeout(watch, 100);
    tellShown();
    new MutationObserver(() => {
      const talks = list.querySelector(".talks");
      if (!talks) return;
      if (Number(talks.dataset.version) > Number(read(browser, VERSION))) {
        write(browser, VERSION, talks.dataset.version);
      }
      const undo = talks.querySelector(".undo button");
      if (undo && document.activeElement === document.body) undo.focus({ preventScroll: true });
    }).observe(list, { childList: true, subtree: true });
    // An answer of which nothing is heard: the connection may be gone, though the work goes on.
    let heard = Date.now();
    let patience = 5000;
    new MutationObserver(() => { heard = Date.now(); patience = 5000; }).observe(current, {
      childList: true, subtree: true, characterData: true,
    });
    setInterval(() => {
      if (document.hidden || Date.now() - heard < patience || !current.querySelector(".writing")) return;
      heard = Date.now();
      patience = Math.min(2 * patience, 20000);
      refresh();
    }, 1000);
  };
  wide.addEventListener("change", () => { document.body.classList.remove("talks-drawn"); tellShown(); });
  document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", watch) : watch();

  window.assistantTalks = {
    opened: () => read(tab, OPEN),
    remember: (talk) => write(tab, OPEN, talk || ""),
    save,
  };
})();
