// Formulas are drawn by the KaTeX that Gradio brings along; it is loaded from this server for the first one.
(() => {
  "use strict";
  let loading = null;

  const load = () => {
    const named = document.querySelector('meta[name="katex"]');
    if (!named) return Promise.reject(new Error("this Gradio has no KaTeX"));
    const [script, style] = named.content.split(" ").map((path) => new URL(path, document.baseURI).href);
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = style;
    document.head.append(link);
    return import(script).then((module) => module.default);
  };

  const draw = (katex, formula) => {
    const source = formula.textContent;
    formula.dataset.source = source;
    const tex = source.startsWith("$") ? source.slice(1, -1) : source.slice(2, -2);
    const drawn = document.createElement("span");
    try {
      katex.render(tex, drawn, { throwOnError: true, trust: false, strict: "ignore", maxExpand: 200, maxSize: 10 });
    } catch {
      return; // it stays as it was written
    }
    formula.replaceChildren(...drawn.childNodes);
  };

  const drawAll = () => {
    const found = document.querySelectorAll(".answer:not(.writing) .formula:not([data-source]), #panel .formula:not([data-source])");
    if (!found.length) return;
    loading = loading || load();
    loading.then((katex) => {
      for (const formula of found) if (formula.isConnected && !formula.dataset.source) draw(katex, formula);
    }, () => {});
  };

  let due = 0;
  new MutationObserver(() => {
    if (due) return;
    due = setTimeout(() => { due = 0; drawAll(); }, 60);
  }).observe(document, { childList: true, subtree: true });
})();
