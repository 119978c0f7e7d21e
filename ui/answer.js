// What the buttons under answers and sources do, and the keys of the chat.
(() => {
  "use strict";
  const $ = (selector, within = document) => within.querySelector(selector);
  const shown = (element) => Boolean(element && element.offsetParent);
  const box = () => $("#box textarea");
  const wish = (event, data) => document.dispatchEvent(new CustomEvent("assistant:wish", { detail: { event, data } }));

  // The question box takes a text as if it were typed.
  const put = (text, ask = false) => {
    const field = box();
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
    field.setSelectionRange(text.length, text.length);
    if (ask && !shown($("#stop"))) setTimeout(() => $("#ask").click(), 40);
  };

  const lastQuestion = () => {
    const asked = document.querySelectorAll(".exchange .question p");
    return asked.length ? asked[asked.length - 1].textContent : "";
  };

  const copied = (text) => {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.cssText = "position:fixed;opacity:0";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  };

  // The clipboard's own way is closed to pages that come without https from another machine.
  const copy = async (button) => {
    const text = button.dataset.text;
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      done = copied(text);
    }
    const name = button.dataset.name || button.textContent;
    button.dataset.name = name;
    button.textContent = done ? "Copied" : "Couldn’t copy";
    button.closest(".under").querySelector(".said").textContent = done ? "Copied." : "The browser didn’t let it be copied.";
    setTimeout(() => {
      button.textContent = name;
      const said = button.isConnected && button.closest(".under").querySelector(".said");
      if (said && said.textContent.startsWith("Copied")) said.textContent = "";
    }, 1600);
    button.focus();
  };

  // What was said of answers: a page that is drawn anew forgets it, so it is kept here and shown again.
  const verdicts = new Map();
  const keyOf = (under) => under.dataset.turn + " " + under.closest(".exchange").querySelector(".question p").textContent;
  const showVerdicts = () => {
    if (!$(".exchange")) verdicts.clear();
    const told = $("#told p[data-turn]");
    if (told && !told.dataset.seen) {
      told.dataset.seen = "yes";
      const under = $(`.under[data-turn="${told.dataset.turn}"]`);
      if (under) verdicts.set(keyOf(under), { verdict: told.dataset.verdict, words: told.textContent });
    }
    for (const under of document.querySelectorAll(".under")) {
      const known = verdicts.get(keyOf(under));
      if (!known || under.dataset.said === known.verdict + known.words) continue;
      under.dataset.said = known.verdict + known.words;
      for (const name of ["up", "down"]) $(`.thumb.${name}`, under).setAttribute("aria-pressed", known.verdict === name);
      $(".said", under).textContent = known.words;
      if (known.verdict) complain(under, false);
    }
  };

  const complain = (under, open) => {
    const form = $(".complaint", under);
    if (!form || form.hidden === !open) return;
    form.hidden = !open;
    $(".thumb.down", under).setAttribute("aria-expanded", open);
    if (open) $("input", form).focus();
    else if (form.contains(document.activeElement) || document.activeElement === document.body) $(".thumb.down", under).focus();
  };

  const send = (form) => {
    const chosen = $("input:checked", form);
    const data = { turn: Number(form.closest(".under").dataset.turn), verdict: "down", note: $("textarea", form).value };
    wish("submit", chosen ? { ...data, reason: chosen.value } : data);
  };

  // The menu of papers to compare with: the others in the panel.
  const closeMenu = () => {
    const menu = $(".compare-menu");
    if (!menu) return false;
    const button = menu.previousElementSibling;
    const inside = menu.contains(document.activeElement);
    menu.remove();
    if (button) {
      button.setAttribute("aria-expanded", "false");
      if (inside) button.focus();
    }
    return true;
  };
  const compare = (button) => {
    const open = button.getAttribute("aria-expanded") === "true";
    closeMenu();
    if (open) return;
    const own = button.dataset.label;
    const all = button.closest(".sources").querySelectorAll('[data-do="compare"]');
    const others = [...new Set([...all].map((one) => one.dataset.label))].filter((label) => label !== own);
    if (!others.length) return put(`Compare ${own} and `);
    const menu = document.createElement("ul");
    menu.className = "compare-menu";
    menu.setAttribute("aria-label", `Compare ${own} with`);
    for (const label of [...others, ""]) {
      const choice = document.createElement("button");
      choice.type = "button";
      choice.dataset.do = "with";
      choice.dataset.question = `Compare ${own} and ${label}`;
      choice.textContent = label || "another paper…";
      const item = document.createElement("li");
      item.append(choice);
      menu.append(item);
    }
    button.after(menu);
    button.setAttribute("aria-expanded", "true");
    $("button", menu).focus();
  };

  // The boxes in the panel follow the chips above the question box; one just clicked waits for its chip.
  const LONGEST_WAIT = 5000;
  const waiting = new Map(); // paper -> what is wanted, and until when
  const pick = (paper, on) => {
    waiting.set(paper, { on, until: Date.now() + LONGEST_WAIT });
    wish("select", { paper, on });
    setTimeout(showPicks, LONGEST_WAIT + 100);
    showPicks();
  };
  const showPicks = () => {
    const picked = new Set([...document.querySelectorAll("#picked .picked")].map((chip) => chip.dataset.paper));
    for (const [paper, wanted] of waiting) {
      if (picked.has(paper) === wanted.on || Date.now() > wanted.until) waiting.delete(paper);
    }
    for (const check of document.querySelectorAll('input[data-do="pick"]')) {
      const wanted = waiting.get(check.dataset.paper);
      check.checked = wanted ? wanted.on : picked.has(check.dataset.paper);
    }
  };

  const DO = {
    ask: (button) => put(button.textContent, true),
    copy,
    about: (button) => put(`What does ${button.dataset.label} do?`),
    compare,
    with: (button) => { const question = button.dataset.question; closeMenu(); put(question); },
    edit: () => put(lastQuestion()),
    retry: (button) => wish("input", { turn: Number(button.closest(".under").dataset.turn) }),
    up: (button) => wish("submit", { turn: Number(button.closest(".under").dataset.turn), verdict: "up" }),
    down: (button) => {
      const under = button.closest(".under");
      complain(under, $(".complaint", under).hidden);
    },
    cancel: (button) => complain(button.closest(".under"), false),
    unpick: (button) => { pick(button.dataset.paper, false); box().focus(); },
    "unpick-all": () => { waiting.clear(); wish("select", { none: true }); box().focus(); },
  };

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (!target) return;
    const button = target.closest("button[data-do]");
    if (!target.closest(".compare-menu, [data-do=compare]")) closeMenu();
    if (button && DO[button.dataset.do]) DO[button.dataset.do](button);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches(".complaint")) return;
    event.preventDefault();
    send(event.target);
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches('input[data-do="pick"]')) {
      pick(event.target.dataset.paper, event.target.checked);
    }
  });

  const escape = () => {
    if (closeMenu()) return true;
    const form = $(".complaint:not([hidden])");
    if (form) complain(form.closest(".under"), false);
    else if (shown($("#stop"))) $("#stop").click();
    else return false;
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "Escape") {
      if (escape()) event.preventDefault();
    } else if (event.key === "/" && (!typing || typing.matches("[type=checkbox], [type=radio]"))) {
      const goal = [...document.querySelectorAll("input[type=search]"), box()].find(shown);
      if (!goal) return;
      event.preventDefault();
      goal.focus();
    } else if (event.key === "ArrowUp" && event.target === box() && !box().value && lastQuestion()) {
      event.preventDefault();
      put(lastQuestion());
    }
  });

  let due = 0;
  new MutationObserver(() => {
    if (due) return;
    due = setTimeout(() => { due = 0; showPicks(); showVerdicts(); }, 50);
  }).observe(document, { childList: true, subtree: true });
})();
