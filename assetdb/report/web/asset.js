/** One asset: its users and needs as trees, what keeps it, its findings. */
import { copyButton, counted, element, shown, size } from "./dom.js";
import { historyTable } from "./history.js";
import { sortedTable } from "./table.js";
import { address, referenceTree } from "./tree.js";

/** @typedef {import("./facts.js").Facts} Facts */
/** @typedef {import("./facts.js").Network} Network */
/** @typedef {import("./facts.js").Build} Build */

const SEVERITY_SIGNS = new Map([["error", "✕"], ["warning", "△"], ["note", "·"]]);

/** @param {string} severity */
export function signOf(severity) {
  return SEVERITY_SIGNS.get(severity) ?? "";
}

/** What is known of assets beside their references, by path. */
export class Known {
  /** @param {Facts} facts */
  constructor(facts) {
    const { unused } = facts.unused;
    /** @type {Map<string, string>} */
    this.unused = new Map(unused.path.map((path, at) => [path, unused.packed_by[at]]));
    /** @type {Map<string, string>} */
    this.unread = new Map(facts.unread.map((item) => [item.path, item.code]));
    /** @type {Map<string, number[]>} */
    this.findings = new Map();
    /** @type {Map<string, number[]>} rows of where an asset is in the build, by GUID */
    this.shipped = new Map();
    facts.build?.shipped.guid.forEach((guid, at) => {
      const rows = this.shipped.get(guid);
      if (rows) rows.push(at);
      else this.shipped.set(guid, [at]);
    });
    /** @type {Map<string, number>} bytes on the disk of the build, by path */
    this.disk = new Map(facts.build?.assets.name.map((name, at) => [name, /** @type {Build} */ (facts.build).assets.disk[at]]));
    /** @type {Map<string, string[]>} assets with the same content, by path */
    this.same = new Map(facts.same.paths.flatMap((paths) => paths.map((path) => /** @type {[string, string[]]} */ ([path, paths]))));
    /** @type {Map<number, number>} rows of imported textures, by asset */
    this.imported = new Map(facts.imported?.assets.map((node, at) => [node, at]));
    facts.findings.path.forEach((path, at) => {
      const key = path.replace(/\.meta$/, "");
      const rows = this.findings.get(key);
      if (rows) rows.push(at);
      else this.findings.set(key, [at]);
    });
  }
}

/**
 * @param {Facts} facts
 * @param {number} edge
 */
function placeOf(facts, edge) {
  const places = facts.places;
  if (!places || !places.count[edge]) return null;
  const object = places.texts[places.object[edge]];
  const property = places.texts[places.property[edge]];
  const more = places.count[edge] - 1;
  return element(
    "div",
    { class: "place" },
    object && element("span", {}, shown(object)),
    property && element("code", {}, shown(property)),
    more > 0 && element("span", { class: "dim" }, `and ${counted(more, "more place")}`),
  );
}

/**
 * @param {Facts} facts
 * @param {Network} network
 * @param {Known} known
 * @param {number} node
 */
export function assetView(facts, network, known, node) {
  const path = network.path(node);
  const guid = network.guid(node);
  const bytes = network.bytes(node);
  /** @type {(edge: number) => HTMLElement | null} */
  const place = (edge) => placeOf(facts, edge);
  const rows = known.findings.get(path) ?? [];
  return element(
    "article",
    { class: "asset" },
    element("h1", {}, shown(network.name(node))),
    element(
      "dl",
      { class: "facts" },
      ...fact("Path", path && [element("code", {}, shown(path)), copyButton("Copy", () => path, "path")]),
      ...fact("GUID", guid && [element("code", {}, guid), copyButton("Copy", () => guid, "GUID"), copyButton("Copy link", () => location.href, "link")]),
      ...fact("Type", [shown(network.type(node))]),
      ...fact("Package", [shown(network.packageOf(node))]),
      ...fact("Source file", bytes >= 0 && [element("span", { title: counted(bytes, "byte") }, size(bytes))]),
      ...fact(`Imported for ${facts.imported?.platform}`, importedText(facts.imported, known.imported.get(node))),
      ...fact("Same content as", sameAs(network, known, path)),
      ...fact("In a build", node < network.count && keptText(facts, network, known, node)),
      ...fact("Shares its GUID with", sharers(network, node)),
      ...fact("Not read", known.unread.has(path) && [`${known.unread.get(path)}: what it needs is not known`]),
    ),
    facts.build && node < network.count && shippedTable(facts.build, known, path, guid),
    element("div", { class: "ways" }, way(network, node, "users", "Used by", place), way(network, node, "needs", "Needs", place)),
    network.columns.left_out > 0 && element("p", { class: "dim" }, `${counted(network.columns.left_out, "asset")} with the fewest references are not in this page: some users and needs are left out.`),
    rows.length > 0 && findingsTable(facts, rows, `Findings in ${network.name(node)}`, false),
    facts.history && node < network.count && historyTable(facts.history, node, network.name(node)),
  );
}

