/** The last changes of an asset in git's history. */
import { counted, element } from "./dom.js";
import { sortedTable } from "./table.js";

/** @typedef {import("./facts.js").History} History */

/** @typedef {{commit: number, change: string, from: string}} Change a number of a commit, -1 if it is not committed */

/** @type {WeakMap<History, Uint32Array>} where the changes of each asset begin */
const STARTS = new WeakMap();

/**
 * Return the changes of an asset that the page has, newest first.
 * @param {History} history
 * @param {number} node
 * @returns {Change[]}
 */
export function changesOf(history, node) {
  let starts = STARTS.get(history);
  if (!starts) {
    starts = new Uint32Array(history.counts.length + 1);
    for (let at = 0; at < history.counts.length; at++) starts[at + 1] = starts[at] + Math.min(history.counts[at], history.most);
    STARTS.set(history, starts);
  }
  /** @type {Change[]} */
  const found = [];
  let commit = -1;
  for (let at = starts[node]; at < starts[node + 1]; at++) {
    commit += history.commit[at];
    const moved = history.moved.indexOf(at);
    found.push({ commit, change: history.words[Number(history.change[at])], from: moved < 0 ? "" : history.old_paths[moved] });
  }
  return found;
}

/**
 * @param {History} history
 * @param {number} node
 * @param {string} name
 */
export function historyTable(history, node, name) {
  if (!history.is_read) return element("p", { class: "dim" }, "Git's history could not be read when this page was written.");
  const { commits, most } = history;
  const count = history.counts[node];
  /** @param {"short" | "day" | "author" | "subject"} field @returns {(row: Change) => string} */
  const of = (field) => (row) => (row.commit < 0 ? (field === "subject" ? "not committed" : "") : commits[field][row.commit]);
  const left = count - Math.min(count, most);
  const older = left > 0 ? `${counted(left, "older change")} of it ${left === 1 ? "is" : "are"} not in this page. ` : "";
  const cut = history.cut ? "Older commits were not read." : "";
  return element(
    "section",
    {},
    sortedTable(`History of ${name}`, [
      { title: "Commit", value: of("short"), kind: "code" },
      { title: "Day", value: of("day") },
      { title: "Author", value: of("author") },
      { title: "Change", value: (row) => row.change },
      { title: "Before", value: (row) => row.from, kind: "path" },
      { title: "Subject", value: of("subject"), kind: "message" },
    ], changesOf(history, node), { empty: "No commit that was read changed it." }),
    (older || cut) && element("p", { class: "dim" }, older, cut),
  );
}
