/**
 * The module `vscode` for tests: what extension and client use of the API, and `editor`, by which a test plays the user.
 *
 * It does not keep workspace settings from an extension where the workspace is not trusted, as the editor does: that
 * the extension itself does not ask for them is what tests are to see.
 */
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

import { TextDocument } from "./documents";
import { Disposable, EventEmitter, Selection, type Uri as UriType, Uri } from "./values";

export * from "./values";
export const version = "1.90.0";

type Value = string | boolean | number | readonly string[] | undefined;
type Handler = (...args: never[]) => unknown;

interface Message {
  readonly kind: "info" | "warning" | "error";
  readonly text: string;
  readonly items: readonly string[];
}

interface Item {
  text: string;
  tooltip: { value: string } | undefined;
  backgroundColor: { id: string } | undefined;
  command: string | undefined;
  visible: boolean;
}

interface Manifest {
  readonly contributes: { readonly configuration: { readonly properties: Record<string, { default: Value }> } };
}

const manifest = JSON.parse(readFileSync(path.resolve("package.json"), "utf-8")) as Manifest;

class Events {
  readonly configuration = new EventEmitter<{ affectsConfiguration(name: string): boolean }>();
  readonly folders = new EventEmitter<{ added: unknown[]; removed: unknown[] }>();
  readonly trust = new EventEmitter<undefined>();
  readonly opened = new EventEmitter<TextDocument>();
  readonly changed = new EventEmitter<unknown>();
  readonly saved = new EventEmitter<TextDocument>();
  readonly closed = new EventEmitter<TextDocument>();
  readonly activeEditor = new EventEmitter<unknown>();
  readonly windowState = new EventEmitter<{ focused: boolean }>();
  readonly never = new EventEmitter<never>();
}

class Watcher extends Disposable {
  readonly created = new EventEmitter<UriType>();
  readonly changed = new EventEmitter<UriType>();
  readonly deleted = new EventEmitter<UriType>();
  readonly onDidCreate = this.created.event;
  readonly onDidChange = this.changed.event;
  readonly onDidDelete = this.deleted.event;
  constructor(readonly pattern: unknown) {
    super(() => undefined);
  }
}

/** What a test sees and does. */
class Editor {
  events = new Events();
  trusted = true;
  folders: string[] = [];
  userSettings = new Map<string, Value>();
  workspaceSettings = new Map<string, Value>();
  documents: TextDocument[] = [];
  messages: Message[] = [];
  /** What the user clicks; by default nothing. */
  click: (message: Message) => string | undefined = () => undefined;
  /** What the user picks of a list; by default nothing. */
  pick: (items: readonly { label: string }[], options?: { title?: string }) => { label: string } | undefined = () => undefined;
  /** What the user types; by default nothing. */
  type: (options: { value?: string }) => string | undefined = () => undefined;
  chosenFile: string | undefined;
  /** Whether the user cancels what takes a while; called with each report. */
  cancels: (message: string) => boolean = () => false;
  progress: string[] = [];
  clipboard = "";
  opened: string[] = [];
  commands = new Map<string, Handler>();
  executed: { command: string; args: unknown[] }[] = [];
  contexts = new Map<string, unknown>();
  statusItems: Item[] = [];
  statusMessages: string[] = [];
  log: string[] = [];
  logShown = 0;
  providers = new Map<string, { selector: unknown; provider: unknown }[]>();
  diagnostics = new Map<string, unknown[]>();
  watchers: Watcher[] = [];
  taskProviders = new Map<string, unknown>();
  trees = new Map<string, { message?: string; description?: string; treeDataProvider: unknown }>();
  panels: { type: string; title: string; options: unknown; webview: { html: string } }[] = [];
  extensions = new Map<string, unknown>();
  activeEditor: { document: TextDocument; selection: Selection } | undefined;
  contentProviders = new Map<string, { provideTextDocumentContent(uri: UriType): string }>();

  /** Begin anew: an editor in which nothing happened yet. */
  reset(): void {
    Object.assign(this, new Editor());
  }

  /** Open a file of the disk, as a language. */
  open(file: string, languageId: string): TextDocument {
    return this.openAs(file, languageId, "file", "");
  }

  /** The same, as a document of another scheme: `git` for a revision. */
  openAs(file: string, languageId: string, scheme: string, query: string): TextDocument {
    const document = new TextDocument(Uri.file(file).with({ scheme, query }), languageId, readFileSync(file, "utf-8"));
    this.documents.push(document);
    this.activeEditor = { document, selection: new Selection(0, 0, 0, 0) };
    this.events.opened.fire(document);
    return document;
  }

