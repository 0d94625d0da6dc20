/** What `assetdb resolve --json` says, as far as it is shown. Text in, facts out. */

export interface OpenValue {
  /** The file, relative to the project. */
  readonly path: string;
  /** Its number in the file, from 1 on. */
  readonly number: number;
  /** `Player / Body (Transform) m_LocalPosition`. */
  readonly name: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /** Whether it is rows of a list, of which both sides' can be taken. */
  readonly both: boolean;
  /** Whether another value can be typed. */
  readonly typed: boolean;
}

type Row = Readonly<Record<string, unknown>>;

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null;
}

function openValue(line: string): OpenValue | undefined {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRow(row) || !isRow(row["shown"])) return undefined;
  const { path, number, name, both, typed } = row;
  const { base, ours, theirs } = row["shown"];
  if (typeof path !== "string" || typeof number !== "number" || typeof name !== "string") return undefined;
  if (typeof base !== "string" || typeof ours !== "string" || typeof theirs !== "string") return undefined;
  return { path, number, name, base, ours, theirs, both: both === true, typed: typed === true };
}

/** Return the open values by file, in order; a line that is none is left out. */
export function openValues(text: string): Map<string, OpenValue[]> {
  const found = new Map<string, OpenValue[]>();
  for (const line of text.split("\n")) {
    const value = openValue(line);
    if (value === undefined) continue;
    const list = found.get(value.path);
    if (list === undefined) found.set(value.path, [value]);
    else list.push(value);
  }
  return found;
}