/**
 * @param {string} name
 * @param {false | "" | import("./dom.js").Child[]} values
 */
function fact(name, values) {
  if (!values || !values.some(Boolean)) return [];
  return [element("dt", {}, name), element("dd", {}, ...values)];
}

/**
 * @param {import("./facts.js").Imported | null} imported
 * @param {number} [at]
 */
function importedText(imported, at) {
  if (!imported || at === undefined) return false;
  const bytes = imported.bytes[at];
  return [`${imported.width[at]} × ${imported.height[at]} ${imported.format[at]}, `, bytes < 0 ? "bytes unknown, as it is crunched" : element("span", { title: counted(bytes, "byte") }, size(bytes)), " (estimated)"];
}

/**
 * @param {Facts} facts
 * @param {Network} network
 * @param {Known} known
 * @param {number} node
 */
function keptText(facts, network, known, node) {
  const { reasons, reason, used_by: usedBy } = facts.unused.kept;
  const by = known.unused.get(network.path(node));
  if (by !== undefined) return [element("strong", {}, "unused"), by ? `, packed by ${shown(by)}` : ": no root of a build reaches it"];
  if (reason[node] >= 0) return ["a root: ", shown(reasons[reason[node]])];
  if (usedBy[node] < 0) return false;
  // What keeps an asset was reached before it, step by step from the roots: this is a shortest way.
  const way = [usedBy[node]];
  while (usedBy[way[0]] >= 0 && way.length < network.count) way.unshift(usedBy[way[0]]);
  const root = reason[way[0]] >= 0 ? `${shown(reasons[reason[way[0]]])}: ` : "";
  return ["kept by ", root, ...way.flatMap((one) => [element("a", { href: address(network, one), title: shown(network.path(one)) }, shown(network.name(one))), " → "]), "this"];
}

/**
 * A link to the asset at a path, or of a meta, if the page has it.
 * @param {Network} network
 * @param {string} path
 */
export function link(network, path) {
  const node = pathNode(network, path) ?? pathNode(network, path.replace(/\.meta$/, ""));
  return node === undefined ? shown(path) : element("a", { href: address(network, node) }, shown(path));
}

/** @type {WeakMap<Network, Map<string, number>>} */
const BY_PATH = new WeakMap();

/**
 * @param {Network} network
 * @param {string} path
 */
function pathNode(network, path) {
  let found = BY_PATH.get(network);
  if (!found) {
    found = new Map();
    for (let node = network.total - 1; node >= 0; node--) found.set(network.path(node), node);
    BY_PATH.set(network, found);
  }
  return path ? found.get(path) : undefined;
}

/**
 * @param {Network} network
 * @param {Known} known
 * @param {string} path
 */
function sameAs(network, known, path) {
  const others = (known.same.get(path) ?? []).filter((other) => other !== path);
  const more = others.length > 5 && ` and ${counted(others.length - 5)} more`;
  return others.length > 0 && [...others.slice(0, 5).flatMap((other, at) => [at ? ", " : "", link(network, other)]), more];
}

