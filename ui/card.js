// A small card at a marker: what paper it means, and the words of it that this very sentence stands on.
(() => {
  "use strict";
  const SHOWN_AFTER = 140;
  const GONE_AFTER = 220;
  let card = null;
  let owner = null; // the marker that the card is of
  let timer = 0;

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  };

  // The words of an element; a formula that has been drawn counts as its source.
  const words = (part) => {
    const copy = part.cloneNode(true);
    for (const formula of copy.querySelectorAll(".formula[data-source]")) formula.textContent = formula.dataset.source;
    return copy.textContent;
  };

  const quotesOf = (source, wanted) => {
    const pieces = new Map();
    for (const part of source.querySelectorAll("mark[data-quotes], blockquote[data-quotes]")) {
      for (const quote of part.dataset.quotes.split(" ")) {
        if (!wanted.length || wanted.includes(quote)) pieces.set(quote, (pieces.get(quote) || "") + words(part));
      }
    }
    return [...new Set(pieces.values())];
  };

  const place = (marker) => {
    const at = marker.getClientRects()[0];
    const [width, height] = [card.offsetWidth, card.offsetHeight];
    const below = at.bottom + 8 + height < innerHeight || at.top < height + 12;
    card.style.left = Math.max(8, Math.min(at.left - 16, document.documentElement.clientWidth - width - 8)) + "px";
    card.style.top = (below ? at.bottom + 8 : at.top - height - 8) + "px";
  };

  const hide = () => {
    clearTimeout(timer);
    if (owner) owner.removeAttribute("aria-describedby");
    if (card) card.hidden = true;
    owner = null;
  };

  const show = (marker) => {
    clearTimeout(timer);
    const source = marker.isConnected && document.getElementById(marker.getAttribute("href").slice(1));
    if (!source || owner === marker) return;
    hide();
    if (!card) {
      card = element("div", "source-card");
      card.id = "source-card";
      card.setAttribute("role", "tooltip");
      card.addEventListener("mouseenter", () => clearTimeout(timer));
      card.addEventListener("mouseleave", leave);
      document.body.append(card);
    }
    const name = element("p", "name");
    name.append(element("strong", "", source.dataset.label));
    if (source.dataset.year) name.append(" ", element("span", "", source.dataset.year));
    const wanted = (marker.dataset.quotes || "").split(" ").filter(Boolean);
    const quotes = quotesOf(source, wanted).slice(0, 3).map((text) => element("blockquote", "", text));
    const support = marker.dataset.support;
    const foot = support ? [element("p", marker.matches(".doubted") ? "support doubted" : "support", support)] : [];
    card.replaceChildren(name, ...quotes, ...foot);
    card.hidden = false;
    owner = marker;
    marker.setAttribute("aria-describedby", card.id);
    place(marker);
  };

  const leave = () => {
    clearTimeout(timer);
    timer = setTimeout(hide, GONE_AFTER);
  };

  const markerOf = (event) => event.target instanceof Element && event.target.closest("a.marker");

  document.addEventListener("mouseover", (event) => {
    const marker = markerOf(event);
    if (!marker) return;
    clearTimeout(timer);
    if (marker !== owner) timer = setTimeout(() => show(marker), SHOWN_AFTER);
  });
  document.addEventListener("mouseout", (event) => { if (markerOf(event)) leave(); });
  document.addEventListener("focusin", (event) => {
    const marker = markerOf(event);
    if (marker && marker.matches(":focus-visible")) show(marker);
    else if (!card || !card.contains(event.target)) hide();
  });
  document.addEventListener("click", (event) => { if (!card || !card.contains(event.target)) hide(); }, true);
  // Focus brings its marker into sight: the card goes along with it. One that the pointer called for goes.
  document.addEventListener("scroll", (event) => {
    if (!owner || card.contains(event.target)) return;
    owner === document.activeElement ? place(owner) : hide();
  }, true);
  addEventListener("resize", hide);
  // First of all that Esc does: what is on top goes first.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !owner) return;
    event.stopImmediatePropagation();
    hide();
  }, true);
})();
