// The Collection tab: what its HTML parts say to the server, and the map.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const tell = {}; // part -> how it speaks to the server
  // What the server makes bears a mark of its own each time, so that the same again is seen as new.
  const ANEW = { childList: true, subtree: true, attributes: true, attributeFilter: ["data-made"] };
  let locate = ""; // the paper that the next map begins at

  // --- the form
  const form = () => $("#shelf-form form");
  const marked = () => {
    const groups = document.querySelectorAll("#sources .sources");
    const last = $("#sources .sources.chosen") || groups[groups.length - 1];
    return last ? [...new Set([...last.querySelectorAll("article[data-paper]")].map((e) => e.dataset.paper))] : [];
  };
  const ask = () => {
    if (!form() || !tell.form) return;
    tell.form("input", { ...Object.fromEntries(new FormData(form())), page: 1, marked: marked() });
  };
  let later;
  const askSoon = (wait) => { clearTimeout(later); later = setTimeout(ask, wait); };
  const choose = (name, value) => {
    const select = form() && form().elements[name];
    if (!select) return false;
    if (![...select.options].some((option) => option.value === value)) select.add(new Option(value, value));
    select.value = value;
    return true;
  };
  const view = (name) => {
    const radio = form() && form().querySelector(`[name=view][value=${name}]`);
    if (radio) radio.checked = true;
  };

  // --- to the chat
  const toChat = (question) => {
    const tab = [...document.querySelectorAll("#tabs [role=tab]")].find((one) => one.innerText.trim() === "Chat");
    if (tab) tab.click();
    const box = $("#box textarea");
    if (!box) return;
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(box, question);
    box.dispatchEvent(new Event("input", { bubbles: true }));
    setTimeout(() => box.focus(), 60);
  };

  let opener = null; // what the paper page goes back to
  const close = () => {
    $("#shelf-side").classList.add("closed");
    if (opener && opener.isConnected) opener.focus();
  };
  const openPaper = (part, id, from) => { opener = from; tell[part]("select", { paper: id }); };

  const parts = {
    bar: (root) => {
      root.addEventListener("change", (event) => {
        if (event.target.matches("[data-act=pick]")) tell.bar("select", { name: event.target.value });
      });
      root.addEventListener("submit", (event) => {
        event.preventDefault();
        tell.bar("submit", { name: event.target.elements.name.value });
      });
    },
    progress: (root) => {
      new MutationObserver(() => root.classList.remove("closed")).observe(root, ANEW);
      root.addEventListener("click", (event) => {
        const act = event.target.closest("[data-act]");
        if (!act) return;
        if (act.dataset.act === "dismiss") root.classList.add("closed");
        if (act.dataset.act === "stop") { act.disabled = true; act.textContent = "Stopping"; tell.progress("clear"); }
      });
    },
    form: (root) => {
      // The drop area goes by the words in it; Gradio gives it a name that holds none of them.
      const name = () => {
        const button = $("#shelf-drop .upload-container") || $("#shelf-drop button");
        const words = button && `${button.innerText.replace(/\s+/g, " ").trim()}: add papers`;
        if (button && button.getAttribute("aria-label") !== words) button.setAttribute("aria-label", words);
      };
      const drop = document.getElementById("shelf-drop");
      if (drop) new MutationObserver(name).observe(drop, { childList: true, subtree: true });
      name();
      // A form that is made anew shows what it says, not what its fields were before: Gradio keeps the elements.
      let made = "";
      new MutationObserver(() => {
        if (!form() || form().dataset.made === made) return;
        made = form().dataset.made;
        form().reset();
      }).observe(root, ANEW);
      root.addEventListener("submit", (event) => { event.preventDefault(); askSoon(0); });
      root.addEventListener("input", (event) => askSoon(event.target.matches("[type=search], .years input") ? 300 : 0));
      root.addEventListener("click", (event) => {
        if (!event.target.closest("[data-act=reset]")) return;
        for (const field of form().elements) if (field.name && field.name !== "view") field.value = field.name === "sort" ? "added" : "";
        ask();
      });
    },
    results: (root) => root.addEventListener("click", (event) => {
      const page = event.target.closest("[data-page]");
      if (page) return tell.results("input", { page: Number(page.dataset.page) });
      const row = event.target.closest("[data-paper]");
      if (row && !String(getSelection())) openPaper("results", row.dataset.paper, $("button", row) || row);
    }),
    map: (root) => {
      const look = () => {
        const canvas = $("canvas[data-map]", root);
        if (canvas) drawMap(canvas, root);
      };
      new MutationObserver(look).observe(root, { childList: true, subtree: true });
      look();
    },
    paper: (root) => {
      root.addEventListener("click", async (event) => {
        const button = event.target.closest("button");
        if (!button) return;
        const { act, question, keyword, paper } = button.dataset;
        if (question !== undefined) toChat(question);
        if (keyword !== undefined && choose("keyword", keyword)) ask();
        if (act === "close") close();
        if (act === "remove") { button.disabled = true; tell.paper("submit", { paper }); }
        if (act === "locate") { locate = paper; view("map"); ask(); }
        if (act === "copy") {
          await navigator.clipboard.writeText($("code", button.parentElement).textContent);
          button.textContent = "Copied";
        }
      });
      let made = "";
      new MutationObserver(() => {
        const page = $(".paper-page", root);
        if (!page || page.dataset.made === made) return;
        made = page.dataset.made;
        $("#shelf-side").classList.remove("closed");
        $("#shelf-side").scrollTop = 0;
        page.focus({ preventScroll: true });
      }).observe(root, ANEW);
    },
  };

  const attach = (part, element, trigger) => {
    tell[part] = trigger;
    if (element.dataset.heard) return;
    element.dataset.heard = "1";
    parts[part](element);
  };

  document.addEventListener("keydown", (event) => {
    const search = $("#shelf-form .shelf-search");
    if (!search || !search.offsetParent) return;
    if (event.key === "/" && !event.target.matches("input, textarea, select")) {
      event.preventDefault();
      event.stopImmediatePropagation();
      search.focus();
    }
    if (event.key === "Escape" && $("#shelf-side:not(.closed) .paper-page") && !event.target.matches("input, select, canvas")) close();
  }, true);

  // --- the map
  const drawMap = (canvas, root) => {
    const data = JSON.parse(canvas.dataset.map);
    canvas.removeAttribute("data-map");
    const count = data.ids.length;
    const frame = canvas.parentElement, tip = $(".map-tip", root), said = $(".map-said", root);
    const colour = $(".map-colour", root), legend = $(".legend", root), list = $(".map-list", root);
    const known = data.years.filter((year) => year);
    const oldest = Math.min(...known), newest = Math.max(...known);
    let scale = 1, left = 0, top = 0; // the part of the map that is seen
    let at = -1, only = -1, width = 0, height = 0;
    const pad = 26;

    const place = (i) => {
      const w = Math.max(1, width - 2 * pad), h = Math.max(1, height - 2 * pad);
      return [pad + (data.x[i] / 10000) * w * scale - left, pad + (1 - data.y[i] / 10000) * h * scale - top];
    };
    const group = (i) => (colour.value === "year" ? -2 : colour.value ? data[colour.value][i] : -1);
    const style = (name) => getComputedStyle(root).getPropertyValue(name).trim();
    const paint = () => {
      const dark = document.body.classList.contains("dark");
      const paints = [...Array(8).keys()].map((n) => style(`--dot-${n}`));
      return (i) => {
        const which = group(i);
        if (which === -2) {
          if (!data.years[i]) return style("--dot-none");
          const part = newest > oldest ? (data.years[i] - oldest) / (newest - oldest) : 1;
          return `hsl(178 62% ${dark ? 28 + 46 * part : 72 - 48 * part}%)`;
        }
        return which < 0 ? style("--dot-none") : paints[which];
      };
    };
    const shownAs = (i) => !data.pale[i] && (only < 0 || group(i) === only);

    const draw = () => {
      const ratio = devicePixelRatio || 1;
      width = frame.clientWidth; height = frame.clientHeight;
      if (!width) return;
      if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
      if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
      const pen = canvas.getContext("2d");
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, width, height);
      const radius = (count > 2000 ? 2.6 : count > 600 ? 3.4 : 4.4) * Math.min(2, Math.sqrt(scale));
      const inkOf = paint(), ink = style("--ink"), card = style("--card");
      for (const clear of [false, true]) {
        for (let i = 0; i < count; i += 1) {
          if (shownAs(i) !== clear) continue;
          const [x, y] = place(i);
          if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
          pen.globalAlpha = clear ? 0.9 : 0.16;
          pen.fillStyle = inkOf(i);
          pen.beginPath(); pen.arc(x, y, radius, 0, 7); pen.fill();
        }
      }
      pen.globalAlpha = 1;
      for (let i = 0; i < count; i += 1) {
        if (!data.marked[i] && i !== at) continue;
        const [x, y] = place(i);
        pen.lineWidth = 4.5; pen.strokeStyle = card;
        pen.beginPath(); pen.arc(x, y, radius + 3.5, 0, 7); pen.stroke();
        pen.lineWidth = i === at ? 2.5 : 1.8; pen.strokeStyle = ink;
        pen.beginPath(); pen.arc(x, y, radius + 3.5, 0, 7); pen.stroke();
      }
      if (at >= 0) {
        const [x, y] = place(at);
        tip.textContent = data.labels[at] + (data.years[at] ? ` (${data.years[at]})` : "");
        tip.style.display = "block";
        tip.style.left = `${Math.max(4, Math.min(x + 12, width - tip.offsetWidth - 4))}px`;
        tip.style.top = `${Math.max(4, y > height - 50 ? y - 40 : y + 12)}px`;
      } else tip.style.display = "none";
    };
    let drawing = 0;
    const redraw = () => { cancelAnimationFrame(drawing); drawing = requestAnimationFrame(draw); listSoon(); };

    const nearest = (x, y, reach) => {
      let best = -1, least = reach * reach;
      for (let i = 0; i < count; i += 1) {
        const [px, py] = place(i), far = (px - x) ** 2 + (py - y) ** 2 + (shownAs(i) ? 0 : 60);
        if (far < least) { least = far; best = i; }
      }
      return best;
    };
    const zoom = (factor, x = width / 2, y = height / 2) => {
      const next = Math.max(1, Math.min(40, scale * factor));
      left = (left + x - pad) * (next / scale) - (x - pad);
      top = (top + y - pad) * (next / scale) - (y - pad);
      scale = next;
      hold(); redraw();
    };
    const hold = () => {
      left = Math.max(-width / 3, Math.min(left, width * scale - width * 0.67));
      top = Math.max(-height / 3, Math.min(top, height * scale - height * 0.67));
      if (scale === 1) left = top = 0;
    };
    const go = (i, read) => {
      at = i;
      if (i >= 0) {
        const [x, y] = place(i);
        if (x < 10 || y < 10 || x > width - 10 || y > height - 10) { left += x - width / 2; top += y - height / 2; hold(); }
        if (read) said.textContent = `${data.labels[i]}${data.years[i] ? `, ${data.years[i]}` : ""}${data.marked[i] ? ", of the last answer" : ""}`;
      }
      redraw();
    };
    const openAt = (i) => { if (i >= 0) openPaper("map", data.ids[i], canvas); };

    // Pointers: one drags, two pinch, a short press opens.
    const pointers = new Map();
    let begun = null, dragged = false, spread = 0;
    canvas.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      canvas.setPointerCapture(event.pointerId);
      if (pointers.size === 1) { begun = [event.offsetX, event.offsetY]; dragged = false; }
      spread = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId), now = [event.offsetX, event.offsetY];
      if (!before) {
        const found = nearest(...now, 14);
        canvas.style.cursor = found >= 0 ? "pointer" : "grab";
        if (found !== at) go(found, false);
        return;
      }
      pointers.set(event.pointerId, now);
      if (pointers.size === 2) {
        const [a, b] = [...pointers.values()], wide = Math.hypot(a[0] - b[0], a[1] - b[1]);
        if (spread) zoom(wide / spread, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
        spread = wide; dragged = true;
      } else if (dragged || Math.hypot(now[0] - begun[0], now[1] - begun[1]) > 5) {
        dragged = true;
        left -= now[0] - before[0]; top -= now[1] - before[1];
        if (scale > 1) hold(); else left = top = 0;
        redraw();
      }
    });
    const lift = (event) => {
      const there = pointers.delete(event.pointerId);
      if (event.type === "pointerup" && there && !dragged && !pointers.size) {
        const found = nearest(event.offsetX, event.offsetY, event.pointerType === "touch" ? 24 : 14);
        go(found, true);
        openAt(found);
      }
    };
    canvas.addEventListener("pointerup", lift);
    canvas.addEventListener("pointercancel", lift);
    canvas.addEventListener("pointerleave", () => { if (document.activeElement !== canvas && !pointers.size) go(-1, false); });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * 0.0022), event.offsetX, event.offsetY);
    }, { passive: false });

    // Keys: arrows go to the nearest paper that way.
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    canvas.addEventListener("keydown", (event) => {
      const way = ways[event.key];
      if (way) {
        event.preventDefault();
        if (at < 0) return go(nearest(width / 2, height / 2, 1e5), true);
        const [x, y] = place(at);
        let best = -1, least = Infinity;
        for (let i = 0; i < count; i += 1) {
          if (i === at || !shownAs(i)) continue;
          const [px, py] = place(i), along = (px - x) * way[0] + (py - y) * way[1];
          const aside = Math.abs((px - x) * way[1]) + Math.abs((py - y) * way[0]);
          if (along > 0.5 && along + 2.2 * aside < least) { least = along + 2.2 * aside; best = i; }
        }
        if (best >= 0) go(best, true);
      } else if (event.key === "Enter") { event.preventDefault(); openAt(at); }
      else if (event.key === "+" || event.key === "=") zoom(1.5);
      else if (event.key === "-") zoom(1 / 1.5);
      else if (event.key === "Escape") go(-1, false);
    });
    root.onclick = (event) => {
      const how = event.target.closest("[data-zoom]"), item = event.target.closest(".map-list [data-at]");
      const shade = event.target.closest(".legend [data-group]");
      if (how && how.dataset.zoom === "all") { scale = 1; left = top = 0; redraw(); }
      else if (how) zoom(how.dataset.zoom === "in" ? 1.6 : 1 / 1.6);
      if (item) { go(Number(item.dataset.at), true); openPaper("map", data.ids[at], item); }
      if (shade) {
        only = only === Number(shade.dataset.group) ? -1 : Number(shade.dataset.group);
        for (const one of legend.children) one.setAttribute("aria-pressed", String(Number(one.dataset.group) === only));
        redraw();
      }
    };

    // The papers that are seen, those in the middle first.
    let listing;
    const listSoon = () => { clearTimeout(listing); listing = setTimeout(fill, 150); };
    const fill = () => {
      if (!list.open || !canvas.isConnected) return;
      const seen = [];
      for (let i = 0; i < count; i += 1) {
        const [x, y] = place(i);
        if (shownAs(i) && x >= 0 && y >= 0 && x <= width && y <= height) seen.push([(x - width / 2) ** 2 + (y - height / 2) ** 2, i]);
      }
      seen.sort((a, b) => a[0] - b[0]);
      list.querySelector("ul").replaceChildren(...seen.slice(0, 50).map(([, i]) => {
        const item = document.createElement("li"), button = document.createElement("button");
        button.type = "button";
        button.dataset.at = i;
        button.textContent = data.labels[i] + (data.years[i] ? ` (${data.years[i]})` : "");
        item.append(button);
        return item;
      }));
    };
    list.addEventListener("toggle", fill);

    const explain = () => {
      only = -1;
      const names = { words: data.wordNames, sources: data.sourceNames }[colour.value];
      if (colour.value === "year") {
        const span = document.createElement("span");
        span.className = "scale";
        span.textContent = oldest === newest ? String(oldest) : `${oldest} – ${newest}`;
        legend.replaceChildren(span);
      } else {
        const order = (names || []).map((name, n) => n);
        if (colour.value === "words") order.reverse();
        legend.replaceChildren(...order.map((n) => {
          const button = document.createElement("button"), dot = document.createElement("i");
          button.type = "button";
          button.dataset.group = n;
          button.setAttribute("aria-pressed", "false");
          dot.style.background = `var(--dot-${n})`;
          button.append(dot, names[n].length > 40 ? names[n].slice(0, 39) + "…" : names[n]);
          return button;
        }));
      }
      redraw();
    };
    colour.addEventListener("change", explain);
    canvas.placeOf = (id) => { draw(); const [x, y] = place(data.ids.indexOf(id)); return { x, y }; };
    canvas.shows = () => ({ scale, at: at < 0 ? "" : data.ids[at], marked: data.ids.filter((_, i) => data.marked[i]), count });
    const watch = new ResizeObserver(() => (canvas.isConnected ? redraw() : watch.disconnect()));
    watch.observe(frame);
    const dusk = new MutationObserver(() => (canvas.isConnected ? redraw() : dusk.disconnect()));
    dusk.observe(document.body, { attributes: true, attributeFilter: ["class"] });
    explain();
    if (locate) {
      const found = data.ids.indexOf(locate);
      locate = "";
      draw();
      if (found >= 0) { zoom(3, ...place(found)); go(found, true); canvas.scrollIntoView({ block: "nearest" }); }
    }
  };

  window.assistantShelf = { attach };
})();
