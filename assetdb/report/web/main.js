/** The page: which view is shown, by the address. */
import { element, shown } from "./dom.js";
import { Network, unpack } from "./facts.js";
import { addSearch } from "./search.js";
import { Known, assetView } from "./asset.js";
import { address } from "./tree.js";
import { buildChangeView, buildView, twiceView } from "./build.js";
import { changeView } from "./change.js";
import { sizesView } from "./sizes.js";
import { findingsView, overviewView, packagesView, unusedView } from "./lists.js";

const main = /** @type {HTMLElement} */ (document.getElementById("view"));

/** @param {string} text */
function refuse(text) {
  main.replaceChildren(element("p", { class: "note" }, text));
}

/** @param {string} word */
function decoded(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

async function start() {
  if (typeof DecompressionStream === "undefined") {
    refuse("This browser cannot unpack the facts (it has no DecompressionStream): use Chrome or Edge 80, Firefox 113, Safari 16.4, or a later one.");
    return;
  }
  const facts = await unpack(/** @type {HTMLElement} */ (document.getElementById("facts")).textContent ?? "");
  const network = new Network(facts.assets);
  const known = new Known(facts);
  /** @type {string[]} */
  let words = [];
  /** @type {[string, string, () => HTMLElement][]} */
  const views = [
    ["overview", "Overview", () => overviewView(facts, network)],
    ["sizes", "Sizes", () => sizesView(network, facts, words.slice(1), Math.min(main.clientWidth, 1392) - 2 * parseFloat(getComputedStyle(main).paddingLeft))],
    ["twice", "Twice", () => twiceView(facts, network)],
    ["findings", "Findings", () => findingsView(facts, network)],
    ["unused", "Unused", () => unusedView(facts, network)],
    ["packages", "Packages", () => packagesView(facts)],
  ];
  const change = facts.change;
  const build = facts.build;
  const older = build?.against;
  if (build) views.splice(1, 0, ["build", "Build", () => buildView(network, build)]);
  if (build && older) views.splice(1, 0, ["against", "Build changes", () => buildChangeView(network, build, older)]);
  if (change) views.splice(1, 0, ["change", "Changes", () => changeView(network, change)]);
  const links = views.map(([name, title]) => element("a", { href: `#${name}` }, title));
  document.getElementById("views")?.replaceChildren(...links);
  document.getElementById("project")?.replaceChildren(element("a", { href: "#overview" }, shown(facts.project)), element("span", { class: "dim" }, `assetdb ${facts.version}`));

  function show() {
    words = location.hash.slice(1).split("/").map(decoded);
    const wanted = words.join("/") || "overview";
    const view = views.find(([name]) => name === (words[0] || "overview"));
    const node = view ? undefined : network.numbers.get(wanted.toLowerCase().split(":")[0]) ?? network.numbers.get(wanted);
    links.forEach((link) => (link.getAttribute("href") === `#${view?.[0]}` ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")));
    if (view) main.replaceChildren(view[2]());
    else if (node !== undefined) main.replaceChildren(assetView(facts, network, known, node));
    else refuse(`Nothing in this page has the GUID or path ${shown(wanted)}.`);
    const title = view ? view[1] : node !== undefined ? network.name(node) : "not found";
    document.title = `${shown(title)} · ${shown(facts.project)}`;
    window.scrollTo(0, 0);
  }

  addSearch(network, (node) => (location.hash = address(network, node)));
  window.addEventListener("hashchange", () => {
    show();
    main.focus({ preventScroll: true });
  });
  show();
}

start().catch((error) => refuse(`The facts of this page cannot be read: ${error}`));
