/** The views of a build: what it holds, what is in it twice, what differs from an older one. */
import { counted, element, shown, size } from "./dom.js";
import { link, reasonText } from "./asset.js";
import { sign } from "./change.js";
import { sized } from "./lists.js";
import { range, sortedTable } from "./table.js";

/** @typedef {import("./facts.js").Facts} Facts */
/** @typedef {import("./facts.js").Network} Network */
/** @typedef {import("./facts.js").Build} Build */
/** @typedef {import("./facts.js").BuildChange} BuildChange */
/** @typedef {import("./facts.js").SizeRows} SizeRows */
/** @typedef {import("./facts.js").Copy} Copy */

/** @param {boolean | null} equal */
function sameAsset(equal) {
  if (equal === null) return "same asset, not all of its content could be read";
  return equal ? "same asset" : "same asset, not the same content";
}

/**
 * @param {string} title
 * @param {number[]} bytes
 * @returns {import("./table.js").Column<number>}
 */
function bytesColumn(title, bytes) {
  return { title, value: (at) => bytes[at], cell: (at) => sized(bytes[at]), number: true };
}

/**
 * @param {string} caption
 * @param {string} title
 * @param {SizeRows} rows
 * @param {(name: string) => import("./dom.js").Child} [cell]
 */
function sizeTable(caption, title, rows, cell) {
  return sortedTable(caption, [
    { title, value: (at) => rows.name[at], cell: cell && ((at) => cell(rows.name[at])), kind: "path" },
    { title: "Objects", value: (at) => rows.objects[at], number: true },
    bytesColumn("In files", rows.in_file),
    bytesColumn("Streamed", rows.streamed),
    bytesColumn("On disk", rows.disk),
  ], range(rows.name.length));
}

/** @param {Build} build */
function buildNotes(build) {
  return [
    build.of_project === false && element("p", { class: "note" }, "This build is not of this project (the product GUIDs differ): matches by name and path are candidates, and no asset is said to ship by them."),
    build.problems.length > 0 && element("details", { class: "note" }, element("summary", {}, `△ ${counted(build.problems.length, "part")} could not be read, or not in full: what they hold is not in this page`), element("ul", {}, ...build.problems.slice(0, 200).map((text) => element("li", {}, shown(text))))),
  ];
}

/**
 * @param {Network} network
 * @param {Build} build
 */
export function buildView(network, build) {
  const { summary, laid_out: laidOut } = build;
  const facts = [summary.product, summary.unity_versions.length && `Unity ${summary.unity_versions.join(", ")}`, summary.platforms.join(", ")].filter(Boolean).join(" · ");
  return element(
    "article",
    {},
    element("h1", {}, `Build ${build.names.map(shown).join(", ")}`),
    element("p", { class: "dim" }, shown(facts)),
    ...buildNotes(build),
    element("p", {}, `${size(summary.disk)} on the disk (${counted(summary.disk, "byte")}), and ${size(summary.others)} of code and other files; ${counted(summary.objects, "object")}. ${counted(build.untied, "object")} of them ${build.untied === 1 ? "has" : "have"} no certain source. `, element("a", { href: "#sizes/shipped" }, "Show as a map")),
    sizeTable("By asset", "Asset", build.assets, (name) => link(network, name)),
    laidOut.path.length > 0 && sortedTable("By asset, as the build layout has it", [
      { title: "Asset", value: (at) => laidOut.path[at], cell: (at) => link(network, laidOut.path[at]), kind: "path" },
      bytesColumn("Bytes", laidOut.size),
      { title: "Bundles", value: (at) => laidOut.bundles[at].length, number: true },
      { title: "Pulled in", value: (at) => (laidOut.pulled_in[at] ? "yes" : "") },
      { title: "In", value: (at) => laidOut.bundles[at].join(", "), kind: "object" },
    ], range(laidOut.path.length)),
    sizeTable("By bundle or file", "Bundle or file", build.bundles),
    sizeTable("By group", "Group", build.groups),
    sizeTable("By class", "Class", build.classes),
    sizeTable("By script assembly", "Assembly", build.assemblies),
  );
}

/** @param {Copy[]} copies */
function ways(copies) {
  return element("ul", { class: "copies" }, ...copies.map((copy) => element("li", {}, element("code", {}, shown(copy.file)), copy.why !== undefined && ` ${shown(reasonText(copy.why, copy.root ?? "", copy.way ?? []))}`)));
}

/** @param {Copy[]} copies */
function waysText(copies) {
  return copies.map((copy) => `${copy.file}#${copy.path_id}${copy.why === undefined ? "" : ` (${reasonText(copy.why, copy.root ?? "", copy.way ?? [])})`}`).join("; ");
}

/**
 * @param {Facts} facts
 * @param {Network} network
 */