  /** Tell all watchers of files that one was created. */
  createWatched(file: string): void {
    for (const watcher of this.watchers) watcher.created.fire(Uri.file(file));
  }

  /** Put the cursor into a line of a document. */
  moveTo(document: TextDocument, line: number): void {
    this.activeEditor = { document, selection: new Selection(line, 0, line, 0) };
  }

  /** Change a setting of the user, and tell. */
  set(name: string, value: Value): void {
    this.userSettings.set(name, value);
    this.events.configuration.fire({ affectsConfiguration: (asked) => name === asked || name.startsWith(`${asked}.`) });
  }

  addFolder(folder: string): void {
    const added = folderOf(folder, this.folders.length);
    this.folders.push(folder);
    this.events.folders.fire({ added: [added], removed: [] });
  }

  /** The provider of a kind (`Hover`) whose selector takes a document. */
  provider(kind: string, document: TextDocument): unknown {
    const found = (this.providers.get(kind) ?? []).find(({ selector }) => languages.match(selector, document) > 0);
    if (found === undefined) throw new Error(`no ${kind} provider for ${document.fileName}`);
    return found.provider;
  }

  run(command: string, ...args: unknown[]): Promise<unknown> {
    return commands.executeCommand(command, ...args);
  }
}

export const editor = new Editor();
export type { Editor, Message, TextDocument };

function folderOf(folder: string, index: number): { uri: UriType; name: string; index: number } {
  return { uri: Uri.file(folder), name: path.basename(folder), index };
}

function show(kind: Message["kind"]) {
  return (text: string, ...rest: unknown[]): Promise<unknown> => {
    const items = rest.filter((item): item is string | { title: string } => typeof item === "string" || (typeof item === "object" && item !== null && "title" in item));
    const message = { kind, text, items: items.map((item) => (typeof item === "string" ? item : item.title)) };
    editor.messages.push(message);
    const choice = editor.click(message);
    return Promise.resolve(items.find((item) => (typeof item === "string" ? item : item.title) === choice));
  };
}

function outputChannel(name: string): Record<string, unknown> {
  const write = (...parts: unknown[]): void => {
    editor.log.push(parts.map(String).join(" "));
  };
  const shown = (): void => {
    editor.logShown += 1;
  };
  return { name, logLevel: 2, append: write, appendLine: write, replace: write, trace: write, debug: write, info: write, warn: write, error: write, clear: shown, show: shown, hide: shown, dispose: () => undefined };
}

export const window = {
  get activeTextEditor() {
    return editor.activeEditor;
  },
  get visibleTextEditors() {
    return editor.activeEditor === undefined ? [] : [editor.activeEditor];
  },
  get onDidChangeActiveTextEditor() {
    return editor.events.activeEditor.event;
  },
  get onDidChangeWindowState() {
    return editor.events.windowState.event;
  },
  tabGroups: { all: [], onDidChangeTabs: new EventEmitter<never>().event },
  createOutputChannel: outputChannel,
  showInformationMessage: show("info"),
  showWarningMessage: show("warning"),
  showErrorMessage: show("error"),
  showQuickPick: (items: { label: string }[], options?: { title?: string }) => Promise.resolve(editor.pick(items, options)),
  showInputBox: (options: { value?: string }) => Promise.resolve(editor.type(options)),
  showOpenDialog: () => Promise.resolve(editor.chosenFile === undefined ? undefined : [Uri.file(editor.chosenFile)]),
  showTextDocument(document: TextDocument) {
    editor.activeEditor = { document, selection: new Selection(0, 0, 0, 0) };
    return Promise.resolve(editor.activeEditor);
  },
  setStatusBarMessage(text: string) {
    editor.statusMessages.push(text);
    return new Disposable(() => undefined);
  },
  createStatusBarItem() {
    const item = { text: "", tooltip: undefined, backgroundColor: undefined, command: undefined, visible: false } as Item;
    editor.statusItems.push(item);
    return Object.assign(item, {
      show: () => (item.visible = true),
      hide: () => (item.visible = false),
      dispose: () => (item.visible = false),
    });
  },
  createTreeView(id: string, options: { treeDataProvider: unknown }) {
    const view = { ...options, dispose: () => editor.trees.delete(id) };
    editor.trees.set(id, view);
    return view;
  },
  createWebviewPanel(type: string, title: string, _column: unknown, options: unknown) {
    const panel = { type, title, options, webview: { html: "" } };
    editor.panels.push(panel);
    return panel;
  },
  async withProgress(_options: unknown, task: (progress: { report(step: { message?: string }): void }, token: unknown) => Promise<unknown>) {
    const emitter = new EventEmitter<undefined>();
    const token = { isCancellationRequested: false, onCancellationRequested: emitter.event };
    const report = ({ message = "" }: { message?: string }): void => {
      editor.progress.push(message);
      if (!editor.cancels(message)) return;
      token.isCancellationRequested = true;
      setTimeout(() => {
        emitter.fire(undefined);
      }, 50);
    };
    return task({ report }, token);
  },
};

