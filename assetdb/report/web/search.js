/** Search as one types, over all names, paths and GUIDs. */
import { counted, element, shown } from "./dom.js";

/** @typedef {import("./facts.js").Network} Network */

const MOST = 60;
const SORTED = 2000; // of more, the shortest names tell nothing yet, and a key waits for the order
const GUID = /^[0-9a-f]{6,32}$/;

/** Finds assets by words in their paths, or by the beginning of a GUID. */
export class Finder {
  /** @param {Network} network */
  constructor(network) {
    this.network = network;
    /** @type {string[]} */
    this.paths = [];
    /** @type {Uint16Array} where names begin */
    this.begins = new Uint16Array(network.count);
  }

  /** Read all paths once; an idle moment is soon enough. */
  prepare() {
    if (this.paths.length) return;
    for (let node = 0; node < this.network.count; node++) {
      const path = this.network.path(node).toLowerCase();
      this.paths.push(path);
      this.begins[node] = Math.min(path.lastIndexOf("/") + 1, 65535);
    }
  }

  /**
   * Return the best assets, and how many there are.
   * @param {string} query
   * @returns {{nodes: number[], count: number}}
   */
  find(query) {
    this.prepare();
    const whole = query.trim().toLowerCase();
    const words = whole.split(/\s+/).filter(Boolean);
    if (!words.length) return { nodes: [], count: 0 };
    /** @type {number[][]} by rank */
    const ranks = [[], [], [], [], []];
    const guid = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/.exec(whole)?.[0] ?? (GUID.test(whole) ? whole : "");
    const first = words[0];
    for (let node = 0; node < this.paths.length; node++) {
      const path = this.paths[node];
      if (guid && this.network.columns.guids.startsWith(guid, node * 32)) {
        ranks[0].push(node);
        continue;
      }
      if (!words.every((word) => path.includes(word))) continue;
      const begin = this.begins[node];
      if (path.length - begin === whole.length && path.endsWith(whole)) ranks[0].push(node);
      else if (path.startsWith(first, begin)) ranks[1].push(node);
      else if (path.indexOf(first, begin) >= 0) ranks[2].push(node);
      else ranks[3].push(node);
    }
    for (const rank of ranks.slice(1, 3)) if (rank.length <= SORTED) rank.sort((one, other) => this.paths[one].length - this.begins[one] - (this.paths[other].length - this.begins[other]));
    const nodes = ranks.flat();
    return { nodes: nodes.slice(0, MOST), count: nodes.length };
  }
}

/**
 * Make the field of the page search.
 * @param {Network} network
 * @param {(node: number) => void} open
 */
export function addSearch(network, open) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById("query"));
  const list = /** @type {HTMLElement} */ (document.getElementById("results"));
  const finder = new Finder(network);
  setTimeout(() => finder.prepare(), 0);
  let chosen = -1;

  /** @param {number} at */
  function choose(at) {
    const rows = list.querySelectorAll("[role=option]");
    chosen = rows.length ? (at + rows.length) % rows.length : -1;
    rows.forEach((row, number) => row.setAttribute("aria-selected", String(number === chosen)));
    if (chosen >= 0) {
      rows[chosen].scrollIntoView({ block: "nearest" });
      field.setAttribute("aria-activedescendant", rows[chosen].id);
    } else field.removeAttribute("aria-activedescendant");
  }

  function close() {
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  function update() {
    const found = finder.find(field.value);
    if (!field.value.trim()) return close();
    const rows = found.nodes.map((node, number) =>
      element(
        "li",
        { role: "option", id: `result-${number}`, "data-node": node, "aria-selected": "false" },
        element("span", { class: "name" }, shown(network.name(node))),
        element("span", { class: "type" }, shown(network.type(node))),
        element("span", { class: "folder" }, shown(network.folder(node))),
      ),
    );
    const more = found.count > rows.length ? `the first ${rows.length} of ${counted(found.count)} assets` : counted(found.count, "asset");
    list.replaceChildren(...rows, element("li", { class: "count", role: "presentation" }, found.count ? more : "no asset has that in its path or GUID"));
    list.hidden = false;
    list.scrollTop = 0;
    field.setAttribute("aria-expanded", "true");
    choose(0);
  }

  /** @param {Element | null} row */
  function take(row) {
    if (!(row instanceof HTMLElement)) return;
    close();
    field.blur();
    open(Number(row.dataset.node));
  }

  field.addEventListener("input", update);
  field.addEventListener("focus", () => field.value.trim() && update());
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) update();
      else choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") take(list.querySelector("[aria-selected=true]"));
    else if (event.key === "Escape") close();
  });
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => take(event.target instanceof Element ? event.target.closest("[role=option]") : null));
  field.addEventListener("blur", close);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "")) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}
