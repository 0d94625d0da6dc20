/** The view of sizes: a map and a table of the same groups. */
import { counted, element, shown, size } from "./dom.js";
import { sortedTable } from "./table.js";
import { address } from "./tree.js";
import { treemap } from "./treemap.js";

/** @typedef {import("./facts.js").Network} Network */
/** @typedef {import("./facts.js").Build} Build */
/** @typedef {import("./facts.js").Facts} Facts */
/** @typedef {import("./facts.js").Imported} Imported */
/** @typedef {import("./treemap.js").Group} Group */

/**
 * @typedef {object} Item
 * @property {string[]} above the names of the groups that it is in, outermost first
 * @property {string} name
 * @property {number} bytes -1 where they are not known
 * @property {number} count assets or objects
 * @property {string} kind
 * @property {string} address where it leads, or ""
 */

/**
 * @typedef {object} Way
 * @property {string} title
 * @property {string} heading
 * @property {string} what says what its bytes are
 * @property {string} noun of what is counted
 * @property {() => Item[]} items
 */

/** @type {[string, string, RegExp][]} classes of types: name, title, types */
const KINDS = [
  ["scene", "Scenes and prefabs", /^(SceneAsset|Prefab)$/],
  ["image", "Textures and sprites", /^(Texture\w*|Sprite|SpriteAtlas|Cubemap\w*|RenderTexture|LightingDataAsset)$/],
  ["model", "Models and meshes", /^(GameObject|Mesh|Avatar|TerrainData)$/],
  ["sound", "Audio and video", /^(Audio\w+|VideoClip)$/],
  ["look", "Materials and shaders", /^(Material|Shader\w*|ComputeShader|PhysicMaterial)$/],
  ["motion", "Animations", /^(Anim\w+|BlendTree|AvatarMask|TimelineAsset)$/],
  ["code", "Code", /^(MonoScript|Assembly\w+|PluginImporter|\(code\))$/],
  ["other", "Data and everything else", /^/],
];
const CODE = "(code)";
const NO_GROUP = "(no group)";

/** @param {string} type */
function kindOf(type) {
  return /** @type {[string, string, RegExp]} */ (KINDS.find(([, , types]) => types.test(type)))[0];
}

/**
 * The kind of a class in a build, where a GameObject is a part of a scene or prefab.
 * @param {string} name
 */
function classKind(name) {
  return name === "GameObject" ? "scene" : kindOf(name);
}

/**
 * @param {Network} network
 * @param {(node: number) => string[]} above
 * @returns {Item[]}
 */
function sourceItems(network, above) {
  return Array.from({ length: network.count }, (_, node) => ({ above: above(node), name: network.name(node), bytes: network.bytes(node), count: 1, kind: kindOf(network.type(node)), address: address(network, node) }));
}

/**
 * What each asset weighs in the build, and in boxes of their own what no asset explains.
 * @param {Network} network
 * @param {Build} build
 * @returns {Item[]}
 */
function shippedItems(network, build) {
  const { assets, bundles } = build;
  /** @type {Map<string, number>} */
  const nodes = new Map();
  for (let node = network.count - 1; node >= 0; node--) nodes.set(network.path(node), node);
  /** @type {Item[]} */
  const found = [];
  assets.name.forEach((name, at) => {
    const node = nodes.get(name);
    const own = { bytes: assets.disk[at], count: assets.objects[at] };
    if (name === CODE) return; // each of its files is a box
    if (node === undefined) found.push({ above: name.startsWith("Assets/") ? name.split("/").slice(0, -1) : [], name: name.startsWith("Assets/") ? name.split("/").slice(-1)[0] : name, ...own, kind: "other", address: "" });
    else found.push({ above: network.folder(node).split("/"), name: network.name(node), ...own, kind: kindOf(network.type(node)), address: address(network, node) });
  });
  bundles.kind.forEach((kind, at) => {
    if (`(${kind})` === CODE) found.push({ above: [CODE], name: bundles.name[at], bytes: bundles.disk[at], count: bundles.objects[at], kind: "code", address: "" });
  });
  return found;
}

/**
 * The innermost rows of a tree, with the names above each.
 * @param {import("./facts.js").SizeRows & {depth: number[]}} tree
 * @returns {Item[]}
 */
