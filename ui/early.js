// Before anything is drawn: the theme that this browser keeps, so that no page flashes in another one.
(() => {
  "use strict";
  const KEY = "abstracts-assistant-theme";
  const DARK = "(prefers-color-scheme: dark)";
  const real = window.matchMedia.bind(window);
  const chosen = () => {
    try {
      const kept = localStorage.getItem(KEY);
      return kept === "light" || kept === "dark" ? kept : "system";
    } catch {
      return "system"; // a browser that keeps nothing
    }
  };
  const isDark = () => (chosen() === "system" ? real(DARK).matches : chosen() === "dark");
  const apply = () => {
    for (const element of [document.documentElement, document.body]) {
      if (element) element.classList.toggle("dark", isDark());
    }
    document.documentElement.style.colorScheme = isDark() ? "dark" : "light";
  };
  // The page's own code asks the system for its colours; it is told the reader's choice.
  window.matchMedia = (query) => {
    const list = real(query);
    if (query !== DARK || chosen() === "system") return list;
    return new Proxy(list, {
      get: (target, name) => {
        if (name === "matches") return isDark();
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  };
  window.chosenTheme = chosen;
  window.chooseTheme = (theme) => {
    try {
      if (theme === "system") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, theme);
    } catch {
      // It lasts as long as the page, then.
    }
    apply();
    return theme;
  };
  real(DARK).addEventListener("change", () => setTimeout(apply));
  window.addEventListener("storage", (event) => event.key === KEY && apply());
  apply();
})();