function configuration(section: string | undefined): Record<string, unknown> {
  const full = (name: string): string => (section === undefined ? name : `${section}.${name}`);
  const fallback = (name: string): Value => manifest.contributes.configuration.properties[name]?.default;
  return {
    get: (name: string, otherwise?: Value) =>
      editor.workspaceSettings.get(full(name)) ?? editor.userSettings.get(full(name)) ?? fallback(full(name)) ?? otherwise,
    inspect: (name: string) => ({
      key: full(name),
      defaultValue: fallback(full(name)),
      globalValue: editor.userSettings.get(full(name)),
      workspaceValue: editor.workspaceSettings.get(full(name)),
    }),
    update(name: string, value: Value, target: unknown) {
      if (target !== 1) throw new Error("only settings of the user are written");
      editor.set(full(name), value);
      return Promise.resolve();
    },
  };
}

/** Files below a folder that lie in ProjectSettings, not in the folders that are left out. */
function versionFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const place = path.join(folder, name);
    if (["Library", "Temp", ".git", "node_modules"].includes(name) || !statSync(place).isDirectory()) return [];
    const file = path.join(place, "ProjectVersion.txt");
    return name === "ProjectSettings" && existsSync(file) ? [file] : versionFiles(place);
  });
}

export const workspace = {
  get isTrusted() {
    return editor.trusted;
  },
  get workspaceFolders() {
    return editor.folders.length === 0 ? undefined : editor.folders.map(folderOf);
  },
  get textDocuments() {
    return editor.documents;
  },
  notebookDocuments: [],
  get onDidChangeConfiguration() {
    return editor.events.configuration.event;
  },
  get onDidChangeWorkspaceFolders() {
    return editor.events.folders.event;
  },
  get onDidGrantWorkspaceTrust() {
    return editor.events.trust.event;
  },
  get onDidOpenTextDocument() {
    return editor.events.opened.event;
  },
  get onDidChangeTextDocument() {
    return editor.events.changed.event;
  },
  get onDidSaveTextDocument() {
    return editor.events.saved.event;
  },
  get onDidCloseTextDocument() {
    return editor.events.closed.event;
  },
  ...Object.fromEntries(
    ["onWillSaveTextDocument", "onDidCreateFiles", "onDidRenameFiles", "onDidDeleteFiles", "onWillCreateFiles", "onWillRenameFiles", "onWillDeleteFiles"].map(
      (name) => [name, new EventEmitter<never>().event],
    ),
  ),
  ...Object.fromEntries(["Open", "Change", "Save", "Close"].map((name) => [`onDid${name}NotebookDocument`, new EventEmitter<never>().event])),
  fs: { stat: () => Promise.reject(new Error("not of the stub")) },
  getConfiguration: configuration,
  getWorkspaceFolder: (uri: UriType) => workspace.workspaceFolders?.find((folder) => uri.path.startsWith(`${folder.uri.path}/`)),
  findFiles: () => Promise.resolve(editor.folders.flatMap(versionFiles).map((file) => Uri.file(file))),
  createFileSystemWatcher(pattern: unknown) {
    const watcher = new Watcher(pattern);
    editor.watchers.push(watcher);
    return watcher;
  },
  registerTextDocumentContentProvider(scheme: string, provider: { provideTextDocumentContent(uri: UriType): string }) {
    editor.contentProviders.set(scheme, provider);
    return new Disposable(() => editor.contentProviders.delete(scheme));
  },
  openTextDocument(uri: UriType) {
    const text = editor.contentProviders.get(uri.scheme)?.provideTextDocumentContent(uri) ?? "";
    return Promise.resolve(new TextDocument(uri, "plaintext", text));
  },
  applyEdit: () => Promise.resolve(true),
};

