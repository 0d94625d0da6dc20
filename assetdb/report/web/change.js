/** The view of a change: what came, went and differs, and what that reaches. */
import { counted, element, shown } from "./dom.js";
import { link } from "./asset.js";
import { range, sortedTable } from "./table.js";

/** @typedef {import("./facts.js").Change} Change */
/** @typedef {import("./facts.js").Network} Network */

/** @type {Record<string, string>} */
const SIGNS = { added: "+ ", removed: "− ", changed: "~ ", moved: "→ ", renamed: "→ ", dangling: "✕ ", mended: "✓ ", guid: "! " };

/**
 * What came, went or differs, with a sign.
 * @param {string} change
 */
export function sign(change) {
  return element("span", { class: `change ${change}` }, `${SIGNS[change] ?? ""}${change === "guid" ? "new GUID" : change}`);
}

/** @param {unknown} value */
function valueText(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  const { name, guid, reason } = /** @type {Record<string, string>} */ (value);
  return String(name || reason || guid || JSON.stringify(value));
}

/**
 * @param {Network} network
 * @param {Change} change
 */
export function changeView(network, change) {
  const { assets, values, references, reached, findings } = change;
  /** @type {Map<string, number>} */
  const counts = new Map();
  assets.change.forEach((one) => counts.set(one, (counts.get(one) ?? 0) + 1));
  return element(
    "article",
    {},
    element("h1", {}, `Changes since ${shown(change.revision)}`),
    element("p", {}, [...counts].map(([one, count]) => `${counted(count)} ${one === "guid" ? "with a new GUID" : one}`).join(", ") || "Nothing differs.", assets.path.length > 0 && `; ${counted(reached.path.length, "asset")} may be affected; ${counted(findings.code.length, "new finding")}.`),
    change.cut && element("p", { class: "note" }, "The change is larger than a page holds: its last rows are left out. assetdb diff prints them all."),
    sortedTable("New findings", [
      { title: "Severity", value: (at) => findings.severity[at], cell: (at) => element("span", { class: `severity ${findings.severity[at]}` }, findings.severity[at]) },
      { title: "Code", value: (at) => findings.code[at], kind: "code" },
      { title: "Path", value: (at) => findings.path[at], cell: (at) => link(network, findings.path[at]), kind: "path" },
      { title: "Message", value: (at) => findings.message[at], kind: "message" },
    ], range(findings.code.length), { empty: "The change introduces none." }),
    sortedTable("Assets and files", [
      { title: "Change", value: (at) => assets.change[at], cell: (at) => sign(assets.change[at]) },
      { title: "Path", value: (at) => assets.path[at], cell: (at) => link(network, assets.path[at]), kind: "path" },
      { title: "Type", value: (at) => assets.type[at] },
      { title: "Before", value: (at) => [assets.old_path[at], assets.old_type[at]].filter(Boolean).join(" "), kind: "path" },
    ], range(assets.path.length), { list: (at) => assets.path[at] }),
    sortedTable("Objects and values", [
      { title: "Change", value: (at) => values.change[at], cell: (at) => sign(values.change[at]) },
      { title: "Path", value: (at) => values.path[at], cell: (at) => link(network, values.path[at]), kind: "path" },
      { title: "Object", value: (at) => values.name[at] || values.type[at], kind: "object" },
      { title: "Property", value: (at) => values.property[at] || values.note[at], kind: "object" },
      { title: "Before", value: (at) => valueText(values.old[at]), kind: "object" },
      { title: "Now", value: (at) => valueText(values.new[at]), kind: "object" },
    ], range(values.path.length)),
    sortedTable("References", [
      { title: "Change", value: (at) => references.change[at], cell: (at) => sign(references.change[at]) },
      { title: "From", value: (at) => references.path[at], cell: (at) => link(network, references.path[at]), kind: "path" },
      { title: "To", value: (at) => references.target[at] || references.target_guid[at], cell: (at) => (references.target[at] ? link(network, references.target[at]) : references.target_guid[at]), kind: "path" },
    ], range(references.path.length)),
    sortedTable("What the change reaches", [
      { title: "Path", value: (at) => reached.path[at], cell: (at) => link(network, reached.path[at]), kind: "path" },
      { title: "Type", value: (at) => reached.type[at] },
    ], range(reached.path.length), { empty: "No other asset uses what changed.", list: (at) => reached.path[at] }),
  );
}
