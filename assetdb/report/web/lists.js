/** The views that are lists: overview, findings, unused assets, packages. */
import { counted, element, shown, size } from "./dom.js";
import { findingsTable, link, signOf } from "./asset.js";
import { range, sortedTable } from "./table.js";

/** @typedef {import("./facts.js").Facts} Facts */
/** @typedef {import("./facts.js").Network} Network */
/** @typedef {import("./facts.js").Unread} Unread */

/**
 * A size, with all its bytes in a tooltip.
 * @param {number | null} bytes
 */
export function sized(bytes) {
  return bytes === null ? "" : element("span", { title: counted(bytes, "byte") }, size(bytes));
}

/**
 * @param {string} name
 * @param {string} value
 * @param {import("./dom.js").Child} [note]
 */
function card(name, value, note) {
  return element("div", { class: "card" }, element("div", { class: "value" }, value), element("div", { class: "label" }, name), note && element("div", { class: "dim" }, note));
}

/**
 * @param {Facts} facts
 * @param {Network} network
 */
export function overviewView(facts, network) {
  const found = facts.overview;
  const [errors, warnings, notes] = ["error", "warning", "note"].map((severity) => facts.findings.severity.filter((one) => one === severity).length);
  const others = [counted(warnings, "warning"), ...(notes ? [counted(notes, "note")] : [])].join(", ");
  const unused = facts.unused.unused;
  const bytes = unused.bytes.reduce((/** @type {number} */ sum, one) => sum + (one ?? 0), 0);
  return element(
    "article",
    {},
    element("h1", {}, shown(facts.project)),
    found.unity && element("p", { class: "dim" }, `Unity ${shown(found.unity)}`),
    element(
      "div",
      { class: "cards" },
      card("assets", counted(found.assets), `in ${counted(found.folders, "folder")}`),
      card("source files", size(found.bytes), counted(found.bytes, "byte")),
      card("references", counted(found.references), "pairs of assets"),
      card("errors", counted(errors), element("a", { href: "#findings" }, `and ${others}`)),
      card("unused assets", counted(unused.path.length), element("a", { href: "#unused" }, size(bytes))),
      card("packages", counted(found.packages), element("a", { href: "#packages" }, found.absent.length ? `${counted(found.absent.length)} not on this machine` : "outside the project")),
    ),
    network.columns.left_out > 0 && element("p", { class: "note" }, `The page has room for ${counted(network.count, "asset")}: ${counted(network.columns.left_out)} others, with the fewest references, cannot be searched or opened here. Figures, findings and unused assets are of all.`),
    unreadNote(facts.unread, "what they need is not known, so users may be missing"),
    element(
      "div",
      { class: "pair" },
      sortedTable("Largest types", [
        { title: "Type", value: (row) => row.type },
        { title: "Assets", value: (row) => row.assets, number: true },
        { title: "Bytes", value: (row) => row.bytes, cell: (row) => sized(row.bytes), number: true },
      ], found.types),
      sortedTable("Most used", [
        { title: "Path", value: (row) => row.path, cell: (row) => link(network, row.path), kind: "path" },
        { title: "Type", value: (row) => row.type },
        { title: "Users", value: (row) => row.users, number: true },
      ], found.used),
    ),
  );
}

/**
 * @param {Unread[]} unread
 * @param {string} so
 */
function unreadNote(unread, so) {
  if (!unread.length) return null;
  return element(
    "details",
    { class: "note" },
    element("summary", {}, `△ ${counted(unread.length, "file")} could not be read: ${so}`),
    element("ul", {}, ...unread.slice(0, 200).map((item) => element("li", {}, element("code", {}, shown(item.path)), ` ${item.code}`))),
    unread.length > 200 && element("p", {}, `and ${counted(unread.length - 200)} more`),
  );
}

/**
 * @param {Facts} facts
 * @param {Network} network
 */
