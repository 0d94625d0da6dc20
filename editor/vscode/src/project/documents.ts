/** What the documents of a Unity YAML file say of its objects. Text in, facts out. */

export interface ObjectHead {
  readonly classId: string;
  readonly fileId: string;
  readonly stripped: boolean;
  /** The line of its head, from 0 on. */
  readonly line: number;
}

const HEAD = /^--- !u!(\d+) &(-?\d+)( stripped)?/;

/** Return the object in whose document a line stands; `lineAt` gives the text of a line. */
export function objectAt(line: number, lineAt: (line: number) => string): ObjectHead | undefined {
  for (let above = line; above >= 0; above--) {
    const found = HEAD.exec(lineAt(above));
    if (found !== null) {
      return { classId: found[1] ?? "", fileId: found[2] ?? "", stripped: found[3] !== undefined, line: above };
    }
  }
  return undefined;
}

/**
 * Return the GameObject at the root of a prefab: that of the Transform (or RectTransform) without a father.
 *
 * Undefined where there are several or none, as in a variant, whose root is the instance's and not in the file.
 */
export function rootGameObject(text: string): string | undefined {
  const roots = [];
  for (const document of text.split(/^(?=--- !u!)/m)) {
    const head = HEAD.exec(document);
    if (head === null || (head[1] !== "4" && head[1] !== "224") || head[3] !== undefined) continue;
    const father = /^ {2}m_Father: \{fileID: (-?\d+)/m.exec(document)?.[1];
    const gameObject = /^ {2}m_GameObject: \{fileID: (-?\d+)/m.exec(document)?.[1];
    if (father === "0" && gameObject !== undefined) roots.push(gameObject);
  }
  return roots.length === 1 ? roots[0] : undefined;
}