function toExpression(glob: string): RegExp {
  const words = glob.split(/(\*\*\/|\*|\{[^}]*\})/).map((part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "*") return "[^/]*";
    if (part.startsWith("{")) return `(?:${part.slice(1, -1).split(",").join("|")})`;
    return part.replace(/[.+^$()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${words.join("")}$`);
}

interface Filter {
  readonly scheme?: string;
  readonly language?: string;
  readonly pattern?: string;
}

function takes(filter: Filter, document: TextDocument): boolean {
  if (filter.scheme !== undefined && filter.scheme !== document.uri.scheme) return false;
  if (filter.language !== undefined && filter.language !== document.languageId) return false;
  return filter.pattern === undefined || toExpression(filter.pattern).test(document.uri.path);
}

function registration(kind: string) {
  return (...args: unknown[]): Disposable => {
    const [selector, provider] = args.length > 1 ? args : [[{}], args[0]];
    const entry = { selector, provider };
    editor.providers.set(kind, [...(editor.providers.get(kind) ?? []), entry]);
    return new Disposable(() => {
      editor.providers.set(kind, (editor.providers.get(kind) ?? []).filter((other) => other !== entry));
    });
  };
}

const KINDS = "CallHierarchy CodeActions CodeLens Color CompletionItem Declaration Definition DocumentFormattingEdit DocumentHighlight DocumentLink DocumentRangeFormattingEdit DocumentRangeSemanticTokens DocumentSemanticTokens DocumentSymbol FoldingRange Hover Implementation InlayHints InlineCompletionItem InlineValues LinkedEditingRange OnTypeFormattingEdit Reference Rename SelectionRange SignatureHelp TypeDefinition TypeHierarchy WorkspaceSymbol";

export const languages = {
  match(selector: unknown, document: TextDocument): number {
    const filters = (Array.isArray(selector) ? selector : [selector]) as Filter[];
    return filters.some((filter) => takes(filter, document)) ? 10 : 0;
  },
  createDiagnosticCollection() {
    const own = new Set<string>();
    return {
      set(uri: UriType, found: unknown[]) {
        own.add(uri.toString());
        editor.diagnostics.set(uri.toString(), found);
      },
      delete: (uri: UriType) => editor.diagnostics.delete(uri.toString()),
      clear: () => {
        editor.diagnostics.clear();
      },
      dispose: () => {
        for (const uri of own) editor.diagnostics.delete(uri);
      },
    };
  },
  ...Object.fromEntries(KINDS.split(" ").map((kind) => [`register${kind}Provider`, registration(kind)])),
};

export const commands = {
  registerCommand(name: string, handler: Handler) {
    if (editor.commands.has(name)) throw new Error(`command '${name}' already exists`);
    editor.commands.set(name, handler);
    return new Disposable(() => editor.commands.delete(name));
  },
  executeCommand(name: string, ...args: unknown[]): Promise<unknown> {
    editor.executed.push({ command: name, args });
    if (name === "setContext") editor.contexts.set(args[0] as string, args[1]);
    const handler = editor.commands.get(name);
    return Promise.resolve(handler === undefined ? undefined : handler(...(args as never[])));
  },
};

export const tasks = {
  registerTaskProvider(type: string, provider: unknown) {
    editor.taskProviders.set(type, provider);
    return new Disposable(() => editor.taskProviders.delete(type));
  },
};

export const TaskScope = { Global: 1, Workspace: 2 };
export const TaskGroup = { Test: { id: "test" } };

export class CustomExecution {
  constructor(readonly callback: (definition: unknown) => Promise<unknown>) {}
}

export class Task {
  group: unknown;
  detail = "";
  constructor(
    readonly definition: unknown,
    readonly scope: unknown,
    readonly name: string,
    readonly source: string,
    readonly execution: unknown,
    readonly problemMatchers: unknown,
  ) {}
}

export const env = {
  appName: "stub",
  language: "en",
  clipboard: {
    writeText(text: string) {
      editor.clipboard = text;
      return Promise.resolve();
    },
  },
  openExternal(uri: UriType) {
    editor.opened.push(uri.toString());
    return Promise.resolve(true);
  },
};

export const extensions = { getExtension: (id: string) => editor.extensions.get(id) };

