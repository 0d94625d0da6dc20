/** The value types of the module `vscode`, as far as extension and client make use of them. */
import path from "node:path";

type Parts = Partial<Record<"scheme" | "authority" | "path" | "query" | "fragment", string>>;

function encode(text: string): string {
  return encodeURIComponent(text).replace(/%2F/g, "/");
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;

  constructor(parts: Parts) {
    this.scheme = parts.scheme ?? "file";
    this.authority = parts.authority ?? "";
    this.path = parts.path ?? "";
    this.query = parts.query ?? "";
    this.fragment = parts.fragment ?? "";
  }

  static file(place: string): Uri {
    return new Uri({ scheme: "file", path: place });
  }

  static from(parts: Parts): Uri {
    return new Uri(parts);
  }

  static parse(text: string): Uri {
    const found = /^([\w+.-]+):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(text);
    if (found === null) throw new Error(`no URI: ${text}`);
    const [scheme, authority, place, query, fragment] = found.slice(1).map((part) => decodeURIComponent(part || ""));
    return new Uri({ scheme, authority, path: place, query, fragment } as Parts);
  }

  static joinPath(base: Uri, ...parts: string[]): Uri {
    return base.with({ path: path.posix.join(base.path, ...parts) });
  }

  get fsPath(): string {
    return this.path;
  }

  with(parts: Parts): Uri {
    const { scheme, authority, path: place, query, fragment } = this;
    return new Uri({ scheme, authority, path: place, query, fragment, ...parts });
  }

  toString(): string {
    const query = this.query === "" ? "" : `?${encodeURIComponent(this.query)}`;
    const fragment = this.fragment === "" ? "" : `#${encodeURIComponent(this.fragment)}`;
    const authority = this.authority !== "" || this.scheme === "file" ? `//${this.authority}` : "";
    return `${this.scheme}:${authority}${encode(this.path)}${query}${fragment}`;
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
  isBefore(other: Position): boolean {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(start: Position | number, end: Position | number, endLine?: number, endCharacter?: number) {
    this.start = typeof start === "number" ? new Position(start, end as number) : start;
    this.end = typeof end === "number" ? new Position(endLine ?? 0, endCharacter ?? 0) : end;
  }
  get isEmpty(): boolean {
    return this.start.line === this.end.line && this.start.character === this.end.character;
  }
}

export class Selection extends Range {
  get active(): Position {
    return this.end;
  }
}

export class Location {
  constructor(
    readonly uri: Uri,
    readonly range: Range,
  ) {}
}

export class MarkdownString {
  value: string;
  isTrusted = false;
  supportHtml = false;
  constructor(value = "") {
    this.value = value;
  }
  appendText(text: string): this {
    this.value += text;
    return this;
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
  appendCodeblock(text: string, language: string): this {
    this.value += `\`\`\`${language}\n${text}\n\`\`\``;
    return this;
  }
}

export class Disposable {
  constructor(private readonly undo: () => void) {}
  static from(...items: { dispose(): void }[]): Disposable {
    return new Disposable(() => {
      for (const item of items) item.dispose();
    });
  }
  dispose(): void {
    this.undo();
  }
}

export class EventEmitter<T> {
  private listeners: ((value: T) => unknown)[] = [];
  readonly event = (listener: (value: T) => unknown, self?: unknown, disposables?: Disposable[]): Disposable => {
    const bound = listener.bind(self);
    this.listeners.push(bound);
    const registration = new Disposable(() => {
      this.listeners = this.listeners.filter((other) => other !== bound);
    });
    disposables?.push(registration);
    return registration;
  };
  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
  dispose(): void {
    this.listeners = [];
  }
}

export class CancellationTokenSource {
  private readonly emitter = new EventEmitter<undefined>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.emitter.fire(undefined);
  }
  dispose(): void {
    this.emitter.dispose();
  }
}

export class CancellationError extends Error {
  override readonly name = "Canceled";
}

export class CodeActionKind {
  constructor(readonly value: string) {}
  static readonly Empty = new CodeActionKind("");
  static readonly QuickFix = new CodeActionKind("quickfix");
  static readonly Refactor = new CodeActionKind("refactor");
  static readonly RefactorExtract = new CodeActionKind("refactor.extract");
  static readonly RefactorInline = new CodeActionKind("refactor.inline");
  static readonly RefactorRewrite = new CodeActionKind("refactor.rewrite");
  static readonly Source = new CodeActionKind("source");
  static readonly SourceOrganizeImports = new CodeActionKind("source.organizeImports");
  append(part: string): CodeActionKind {
    return new CodeActionKind(this.value === "" ? part : `${this.value}.${part}`);
  }
}

/** A class that keeps what its constructor is given under these names. */
function record(...names: string[]): new (...values: unknown[]) => Record<string, unknown> {
  return class {
    [name: string]: unknown;
    constructor(...values: unknown[]) {
      names.forEach((name, place) => (this[name] = values[place]));
    }
  };
}

export const Diagnostic = record("range", "message", "severity");
export const DiagnosticRelatedInformation = record("location", "message");
export const CompletionItem = record("label", "kind");
export const CompletionList = record("items", "isIncomplete");
export const CodeLens = record("range", "command");
export const CodeAction = record("title", "kind");
export const DocumentLink = record("range", "target");
export const DocumentSymbol = class extends record("name", "detail", "kind", "range", "selectionRange") {
  children: unknown[] = [];
};
export const SymbolInformation = record("name", "kind", "containerName", "location");
export const CallHierarchyItem = record("kind", "name", "detail", "uri", "range", "selectionRange");
export const TypeHierarchyItem = record("kind", "name", "detail", "uri", "range", "selectionRange");
export const FoldingRange = record("start", "end", "kind");
export const InlayHint = record("position", "label", "kind");
export const InlayHintLabelPart = record("value");
export const TextEdit = record("range", "newText");
export const SnippetString = record("value");
export const DocumentHighlight = record("range", "kind");
export const SelectionRange = record("range", "parent");
export const RelativePattern = record("base", "pattern");
export const ThemeColor = record("id");
export const ThemeIcon = record("id");
export const TabInputText = record("uri");
export const TabInputTextDiff = record("original", "modified");
export const TabInputCustom = record("uri", "viewType");
export const WorkspaceEdit = record();

export class Hover {
  readonly contents: unknown[];
  constructor(
    contents: unknown,
    readonly range?: Range,
  ) {
    this.contents = Array.isArray(contents) ? contents : [contents];
  }
}

export class TreeItem {
  [name: string]: unknown;
  constructor(
    readonly label: unknown,
    readonly collapsibleState = 0,
  ) {}
}

/** An enumeration as TypeScript makes one: names to numbers from 0 on. */
function numbered(names: string, first = 0): Record<string, number> {
  return Object.fromEntries(names.split(" ").map((name, place) => [name, place + first]));
}

export const DiagnosticSeverity = numbered("Error Warning Information Hint");
export const DiagnosticTag = numbered("Unnecessary Deprecated", 1);
export const CompletionItemKind = numbered("Text Method Function Constructor Field Variable Class Interface Module Property Unit Value Enum Keyword Snippet Color File Reference Folder EnumMember Constant Struct Event Operator TypeParameter");
export const CompletionItemTag = numbered("Deprecated", 1);
export const CompletionTriggerKind = numbered("Invoke TriggerCharacter TriggerForIncompleteCompletions");
export const CodeActionTriggerKind = numbered("Invoke Automatic", 1);
export const SignatureHelpTriggerKind = numbered("Invoke TriggerCharacter ContentChange", 1);
export const DocumentHighlightKind = numbered("Text Read Write");
export const SymbolKind = numbered("File Module Namespace Package Class Method Property Field Constructor Enum Interface Function Variable Constant String Number Boolean Array Object Key Null EnumMember Struct Event Operator TypeParameter");
export const SymbolTag = numbered("Deprecated", 1);
export const FoldingRangeKind = numbered("Comment Imports Region", 1);
export const InlayHintKind = numbered("Type Parameter", 1);
export const FileType = numbered("Unknown File Directory");
export const TextDocumentSaveReason = numbered("Manual AfterDelay FocusOut", 1);
export const NotebookCellKind = numbered("Markup Code", 1);
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const StatusBarAlignment = numbered("Left Right", 1);
export const TreeItemCollapsibleState = numbered("None Collapsed Expanded");
export const ViewColumn = { Active: -1, Beside: -2, One: 1 };
export const ConfigurationTarget = numbered("Global Workspace WorkspaceFolder", 1);