function leaves(tree) {
  /** @type {Item[]} */
  const found = [];
  /** @type {string[]} */
  const above = [];
  tree.name.forEach((name, at) => {
    above.length = tree.depth[at];
    if (tree.depth[at + 1] > tree.depth[at]) above.push(name);
    else found.push({ above: [...above], name, bytes: tree.disk[at], count: tree.objects[at], kind: name === CODE || above[0] === CODE ? "code" : classKind(name), address: "" });
  });
  return found;
}

/**
 * Textures as a platform imports them; those without an estimate (a Git LFS pointer is no picture) are of unknown size.
 * @param {Network} network
 * @param {Imported} imported
 * @param {(node: number, at: number) => string[]} above `at` is -1 without an estimate
 * @returns {Item[]}
 */
function importedItems(network, imported, above) {
  /** @type {Map<number, number>} */
  const known = new Map(imported.assets.map((node, at) => [node, at]));
  /** @type {Item[]} */
  const found = [];
  for (let node = 0; node < network.count; node++) {
    const at = known.get(node) ?? -1;
    if (at < 0 && network.type(node) !== "Texture2D") continue;
    found.push({ above: above(node, at), name: network.name(node), bytes: at < 0 ? -1 : imported.bytes[at], count: 1, kind: "image", address: address(network, node) });
  }
  return found;
}

/**
 * The ways to group bytes, by name.
 * @param {Network} network
 * @param {Facts} facts
 * @returns {Record<string, Way>}
 */
function waysOf(network, { build, imported }) {
  const folders = (/** @type {number} */ node) => network.folder(node).split("/");
  const source = { noun: "asset", heading: "Sizes of source files", what: "Bytes of the files as they are in the project, metas excluded: a build imports and compresses them." };
  /** @type {Record<string, Way>} */
  const found = {
    folder: { title: "Source, by folder", ...source, items: () => sourceItems(network, folders) },
    type: { title: "Source, by type", ...source, items: () => sourceItems(network, (node) => [network.type(node), ...folders(node)]) },
  };
  if (imported) {
    const textures = { noun: "texture", heading: `Textures imported for ${imported.platform}`, what: `Bytes of each texture as its import settings make it for ${imported.platform}, all levels, estimated without Unity and before a build compresses them; only textures have an estimate.` };
    found.imported = { title: "Imported textures, by folder", ...textures, items: () => importedItems(network, imported, folders) };
    found.format = { title: "Imported textures, by format", ...textures, items: () => importedItems(network, imported, (node, at) => [at < 0 ? "(no estimate)" : imported.format[at], ...folders(node)]) };
  }
  if (!build) return found;
  const { bundles } = build;
  const built = { noun: "object", heading: "Sizes in the build", what: `Bytes on the disk of ${build.names.map(shown).join(", ")}: of an object, its share of the compressed blocks that have it.` };
  found.shipped = { title: "Build, by asset", ...built, items: () => shippedItems(network, build) };
  found.file = { title: "Build, by bundle or file", ...built, items: () => leaves(build.files) };
  found.group = { title: "Build, by group", ...built, items: () => bundles.name.map((name, at) => ({ above: [bundles.group[at] || (bundles.kind[at] ? NO_GROUP : name)], name, bytes: bundles.disk[at], count: bundles.objects[at], kind: bundles.kind[at] === "code" ? "code" : "other", address: "" })) };
  found.assembly = { title: "Build, by script assembly", ...built, items: () => leaves(build.scripts) };
  return found;
}

/** @type {WeakMap<Network, Map<string, Item[]>>} */
const MADE = new WeakMap();

/**
 * @param {Network} network
 * @param {string} name
 * @param {Way} way
 */
function itemsOf(network, name, way) {
  const made = MADE.get(network) ?? new Map();
  MADE.set(network, made);
  if (!made.has(name)) made.set(name, way.items());
  return /** @type {Item[]} */ (made.get(name));
}

/**
 * @param {string} way
 * @param {string[]} inside
 */
function place(way, inside) {
  return `#sizes/${[way, ...inside].map(encodeURIComponent).join("/")}`;
}

/**
 * Return the names of a group, and of those in it that have no other beside them.
 * @param {string[]} inside
 * @param {Item[]} items
 */
function reached(inside, items) {
  if (!items.length) return inside;
  let common = items[0].above;
  for (const { above } of items) {
    let same = inside.length;
    while (same < common.length && same < above.length && common[same] === above[same]) same++;
    common = common.slice(0, same);
    if (same <= inside.length) break;
  }
  return common;
}

