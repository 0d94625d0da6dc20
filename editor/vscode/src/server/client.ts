/** The client of `assetdb lsp`: one for all folders of the window. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";

import * as vscode from "vscode";
import { CloseAction, ErrorAction, type ErrorHandler, LanguageClient, type LanguageClientOptions, RevealOutputChannelOn, State, type StreamInfo } from "vscode-languageclient/node";

import { settings } from "../settings";

/** Extensions that the server knows besides the language's: JSON, and whatever another extension has made its own. */
const PATTERN = "**/*.{prefab,unity,asset,mat,anim,controller,meta,asmdef,shadergraph}";

/** Of which documents the server is told. C# is there for its lenses only; other servers do the rest. */
export const SELECTOR: LanguageClientOptions["documentSelector"] & object = [
  { scheme: "file", language: "unity-yaml" },
  { scheme: "untitled", language: "unity-yaml" },
  { scheme: "file", pattern: PATTERN },
  { scheme: "file", language: "csharp" },
  // The left side of a diff: names, and no findings.
  { scheme: "git", language: "unity-yaml" },
  { scheme: "git", pattern: PATTERN },
];

const MOST_RESTARTS = 4;
const WITHIN = 3 * 60_000;
const GRACE = 2000;

/** Restarts a server that ends by itself, but not for ever: the user is told, once, by whoever owns the client. */
class Restarts implements ErrorHandler {
  private readonly ended: number[] = [];
  constructor(
    /** Return when no start is under way, and whether there ever was one that came to its end. */
    private readonly started: () => Promise<boolean>,
    private readonly giveUp: () => void,
  ) {}

  error(): { action: ErrorAction; handled: boolean } {
    return { action: ErrorAction.Continue, handled: true };
  }

  async closed(): Promise<{ action: CloseAction; handled: boolean }> {
    const now = Date.now();
    this.ended.push(now);
    // The library forgets a start that is under way when the connection closes; nobody would hear how it failed.
    if (!(await this.started())) return { action: CloseAction.DoNotRestart, handled: true };
    if (this.ended.filter((time) => now - time < WITHIN).length <= MOST_RESTARTS) {
      return { action: CloseAction.Restart, handled: true };
    }
    this.giveUp();
    return { action: CloseAction.DoNotRestart, handled: true };
  }
}

/** The library's client, less its notices: what the user is told is said in one place, with what to do about it. */
export class Client extends LanguageClient {
  private begun = false;
  private starting: Promise<unknown> = Promise.resolve();
  private lastWords = "";
  private child: ChildProcess | undefined;

  constructor(program: string, cwd: string, options: LanguageClientOptions, gaveUp: () => void) {
    const errorHandler = new Restarts(async () => {
      await this.starting;
      return this.begun;
    }, gaveUp);
    super("assetdb", "assetdb", () => this.spawn(program, cwd), { ...options, errorHandler });
  }

  /** Start the server; rejects with its last words where it ends instead. */
  override async start(): Promise<void> {
    const started = super.start();
    this.starting = started.catch(() => undefined); // whoever waits only wants to know that it is over
    try {
      await started;
      this.begun = true;
    } catch (error) {
      if (this.lastWords === "") throw error;
      throw new Error(this.lastWords, { cause: error });
    }
  }

  /** The library stops a client whose server ended while it started, awaits that nowhere, and has it rejected. */
  override async stop(timeout?: number): Promise<void> {
    try {
      await super.stop(timeout);
    } catch (error) {
      if (this.state === State.Running) throw error;
    } finally {
      await this.end();
    }
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  /** Start the program. The library is given streams that never fail: it throws where nobody catches when one does. */
  private async spawn(program: string, cwd: string): Promise<StreamInfo> {
    const child = spawn(program, ["lsp"], { cwd, stdio: "pipe", windowsHide: true });
    this.child = child;
    child.stderr.on("data", (chunk: Buffer) => {
      const text = chunk.toString("utf-8");
      this.outputChannel.append(text);
      const line = text.trim().split("\n").at(-1)?.trim() ?? "";
      if (line !== "") this.lastWords = line.replace(/^assetdb: (?:error: )?/, "").slice(0, 300);
    });
    child.stdin.on("error", () => undefined); // the program has ended, which the end of its output tells
    await once(child, "spawn");
    const input = new PassThrough();
    input.pipe(child.stdin);
    return { writer: input, reader: child.stdout };
  }

  private async end(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    const timer = setTimeout(() => child.kill("SIGKILL"), GRACE);
    await gone.finally(() => {
      clearTimeout(timer);
    });
  }
}

export interface ClientHooks {
  /** The server ended so often that it is not started again. */
  readonly gaveUp: () => void;
}

/** The server's command behind a lens; its arguments are the document, a GUID and perhaps a member, its answer the places. */
export const USAGES = "assetdb.usages";
/** Ours in its place, which shows them: with where the lens is, and the server's arguments. */
export const SHOW_USAGES = "assetdb.showUsages";

function showingUsages(lens: vscode.CodeLens): vscode.CodeLens {
  if (lens.command?.command === USAGES) {
    const { title, tooltip = "", arguments: words = [] } = lens.command as vscode.Command & { arguments?: unknown[] };
    lens.command = { title, tooltip, command: SHOW_USAGES, arguments: [lens.range.start, ...words] };
  }
  return lens;
}

/**
 * Return a client that is not started yet.
 *
 * @param cwd where the server runs: no folder of the workspace, as nothing there is to be found by accident.
 */
export function createClient(program: string, cwd: string, log: vscode.OutputChannel, hooks: ClientHooks): Client {
  const options: LanguageClientOptions = {
    documentSelector: SELECTOR,
    outputChannel: log,
    traceOutputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false, // start() rejects with the reason, which is said where it is awaited
    progressOnInitialization: true,
    diagnosticCollectionName: "assetdb",
    diagnosticPullOptions: { onChange: false, onSave: true },
    middleware: {
      provideInlayHints: (document, range, token, next) =>
        settings.showsInlayHints(document.uri) ? next(document, range, token) : [],
      provideCodeLenses: async (document, token, next) =>
        settings.showsCodeLens(document.uri) ? (await next(document, token))?.map(showingUsages) : [],
      resolveCodeLens: async (lens, token, next) => {
        const resolved = await next(lens, token);
        return resolved ? showingUsages(resolved) : resolved;
      },
      handleDiagnostics: (place, diagnostics, next) => {
        next(place, settings.showsDiagnostics(place) ? diagnostics : []);
      },
      provideDiagnostics: (document, previous, token, next) =>
        settings.showsDiagnostics(document instanceof vscode.Uri ? document : document.uri)
          ? next(document, previous, token)
          : undefined,
      provideWorkspaceDiagnostics: (known, token, report, next) =>
        settings.showsProjectDiagnostics() ? next(known, token, report) : { items: [] },
    },
  };
  return new Client(program, cwd, options, hooks.gaveUp);
}
