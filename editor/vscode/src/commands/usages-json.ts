/** What `assetdb usages --json --objects` says, as far as it is shown. Text in, facts out. */

export interface Reference {
  /** The line, from 1 on. */
  readonly line: number;
  /** `Player / Body (MeshRenderer)`: which object refers. */
  readonly object: string;
  /** `m_Materials[0]`: by which property; behind it the overridden one. */
  readonly property: string;
}

export interface UsingFile {
  readonly path: string;
  readonly type: string;
  /** Empty where the file refers as a whole, as a model or an assembly definition does. */
  readonly references: readonly Reference[];
}

export interface Usages {
  readonly name: string;
  readonly path: string;
  readonly files: readonly UsingFile[];
  /** How many files could not be read, and may refer to it as well. */
  readonly unreadFiles: number;
}

type Row = Readonly<Record<string, unknown>>;

function rows(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter((row): row is Row => typeof row === "object" && row !== null) : [];
}

function text(row: Row, key: string): string {
  const value = row[key];
  return typeof value === "string" ? value : "";
}

function count(row: Row, key: string): number {
  const value = row[key];
  return typeof value === "number" ? value : 0;
}

function reference(row: Row): Reference {
  const [where, what] = [text(row, "hierarchy") || text(row, "object_name"), text(row, "class")];
  const override = text(row, "override");
  const object = where === "" ? what : what === "" ? where : `${where} (${what})`;
  const property = override === "" ? text(row, "property") : `${text(row, "property")} = ${override}`;
  return { line: Math.max(1, count(row, "line")), object, property };
}

/** Read one line of JSON; undefined for what is none. fileIDs have 64 bits, which JSON.parse rounds: they are not read. */
export function parseUsages(line: string): Usages | undefined {
  let found: unknown;
  try {
    found = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof found !== "object" || found === null) return undefined;
  const row = found as Row;
  const byPath = new Map<string, Reference[]>();
  for (const object of rows(row["objects"])) {
    const list = byPath.get(text(object, "path"));
    if (list === undefined) byPath.set(text(object, "path"), [reference(object)]);
    else list.push(reference(object));
  }
  const files = rows(row["usages"]).map((file) => ({
    path: text(file, "path"),
    type: text(file, "type"),
    references: byPath.get(text(file, "path")) ?? [],
  }));
  return { name: text(row, "name"), path: text(row, "path"), files, unreadFiles: count(row, "unread_files") };
}