/**
 * Return the groups in a group, largest first.
 * @param {string} way
 * @param {string[]} outer
 * @param {Item[]} items
 * @param {number} levels
 * @returns {Group[]}
 */
function groups(way, outer, items, levels) {
  const inside = reached(outer, items);
  /** @type {Map<string, Item[]>} */
  const found = new Map();
  /** @type {Group[]} */
  const made = [];
  for (const item of items) {
    const name = item.above[inside.length];
    if (name === undefined) {
      made.push({ name: item.name, bytes: Math.max(0, item.bytes), count: item.count, kind: item.kind, address: item.address, below: [] });
      continue;
    }
    const rows = found.get(name);
    if (rows) rows.push(item);
    else found.set(name, [item]);
  }
  for (const [name, rows] of found) {
    /** @type {Map<string, number>} */
    const kinds = new Map();
    let bytes = 0;
    let count = 0;
    for (const item of rows) {
      const one = Math.max(0, item.bytes);
      bytes += one;
      count += item.count;
      kinds.set(item.kind, (kinds.get(item.kind) ?? 0) + one);
    }
    const kind = [...kinds].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
    const below = levels > 1 ? groups(way, [...inside, name], rows, levels - 1) : [];
    made.push({ name, bytes, count, kind, address: place(way, [...inside, name]), below });
  }
  return made.sort((one, other) => other.bytes - one.bytes || (one.name < other.name ? -1 : 1));
}

/**
 * @param {Network} network
 * @param {Facts} facts
 * @param {string[]} words the way to group, and the names of the groups that are open
 * @param {number} width
 */
export function sizesView(network, facts, words, width) {
  const ways = waysOf(network, facts);
  const name = Object.hasOwn(ways, words[0]) ? words[0] : "folder";
  const way = ways[name];
  const inside = words.slice(1);
  const items = itemsOf(network, name, way).filter(({ above }) => inside.every((one, at) => above[at] === one));
  const rows = groups(name, inside, items, 2);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const unknown = items.filter((item) => item.bytes < 0).length;
  /** @type {Map<string, number>} */
  const kinds = new Map();
  for (const item of items) kinds.set(item.kind, (kinds.get(item.kind) ?? 0) + Math.max(0, item.bytes));
  const crumbs = [element("a", { href: place(name, []) }, "All")];
  inside.forEach((one, at) => crumbs.push(element("a", { href: place(name, inside.slice(0, at + 1)) }, shown(one))));
  return element(
    "article",
    { class: "sizes" },
    element("h1", {}, way.heading),
    element("div", { class: "head" }, ...Object.entries(ways).map(([one, { title }]) => element("a", { href: place(one, []), class: "tab", "aria-current": one === name ? "true" : null }, title)), element("span", { class: "space" }), element("span", {}, `${size(bytes)} in ${counted(count, way.noun)}`)),
    element("nav", { class: "crumbs", "aria-label": "Open group" }, ...crumbs.flatMap((crumb, at) => (at ? [" / ", crumb] : [crumb]))),
    element("p", { class: "dim" }, way.what, unknown > 0 && ` ${counted(unknown, way.noun)} of unknown size ${unknown === 1 ? "is" : "are"} not in the map.`),
    element("ul", { class: "legend" }, ...KINDS.filter(([kind]) => kinds.get(kind)).map(([kind, title]) => element("li", {}, element("span", { class: `swatch ${kind}` }), `${title} `, element("span", { class: "dim" }, size(kinds.get(kind) ?? 0))))),
    element("div", { class: "both" }, sortedTable(inside.length ? inside[inside.length - 1] : "All", [
      { title: "Name", value: (row) => row.name, cell: (row) => (row.address ? element("a", { href: row.address }, shown(row.name)) : shown(row.name)), kind: "path" },
      { title: `${way.noun[0].toUpperCase()}${way.noun.slice(1)}s`, value: (row) => row.count, number: true },
      { title: "Bytes", value: (row) => row.bytes, cell: (row) => element("span", { title: counted(row.bytes, "byte") }, size(row.bytes)), number: true },
      { title: "Share", value: (row) => (bytes ? row.bytes / bytes : 0), cell: (row) => (bytes ? `${((100 * row.bytes) / bytes).toFixed(1)} %` : ""), number: true },
    ], rows), bytes > 0 && treemap(rows, width, Math.round(Math.min(640, Math.max(320, width * 0.62))), way.noun)),
  );
}
