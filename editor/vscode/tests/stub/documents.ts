/** Documents of the stub. */
import { Position, type Range, type Uri } from "./values";

export class TextDocument {
  version = 1;
  isClosed = false;
  isDirty = false;
  readonly isUntitled: boolean;

  constructor(
    readonly uri: Uri,
    readonly languageId: string,
    private text: string,
  ) {
    this.isUntitled = uri.scheme === "untitled";
  }

  get fileName(): string {
    return this.uri.fsPath;
  }

  get lineCount(): number {
    return this.text.split("\n").length;
  }

  getText(range?: Range): string {
    return range === undefined ? this.text : this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  lineAt(place: number | Position): { text: string } {
    const line = typeof place === "number" ? place : place.line;
    return { text: (this.text.split("\n")[line] ?? "").replace(/\r$/, "") };
  }

  offsetAt(position: Position): number {
    const lines = this.text.split("\n").slice(0, position.line);
    return lines.reduce((sum, line) => sum + line.length + 1, 0) + position.character;
  }

  positionAt(offset: number): Position {
    const before = this.text.slice(0, offset).split("\n");
    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
  }

  /** Where a text stands, `into` characters in. */
  find(text: string, into = 0): Position {
    const offset = this.text.indexOf(text);
    if (offset < 0) throw new Error(`${this.uri.toString()} has no ${text}`);
    return this.positionAt(offset + into);
  }

  replace(text: string): void {
    this.text = text;
    this.version += 1;
  }
}