/**
 * Where an asset is in the build, and what it weighs there.
 * @param {Build} build
 * @param {Known} known
 * @param {string} path
 * @param {string} guid
 */
function shippedTable(build, known, path, guid) {
  const found = build.shipped;
  const disk = known.disk.get(path);
  return sortedTable(`In ${build.names.join(", ")}${disk === undefined ? "" : `: ${size(disk)} on the disk`}`, [
    { title: "Part", value: (at) => found.part[at], kind: "path" },
    { title: "Objects", value: (at) => found.objects[at], number: true },
    { title: "Bytes", value: (at) => found.size[at], cell: (at) => element("span", { title: counted(found.size[at], "byte") }, size(found.size[at])), number: true },
    { title: "Because of", value: (at) => reasonText(found.why[at], found.root[at], found.way[at]), kind: "object" },
  ], known.shipped.get(guid) ?? [], { empty: "No object of the build is surely of this asset." });
}

/** @type {Record<string, string>} */
const REASONS = { container: "loaded by", Resources: "Resources:", scene: "scene", "player settings": "settings of", list: "listed in" };

/**
 * Say why an object is in a build: the root, and the names from there to it.
 * @param {string} why
 * @param {string} root
 * @param {string[]} way
 */
export function reasonText(why, root, way) {
  if (why === "none") return "nothing that loads it was read";
  return `${REASONS[why] ?? why} ${root}${way.length > 1 ? `: ${way.join(" → ")}` : ""}`;
}

/**
 * @param {Network} network
 * @param {number} node
 */
function sharers(network, node) {
  const found = network.sharers(node);
  return found.length > 0 && found.flatMap((other, at) => [at ? ", " : "", shown(network.path(other))]);
}

/**
 * @param {Network} network
 * @param {number} node
 * @param {"users" | "needs"} direction
 * @param {string} title
 * @param {(edge: number) => HTMLElement | null} place
 */
function way(network, node, direction, title, place) {
  const found = network[direction](node);
  const paths = () => found.map(([other]) => network.path(other) || network.guid(other)).sort().join("\n");
  return element(
    "section",
    { class: "way" },
    element("div", { class: "head" }, element("h2", {}, title), element("span", { class: "dim" }, counted(found.length, "asset")), element("span", { class: "space" }), found.length > 0 && copyButton("Copy list", paths, `${counted(found.length, "path")}`)),
    found.length ? referenceTree(network, node, direction, title, place) : element("p", { class: "dim" }, direction === "users" ? "No asset refers to it." : "It refers to no asset."),
  );
}

/**
 * @param {Facts} facts
 * @param {number[]} rows
 * @param {string} caption
 * @param {boolean} withPath
 * @param {Network} [network]
 */
export function findingsTable(facts, rows, caption, withPath, network) {
  const found = facts.findings;
  /** @type {import("./table.js").Column<number>[]} */
  const columns = [
    { title: "Severity", value: (at) => found.severity[at], cell: (at) => element("span", { class: `severity ${found.severity[at]}` }, `${signOf(found.severity[at])} ${found.severity[at]}`) },
    { title: "Code", value: (at) => found.code[at], kind: "code" },
    { title: "Path", value: (at) => found.path[at], cell: (at) => (network ? link(network, found.path[at]) : shown(found.path[at])), kind: "path" },
    { title: "Line", value: (at) => found.line[at], cell: (at) => (found.line[at] ? counted(found.line[at]) : ""), number: true },
    { title: "Object and property", value: (at) => [found.object_path[at], found.property_path[at]].filter(Boolean).join(": "), cell: (at) => [found.object_path[at], found.property_path[at]].filter(Boolean).map(shown).join(": "), kind: "object" },
    { title: "Message", value: (at) => found.message[at], cell: (at) => element("span", { title: found.advice[at] }, shown(found.message[at])), kind: "message" },
    { title: "What to do", value: (at) => found.advice[at], copied: true },
  ];
  return sortedTable(caption, columns.filter((column) => withPath || column.title !== "Path"), rows);
}
