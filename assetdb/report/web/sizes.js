/** The view of sizes: a map and a table of the same groups. */
import { counted, element, shown, size } from "./dom.js";
import { sortedTable } from "./table.js";
import { address } from "./tree.js";
import { treemap } from "./treemap.js";

/** @typedef {import("./facts.js").Network} Network */
/** @typedef {import("./treemap.js").Group} Group */

/** @type {[string, string, RegExp][]} classes of types: name, title, types */
const KINDS = [
  ["scene", "Scenes and prefabs", /^(SceneAsset|Prefab)$/],
  ["image", "Textures and sprites", /^(Texture\w*|Sprite|SpriteAtlas|Cubemap\w*|RenderTexture|LightingDataAsset)$/],
  ["model", "Models and meshes", /^(GameObject|Mesh|Avatar|TerrainData)$/],
  ["sound", "Audio and video", /^(Audio\w+|VideoClip)$/],
  ["look", "Materials and shaders", /^(Material|Shader\w*|ComputeShader|PhysicMaterial)$/],
  ["motion", "Animations", /^(Anim\w+|BlendTree|AvatarMask|TimelineAsset)$/],
  ["code", "Code", /^(MonoScript|Assembly\w+|PluginImporter)$/],
  ["other", "Data and everything else", /^/],
];

/** @param {string} type */
function kindOf(type) {
  return /** @type {[string, string, RegExp]} */ (KINDS.find(([, , types]) => types.test(type)))[0];
}

/** Ways to group assets: the names above an asset, outermost first. */
/** @type {Record<string, {title: string, above: (network: Network, node: number) => string[]}>} */
const WAYS = {
  folder: { title: "By folder", above: (network, node) => network.folder(node).split("/") },
  type: { title: "By type", above: (network, node) => [network.type(node), ...network.folder(node).split("/")] },
};

/**
 * @param {string} way
 * @param {string[]} inside
 */
function place(way, inside) {
  return `#sizes/${[way, ...inside].map(encodeURIComponent).join("/")}`;
}

/**
 * Return the names of a group, and of those in it that have no other beside them.
 * @param {Network} network
 * @param {string} way
 * @param {string[]} inside
 * @param {number[]} nodes
 */
function reached(network, way, inside, nodes) {
  if (!nodes.length) return inside;
  let common = WAYS[way].above(network, nodes[0]);
  for (const node of nodes) {
    const above = WAYS[way].above(network, node);
    let same = inside.length;
    while (same < common.length && same < above.length && common[same] === above[same]) same++;
    common = common.slice(0, same);
    if (same <= inside.length) break;
  }
  return common;
}

/**
 * Return the groups in a group, largest first.
 * @param {Network} network
 * @param {string} way
 * @param {string[]} above
 * @param {number[]} nodes
 * @param {number} levels
 * @returns {Group[]}
 */
function groups(network, way, above, nodes, levels) {
  const inside = reached(network, way, above, nodes);
  /** @type {Map<string, number[]>} */
  const found = new Map();
  /** @type {Group[]} */
  const made = [];
  for (const node of nodes) {
    const name = WAYS[way].above(network, node)[inside.length];
    if (name === undefined) {
      made.push({ name: network.name(node), bytes: Math.max(0, network.bytes(node)), count: 1, kind: kindOf(network.type(node)), address: address(network, node), below: [] });
      continue;
    }
    const rows = found.get(name);
    if (rows) rows.push(node);
    else found.set(name, [node]);
  }
  for (const [name, rows] of found) {
    /** @type {Map<string, number>} */
    const kinds = new Map();
    let bytes = 0;
    for (const node of rows) {
      const one = Math.max(0, network.bytes(node));
      const kind = kindOf(network.type(node));
      bytes += one;
      kinds.set(kind, (kinds.get(kind) ?? 0) + one);
    }
    const kind = [...kinds].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
    const below = levels > 1 ? groups(network, way, [...inside, name], rows, levels - 1) : [];
    made.push({ name, bytes, count: rows.length, kind, address: place(way, [...inside, name]), below });
  }
  return made.sort((one, other) => other.bytes - one.bytes || (one.name < other.name ? -1 : 1));
}

/**
 * @param {Network} network
 * @param {string[]} words the way to group, and the names of the groups that are open
 * @param {number} width
 */
export function sizesView(network, words, width) {
  const way = WAYS[words[0]] ? words[0] : "folder";
  let inside = words.slice(1);
  let nodes = Array.from({ length: network.count }, (_, node) => node);
  const fits = (/** @type {number} */ node) => {
    const above = WAYS[way].above(network, node);
    return inside.every((name, at) => above[at] === name);
  };
  nodes = nodes.filter(fits);
  const rows = groups(network, way, inside, nodes, 2);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const unknown = nodes.filter((node) => network.bytes(node) < 0).length;
  /** @type {Map<string, number>} */
  const kinds = new Map();
  for (const node of nodes) kinds.set(kindOf(network.type(node)), (kinds.get(kindOf(network.type(node))) ?? 0) + Math.max(0, network.bytes(node)));
  const crumbs = [element("a", { href: place(way, []) }, "All")];
  inside.forEach((name, at) => crumbs.push(element("a", { href: place(way, inside.slice(0, at + 1)) }, shown(name))));
  return element(
    "article",
    { class: "sizes" },
    element("h1", {}, "Sizes of source files"),
    element("div", { class: "head" }, ...Object.entries(WAYS).map(([name, { title }]) => element("a", { href: place(name, []), class: "tab", "aria-current": name === way ? "true" : null }, title)), element("span", { class: "space" }), element("span", {}, `${size(bytes)} in ${counted(nodes.length, "asset")}`)),
    element("nav", { class: "crumbs", "aria-label": "Open group" }, ...crumbs.flatMap((crumb, at) => (at ? [" / ", crumb] : [crumb]))),
    element("p", { class: "dim" }, "Bytes of the files as they are in the project, metas excluded: a build imports and compresses them.", unknown > 0 && ` ${counted(unknown, "file")} of unknown size ${unknown === 1 ? "is" : "are"} not in the map.`),
    element("ul", { class: "legend" }, ...KINDS.filter(([kind]) => kinds.get(kind)).map(([kind, title]) => element("li", {}, element("span", { class: `swatch ${kind}` }), `${title} `, element("span", { class: "dim" }, size(kinds.get(kind) ?? 0))))),
    element("div", { class: "both" }, sortedTable(inside.length ? inside[inside.length - 1] : "All", [
      { title: "Name", value: (row) => row.name, cell: (row) => element("a", { href: row.address }, shown(row.name)), kind: "path" },
      { title: "Assets", value: (row) => row.count, number: true },
      { title: "Bytes", value: (row) => row.bytes, cell: (row) => element("span", { title: counted(row.bytes, "byte") }, size(row.bytes)), number: true },
      { title: "Share", value: (row) => (bytes ? row.bytes / bytes : 0), cell: (row) => (bytes ? `${((100 * row.bytes) / bytes).toFixed(1)} %` : ""), number: true },
    ], rows), bytes > 0 && treemap(rows, width, Math.round(Math.min(640, Math.max(320, width * 0.62))))),
  );
}