export function findingsView(facts, network) {
  const { code, severity, advice } = facts.findings;
  /** @type {Map<string, number>} */
  const counts = new Map();
  code.forEach((one) => counts.set(one, (counts.get(one) ?? 0) + 1));
  const codes = [...counts].sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
  const place = element("div");
  const bars = element("ul", { class: "codes" });
  const most = Math.max(1, ...counts.values());

  /** @param {string} chosen */
  function show(chosen) {
    const rows = range(code.length).filter((at) => !chosen || code[at] === chosen);
    const what = chosen ? `${chosen}: ${advice[code.indexOf(chosen)]}.` : "Choose a code to see its findings alone, and what to do about them.";
    place.replaceChildren(element("p", { class: "note" }, what), findingsTable(facts, rows, chosen || "All findings", true, network));
    bars.querySelectorAll("button").forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.code === chosen)));
  }

  for (const [one, count] of codes) {
    const of = severity[code.indexOf(one)];
    const bar = element("span", { class: `bar ${of}` });
    bar.style.width = `${(100 * count) / most}%`;
    bars.append(
      element("li", {}, element("button", { type: "button", "data-code": one, onclick: () => show(bars.querySelector("[aria-pressed=true]")?.getAttribute("data-code") === one ? "" : one) }, element("span", { class: `severity ${of}` }, signOf(of)), element("span", { class: "code" }, one), element("span", { class: "track" }, bar), element("span", { class: "count" }, counted(count)))),
    );
  }
  show("");
  return element(
    "article",
    {},
    element("h1", {}, "Findings"),
    !codes.length && element("p", {}, "assetdb check found nothing."),
    unreadNote(facts.unread, "findings in them are not known"),
    bars,
    code.length > 0 && place,
  );
}

/**
 * @param {Facts} facts
 * @param {Network} network
 */
export function unusedView(facts, network) {
  const { unused, kept, roots, lacking, without_scenes: withoutScenes } = facts.unused;
  const bytes = unused.bytes.reduce((/** @type {number} */ sum, one) => sum + (one ?? 0), 0);
  const rows = Object.entries(roots).map(([reason, count]) => ({ reason, count }));
  return element(
    "article",
    {},
    element("h1", {}, "Unused assets"),
    element("p", {}, `${counted(unused.path.length)} of ${counted(unused.path.length + kept.count, "asset")} are reached by no root of a build: ${size(bytes)} of source files.`),
    unreadNote(lacking, "what they need is not known, and may be listed as unused"),
    withoutScenes && element("p", { class: "note" }, "No scene is enabled in the build settings, so everything that scenes use counts as unused."),
    sortedTable("Unused", [
      { title: "Path", value: (at) => unused.path[at], cell: (at) => link(network, unused.path[at]), kind: "path" },
      { title: "Type", value: (at) => unused.type[at] },
      { title: "Bytes", value: (at) => unused.bytes[at] ?? -1, cell: (at) => sized(unused.bytes[at]), number: true },
      { title: "Packed by", value: (at) => unused.packed_by[at], kind: "path" },
    ], range(unused.path.length), { empty: "Every asset is reached by a root.", list: (at) => unused.path[at] }),
    sortedTable("Roots that keep the rest", [
      { title: "Reason", value: (row) => row.reason },
      { title: "Assets", value: (row) => row.count, number: true },
    ], rows, { empty: "There is no root." }),
  );
}

/** @param {Facts} facts */
export function packagesView(facts) {
  const found = facts.packages;
  return element(
    "article",
    {},
    element("h1", {}, "Packages"),
    sortedTable("Required packages", [
      { title: "Package", value: (at) => found.name[at], kind: "path" },
      { title: "Version", value: (at) => found.version[at], kind: "path" },
      { title: "Source", value: (at) => found.source[at] },
      { title: "On this machine", value: (at) => (found.here[at] ? "yes" : "no"), cell: (at) => (found.here[at] ? "yes" : element("strong", {}, "no")) },
      { title: "References", value: (at) => found.references[at], number: true },
      { title: "Users", value: (at) => found.users[at].length, number: true },
      { title: "Required by", value: (at) => found.required_by[at].join(", "), kind: "object" },
    ], range(found.name.length), { empty: "The project requires no package." }),
  );
}
