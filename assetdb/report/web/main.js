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
  const packed = /** @type {HTMLElement} */ (document.getElementById("facts"));
  const facts = await unpack(packed.textContent ?? "");
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

  let place = location.hash.slice(1) || packed.dataset.start || "";

  function show() {
    words = place.split("/").map(decoded);
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

  function arrive() {
    show();
    main.focus({ preventScroll: true });
  }

  /**
   * Go to a place of the page. A panel of an editor follows no link within a page, and its address may not change.
   * @param {string} address
   */
  function go(address) {
    place = address.slice(1);
    try {
      history.pushState(null, "", address);
    } catch {
      // the place is known all the same
    }
    arrive();
  }

  addSearch(network, (node) => go(address(network, node)));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.getAttribute("href") ?? "#");
  });
  window.addEventListener("hashchange", () => {
    place = location.hash.slice(1);
    arrive();
  });
  show();
}

start().catch((error) => refuse(`The facts of this page cannot be read: ${error}`));
