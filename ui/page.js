// What the page does by itself: following a marker to its source and back, and keeping the newest words in view.
(() => {
  "use strict";
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let from = null; // the marker that was followed last

  const glide = (element, block) =>
    element.scrollIntoView({ behavior: calm.matches ? "auto" : "smooth", block });

  const showTurn = (turn) => {
    for (const group of document.querySelectorAll("#sources .sources")) {
      group.classList.toggle("chosen", group.dataset.turn === turn);
    }
  };

  const unmark = () => {
    for (const old of document.querySelectorAll(".source.active, .source mark.active, a.marker.active")) {
      old.classList.remove("active");
    }
  };

  const follow = (marker) => {
    const source = document.getElementById(marker.getAttribute("href").slice(1));
    if (!source) return;
    from = marker;
    unmark();
    showTurn(marker.dataset.turn);
    const wanted = (marker.dataset.quotes || "").split(" ").filter(Boolean);
    const marks = [...source.querySelectorAll("mark")].filter(
      (mark) => !wanted.length || mark.dataset.quotes.split(" ").some((quote) => wanted.includes(quote)),
    );
    [source, marker, ...marks].forEach((element) => element.classList.add("active"));
    source.focus({ preventScroll: true });
    const first = marks[0];
    const room = Math.min(window.innerHeight, document.getElementById("panel").clientHeight);
    const far = first && first.getBoundingClientRect().bottom - source.getBoundingClientRect().top > room * 0.8;
    glide(far ? first : source, far ? "center" : "start");
  };

  const open = (link) => {
    const item = document.getElementById(link.getAttribute("href").slice(1));
    if (!item) return;
    unmark();
    showTurn(link.dataset.turn);
    const details = item.querySelector("details");
    if (details) {
      details.open = true;
      details.querySelector("summary").focus({ preventScroll: true });
    }
    glide(item, "start");
  };

  const goBack = (link) => {
    const home = from && from.isConnected && from.dataset.turn === link.dataset.turn ? from : null;
    const exchange = document.getElementById("exchange-" + link.dataset.turn);
    const goal = home || (exchange && exchange.querySelector("a.marker")) || exchange;
    if (!goal) return;
    goal.focus({ preventScroll: true });
    glide(goal, "center");
  };

  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a.marker, a.near, a.back");
    if (!link) return;
    event.preventDefault();
    (link.matches(".marker") ? follow : link.matches(".near") ? open : goBack)(link);
  });

  // A reader who has scrolled up to read stays there; one at the end is carried along.
  const keepUp = () => {
    const thread = document.getElementById("thread");
    const current = document.getElementById("current");
    if (!thread || !current) return setTimeout(keepUp, 100);
    let turn = "";
    let atEnd = true;
    thread.addEventListener("scroll", () => {
      atEnd = thread.scrollHeight - thread.scrollTop - thread.clientHeight < 80;
    }, { passive: true });
    new MutationObserver(() => {
      const exchange = current.querySelector(".exchange");
      const newest = exchange ? exchange.id : "";
      if (newest !== turn) {
        turn = newest;
        atEnd = true;
        unmark();
        const groups = document.querySelectorAll("#sources .sources.chosen");
        groups.forEach((group) => group.classList.remove("chosen"));
      }
      if (!exchange || !atEnd) return;
      if (getComputedStyle(thread).overflowY === "auto") thread.scrollTop = thread.scrollHeight;
      else if (exchange.querySelector(".writing")) exchange.scrollIntoView({ block: "nearest" });
    }).observe(current, { childList: true, subtree: true, characterData: true });
  };
  document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", keepUp) : keepUp();
})();
