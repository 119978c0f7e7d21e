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
    const far = first && first.getBoundingClientRect().bottom - source.getBoundingClientRect().top > room * 0.95;
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

  // The place to scroll to: the end of the exchange, but never past its beginning.
  const carry = (thread, exchange) => {
    const box = exchange.getBoundingClientRect();
    if (getComputedStyle(thread).overflowY === "auto") {
      const frame = thread.getBoundingClientRect();
      thread.scrollTop += Math.min(box.bottom - frame.bottom, box.top - frame.top - 24);
    } else {
      const composer = document.getElementById("composer").offsetHeight;
      scrollBy(0, Math.min(box.bottom + composer - innerHeight, box.top - 16));
    }
  };

  // A reader who scrolls away while an answer is being written stays there.
  const keepUp = () => {
    const thread = document.getElementById("thread");
    const current = document.getElementById("current");
    if (!thread || !current) return setTimeout(keepUp, 100);
    current.setAttribute("aria-live", "polite"); // an answer being written is aria-busy: read out once, whole
    let turn = "";
    let along = true;
    for (const sign of ["wheel", "touchmove", "keydown"]) {
      thread.addEventListener(sign, () => { along = false; }, { passive: true });
    }
    // What changes by the reader's own doing, such as a verdict's thanks, moves nothing.
    const own = ({ target }) => (target.closest ? target : target.parentElement)?.closest(".under, .formula");
    new MutationObserver((changes) => {
      if (changes.every(own)) return;
      const exchange = current.querySelector(".exchange");
      const newest = exchange ? exchange.id : "";
      if (newest !== turn) {
        turn = newest;
        along = true;
        unmark();
        showTurn("");
      }
      if (exchange && along) carry(thread, exchange);
    }).observe(current, { childList: true, subtree: true, characterData: true });
  };
  document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", keepUp) : keepUp();
})();