export function twiceView(facts, network) {
  const { build, same } = facts;
  const found = build?.duplicates;
  const wasted = same.bytes.reduce((sum, bytes, at) => sum + bytes * (same.paths[at].length - 1), 0);
  return element(
    "article",
    {},
    element("h1", {}, "What is there twice"),
    build && found && element("p", {}, found.count ? `${counted(found.count, "object")} of the build ${found.count === 1 ? "is" : "are"} stored several times; one copy of each would save ${counted(found.sum, "byte")}, decoded.` : "No object of the build is stored several times."),
    found && found.class.length > 0 && sortedTable("In several files of the build", [
      bytesColumn("Saved", found.saved),
      { title: "Copies", value: (at) => found.objects[at].length, number: true },
      bytesColumn("One copy", found.size),
      { title: "Class", value: (at) => found.class[at] },
      { title: "Name", value: (at) => found.name[at], kind: "object" },
      { title: "Asset", value: (at) => found.asset[at], cell: (at) => found.asset[at] && link(network, found.asset[at]), kind: "path" },
      { title: "Why", value: (at) => (found.by[at] === "content" ? "same content" : sameAsset(found.equal[at])) },
      { title: "In, and what brings it in", value: (at) => waysText(found.objects[at]), cell: (at) => ways(found.objects[at]), kind: "copies" },
    ], range(found.class.length)),
    element("p", {}, same.bytes.length ? `${counted(same.bytes.length, "content")} of source files ${same.bytes.length === 1 ? "is" : "are"} in several assets: ${counted(wasted, "byte")} of copies.` : "No two assets of the project have the same content."),
    same.unread > 0 && element("p", { class: "note" }, `${counted(same.unread, "file")} could not be compared.`),
    same.bytes.length > 0 && sortedTable("Assets with the same content", [
      bytesColumn("Bytes", same.bytes),
      { title: "Copies", value: (at) => same.paths[at].length, number: true },
      { title: "Assets", value: (at) => same.paths[at].join(", "), cell: (at) => element("ul", { class: "copies" }, ...same.paths[at].slice(0, 20).map((path) => element("li", {}, link(network, path))), same.paths[at].length > 20 && element("li", {}, `and ${counted(same.paths[at].length - 20)} more`)), kind: "path" },
    ], range(same.bytes.length)),
  );
}

/**
 * @param {Network} network
 * @param {Build} build
 * @param {BuildChange} change
 */
export function buildChangeView(network, build, change) {
  const { parts, objects } = change;
  const platforms = [change.platforms.join(", "), build.summary.platforms.join(", ")];
  return element(
    "article",
    {},
    element("h1", {}, `${build.names.map(shown).join(", ")} against ${change.names.map(shown).join(", ")}`),
    platforms[0] !== platforms[1] && element("p", { class: "note" }, `The builds are for different platforms (${shown(platforms[0] || "unknown")} and ${shown(platforms[1] || "unknown")}): much differs for that alone.`),
    ...buildNotes(build),
    element("p", {}, `${counted(parts.name.length)} of ${counted(change.all_parts, "part")} ${parts.name.length === 1 ? "differs" : "differ"}; ${size(change.download)} (${counted(change.download, "byte")}) to download; the build has ${counted(Math.abs(change.grown), "byte")} ${change.grown >= 0 ? "more" : "less"} than before.`),
    change.left_out > 0 && element("p", { class: "note" }, `${counted(change.left_out, "object")} that differ ${change.left_out === 1 ? "is" : "are"} left out: assetdb build diff prints them all.`),
    sortedTable("Parts", [
      { title: "Change", value: (at) => parts.verdict[at], cell: (at) => sign(parts.verdict[at]) },
      { title: "Part", value: (at) => parts.name[at], kind: "path" },
      bytesColumn("Before", parts.size_before),
      bytesColumn("Now", parts.size_after),
      { title: "Grew", value: (at) => parts.size_after[at] - parts.size_before[at], number: true },
      bytesColumn("Download", parts.download),
      { title: "Note", value: (at) => (parts.is_read[at] ? "" : "not all of it was read") },
    ], range(parts.name.length), { empty: "No part differs." }),
    sortedTable("Objects", [
      { title: "Change", value: (at) => objects.verdict[at], cell: (at) => sign(objects.verdict[at]) },
      { title: "Class", value: (at) => objects.class[at] },
      { title: "Name", value: (at) => objects.name[at], kind: "object" },
      { title: "Asset", value: (at) => objects.asset[at], cell: (at) => objects.asset[at] && link(network, objects.asset[at]), kind: "path" },
      bytesColumn("Before", objects.size_before),
      bytesColumn("Now", objects.size_after),
      { title: "Grew", value: (at) => objects.size_after[at] - objects.size_before[at], number: true },
      { title: "Part", value: (at) => objects.part[at], kind: "object" },
      { title: "Brought in by", value: (at) => reasonText(objects.why[at], objects.root[at], []), kind: "object" },
    ], range(objects.verdict.length), { empty: "No object differs." }),
  );
}
