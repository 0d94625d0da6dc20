/** A map of nested groups: areas are bytes. */
import { counted, element, shown, size } from "./dom.js";

/**
 * @typedef {object} Group
 * @property {string} name
 * @property {number} bytes
 * @property {number} count assets or objects
 * @property {string} kind the class of most of its bytes
 * @property {string} address where it leads, or ""
 * @property {Group[]} below
 */

/** @typedef {{left: number, top: number, width: number, height: number}} Box */

const HEADING = 20;
const SMALLEST = 3;
const LABELLED = { width: 46, height: 18 };
const MOST_TILES = 60;

/**
 * Return a box for each size, nearly square, largest first (Bruls, Huizing and van Wijk: Squarified Treemaps).
 * @param {number[]} sizes descending
 * @param {Box} box
 * @returns {Box[]}
 */
export function squarified(sizes, box) {
  const whole = sizes.reduce((sum, one) => sum + one, 0);
  const scale = whole ? (box.width * box.height) / whole : 0;
  let { left, top, width, height } = box;
  /** @type {Box[]} */
  const found = [];
  for (let from = 0; from < sizes.length; ) {
    const side = Math.min(width, height);
    let to = from;
    let sum = 0;
    let worst = Infinity;
    while (to < sizes.length) {
      const area = sum + sizes[to] * scale;
      const ratio = Math.max((side * side * sizes[from] * scale) / (area * area), (area * area) / (side * side * sizes[to] * scale));
      if (ratio > worst) break;
      worst = ratio;
      sum = area;
      to++;
    }
    if (to === from) to = from + 1;
    const thick = side ? sum / side : 0;
    let along = 0;
    for (; from < to; from++) {
      const long = thick ? (sizes[from] * scale) / thick : 0;
      found.push(width >= height ? { left, top: top + along, width: thick, height: long } : { left: left + along, top, width: long, height: thick });
      along += long;
    }
    if (width >= height) {
      left += thick;
      width -= thick;
    } else {
      top += thick;
      height -= thick;
    }
  }
  return found;
}

/**
 * Return the largest groups, and one for all others.
 * @param {Group[]} groups descending
 * @returns {Group[]}
 */
function bounded(groups) {
  const sized = groups.filter((group) => group.bytes > 0);
  const rest = sized.slice(MOST_TILES);
  if (!rest.length) return sized;
  const bytes = rest.reduce((sum, group) => sum + group.bytes, 0);
  const count = rest.reduce((sum, group) => sum + group.count, 0);
  return [...sized.slice(0, MOST_TILES), { name: `${counted(rest.length)} smaller`, bytes, count, kind: "other", address: "", below: [] }];
}

/**
 * @param {Group} group
 * @param {Box} box
 * @param {string} kind
 * @param {string} noun
 */
function tile(group, box, kind, noun) {
  const text = `${shown(group.name)}, ${size(group.bytes)}${group.count ? `, ${counted(group.count, noun)}` : ""}`;
  const made = group.address ? element("a", { href: group.address, class: `tile ${kind}`, title: text }) : element("div", { class: `tile ${kind}`, title: text });
  made.style.left = `${box.left}px`;
  made.style.top = `${box.top}px`;
  made.style.width = `${Math.max(0, box.width - 1)}px`;
  made.style.height = `${Math.max(0, box.height - 1)}px`;
  return made;
}

/**
 * Make a map of two levels, each group with its heading.
 * @param {Group[]} groups
 * @param {number} width
 * @param {number} height
 * @param {string} noun of what is counted
 */
export function treemap(groups, width, height, noun) {
  const place = element("div", { class: "map", role: "group", "aria-label": "Map of sizes; the table has the same figures" });
  place.style.height = `${height}px`;
  const outer = bounded(groups);
  const boxes = squarified(outer.map((group) => group.bytes), { left: 0, top: 0, width, height });
  outer.forEach((group, number) => {
    const box = boxes[number];
    if (box.width < SMALLEST || box.height < SMALLEST) return;
    const inner = bounded(group.below);
    const nested = inner.length > 0 && box.height > 2 * HEADING && box.width > LABELLED.width;
    const made = tile(group, box, nested ? "outer" : `leaf ${group.kind}`, noun);
    if (box.width > LABELLED.width && box.height > LABELLED.height) made.append(element("span", { class: "label" }, element("b", {}, shown(group.name)), ` ${size(group.bytes)}`));
    place.append(made);
    if (!nested) return;
    const inside = { left: box.left + 2, top: box.top + HEADING, width: box.width - 5, height: box.height - HEADING - 3 };
    squarified(inner.map((one) => one.bytes), inside).forEach((one, at) => {
      if (one.width < SMALLEST || one.height < SMALLEST) return;
      const leaf = tile(inner[at], one, `leaf ${inner[at].kind}`, noun);
      if (one.width > LABELLED.width && one.height > LABELLED.height) leaf.append(element("span", { class: "label" }, shown(inner[at].name), one.height > 2 * LABELLED.height ? element("small", {}, size(inner[at].bytes)) : ""));
      place.append(leaf);
    });
  });
  return place;
}
