/** A tree of references that opens as one goes. */
import { counted, element, shown } from "./dom.js";

/** @typedef {import("./facts.js").Network} Network */
/** @typedef {(edge: number) => HTMLElement | null} Place */

const NODES = 100;

/**
 * The link to an asset in the page.
 * @param {Network} network
 * @param {number} node
 */
export function address(network, node) {
  return `#${network.guid(node) || encodeURIComponent(network.path(node))}`;
}

/**
 * Make a tree of users or needs of an asset.
 * @param {Network} network
 * @param {number} root
 * @param {"users" | "needs"} way
 * @param {string} label
 * @param {Place} place
 */
export function referenceTree(network, root, way, label, place) {
  /** @param {number} node @returns {[number, number][]} */
  const below = (node) => network[way](node);

  /**
   * @param {HTMLElement} list
   * @param {number} node
   * @param {number[]} above
   * @param {number} from
   */
  function fill(list, node, above, from) {
    const rows = below(node).sort(([one], [other]) => one - other);
    for (const [other, edge] of rows.slice(from, from + NODES)) list.append(item(other, edge, above));
    if (rows.length > from + NODES) {
      const more = element("li", { role: "treeitem", tabindex: -1, class: "more" }, element("button", { type: "button", tabindex: -1, onclick: () => (more.remove(), fill(list, node, above, from + NODES)) }, `${counted(rows.length - from - NODES)} more`));
      list.append(more);
    }
  }

  /**
   * @param {number} node
   * @param {number} edge
   * @param {number[]} above
   */
  function item(node, edge, above) {
    const circular = above.includes(node);
    const count = circular ? 0 : below(node).length;
    const row = element("li", { role: "treeitem", tabindex: -1, "aria-expanded": count ? "false" : null });
    const link = element("a", { href: address(network, node), tabindex: -1, title: shown(network.path(node) || network.guid(node)) }, shown(network.name(node)));
    row.append(
      element(
        "div",
        { class: "row" },
        element("span", { class: "twist", "aria-hidden": "true", onclick: () => toggle(row) }, count ? "▸" : ""),
        link,
        element("span", { class: "type" }, shown(network.type(node))),
        count > 0 && element("span", { class: "count", title: way === "users" ? "assets that use it" : "assets that it needs" }, counted(count)),
        circular && element("span", { class: "dim" }, "↻ is above"),
        element("span", { class: "folder" }, shown(network.packageOf(node) || network.folder(node))),
      ),
    );
    const where = place(edge);
    if (where) row.append(where);
    openers.set(row, () => {
      const list = element("ul", { role: "group" });
      fill(list, node, [...above, node], 0);
      row.append(list);
    });
    return row;
  }

  /** @type {WeakMap<Element, () => void>} */
  const openers = new WeakMap();

  /** @param {Element} row */
  function toggle(row) {
    const state = row.getAttribute("aria-expanded");
    if (!state) return;
    const open = state === "false";
    row.setAttribute("aria-expanded", String(open));
    /** @type {Element} */ (row.querySelector(".twist")).textContent = open ? "▾" : "▸";
    if (open) openers.get(row)?.();
    else row.querySelector(":scope > ul")?.remove();
  }

  const tree = element("ul", { role: "tree", "aria-label": label, class: "tree" });
  fill(tree, root, [root], 0);

  /** @param {Element | null | undefined} row */
  function focus(row) {
    if (!(row instanceof HTMLElement)) return;
    tree.querySelectorAll("[role=treeitem][tabindex='0']").forEach((one) => one.setAttribute("tabindex", "-1"));
    row.tabIndex = 0;
    row.focus();
  }

  tree.addEventListener("keydown", (event) => {
    const row = event.target instanceof Element ? event.target.closest("[role=treeitem]") : null;
    if (!row || !(event.target instanceof Element) || event.target.tagName === "BUTTON") return;
    const all = [...tree.querySelectorAll("[role=treeitem]")];
    const at = all.indexOf(row);
    const open = row.getAttribute("aria-expanded");
    if (event.key === "ArrowDown") focus(all[at + 1]);
    else if (event.key === "ArrowUp") focus(all[at - 1]);
    else if (event.key === "Home") focus(all[0]);
    else if (event.key === "End") focus(all[all.length - 1]);
    else if (event.key === "ArrowRight") open === "false" ? toggle(row) : focus(row.querySelector("[role=treeitem]"));
    else if (event.key === "ArrowLeft") open === "true" ? toggle(row) : focus(row.parentElement?.closest("[role=treeitem]"));
    else if (event.key === "Enter" && event.target === row) /** @type {HTMLElement} */ (row.querySelector("a, button")).click();
    else return;
    event.preventDefault();
  });
  const first = tree.querySelector("[role=treeitem]");
  if (first instanceof HTMLElement) first.tabIndex = 0;
  return tree;
}
