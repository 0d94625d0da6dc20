/** Tables that sort, filter, and copy as TSV. */
import { copy, counted, element, shown } from "./dom.js";

/**
 * @template R
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: R) => string | number} value what is sorted and copied
 * @property {(row: R) => import("./dom.js").Child} [cell] what is shown, the value otherwise
 * @property {boolean} [number]
 * @property {string} [kind] a class
 * @property {boolean} [copied] it is not shown, only copied
 */

/**
 * The numbers of the rows of a table in columns.
 * @param {number} length
 */
export function range(length) {
  return Array.from({ length }, (_, at) => at);
}

const STEP = 200;
const FILTERED = 12;

/** @param {string | number} value */
function field(value) {
  return String(value).replace(/[\t\r\n\u2028\u2029]/g, " ");
}

/**
 * Make a table.
 * @template R
 * @param {string} caption
 * @param {Column<R>[]} columns
 * @param {R[]} rows
 * @param {{empty?: string, list?: (row: R) => string}} [more] `list`: a button copies these, one a line
 */
export function sortedTable(caption, columns, rows, more = {}) {
  let chosen = rows;
  let limit = STEP;
  let by = -1;
  let down = false;
  const visible = columns.filter((column) => !column.copied);
  const body = element("tbody");
  const foot = element("p", { class: "more" });
  const heads = visible.map((column, number) =>
    element("th", { scope: "col", class: column.number ? "number" : "", "aria-sort": "none" }, element("button", { type: "button", onclick: () => sort(number) }, column.title)),
  );
  const count = element("span", { class: "dim" });

  /** @param {number} number */
  function sort(number) {
    down = by === number ? !down : Boolean(visible[number].number);
    by = number;
    heads.forEach((head, at) => head.setAttribute("aria-sort", at === by ? (down ? "descending" : "ascending") : "none"));
    update();
  }

  function update() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    chosen = words.length ? rows.filter((row) => {
      const text = columns.map((column) => column.value(row)).join("\t").toLowerCase();
      return words.every((word) => text.includes(word));
    }) : rows.slice();
    if (by >= 0) {
      const { value } = visible[by];
      const sign = down ? -1 : 1;
      const keyed = chosen.map((row) => /** @type {[string | number, R]} */ ([value(row), row]));
      keyed.sort(([one], [other]) => sign * (one < other ? -1 : one > other ? 1 : 0));
      chosen = keyed.map(([, row]) => row);
    }
    show();
  }

  function show() {
    body.replaceChildren(
      ...chosen.slice(0, limit).map((row) =>
        element("tr", {}, ...visible.map((column) => element("td", { class: [column.number ? "number" : "", column.kind ?? ""].join(" ").trim() || null }, column.cell ? column.cell(row) : show1(column.value(row))))),
      ),
    );
    count.textContent = chosen.length === rows.length ? counted(rows.length, "row") : `${counted(chosen.length)} of ${counted(rows.length, "row")}`;
    foot.replaceChildren();
    if (chosen.length > limit) {
      foot.append(
        `the first ${counted(limit)} are shown `,
        element("button", { type: "button", onclick: () => ((limit += 5 * STEP), show()) }, `show ${counted(Math.min(5 * STEP, chosen.length - limit))} more`),
      );
    }
  }

  /** @param {string | number} value */
  function show1(value) {
    return typeof value === "number" ? counted(value) : shown(value);
  }

  const filter = element("input", { type: "search", name: "filter", class: "filter", placeholder: "Filter rows", "aria-label": `Filter ${caption}`, oninput: () => ((limit = STEP), update()) });
  const tsv = () => [columns.map((column) => column.title), ...chosen.map((row) => columns.map((column) => field(column.value(row))))].map((row) => row.join("\t")).join("\n");
  const section = element(
    "section",
    { class: "table" },
    element(
      "div",
      { class: "head" },
      element("h2", {}, shown(caption)),
      count,
      element("span", { class: "space" }),
      rows.length > FILTERED && filter,
      more.list && rows.length > 0 && element("button", { type: "button", onclick: () => void copy(chosen.map(/** @type {(row: R) => string} */ (more.list)).join("\n"), `${counted(chosen.length)} paths`) }, "Copy list"),
      rows.length > 0 && element("button", { type: "button", onclick: () => void copy(tsv(), `${counted(chosen.length, "row")} of ${caption}`) }, "Copy TSV"),
    ),
    rows.length ? element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": caption }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body)) : element("p", { class: "dim" }, more.empty ?? "none"),
    foot,
  );
  if (rows.length) update();
  else count.textContent = "";
  return section;
}
