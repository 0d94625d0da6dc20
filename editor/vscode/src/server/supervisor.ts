/** Which assetdb is used, and whether its server runs: one state, changed in one place, one step after the other. */
import os from "node:os";

import * as vscode from "vscode";

import type { Run } from "../process";
import { settings } from "../settings";
import { type Client, createClient } from "./client";
import { installedEnvironment } from "./environment";
import { chosenInterpreters } from "./python-extension";
import { type Search, type Surroundings, search } from "./search";

export type State =
  | { readonly kind: "idle" }
  | { readonly kind: "searching" }
  | { readonly kind: "starting"; readonly program: string; readonly version: string; readonly source: string }
  | { readonly kind: "running"; readonly program: string; readonly version: string; readonly source: string }
  | { readonly kind: "missing"; readonly reasons: readonly string[] }
  | { readonly kind: "setting-unusable"; readonly program: string; readonly reason: string }
  | { readonly kind: "failed"; readonly program: string; readonly reason: string };

export class Supervisor implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<State>();
  readonly onDidChange = this.changed.event;
  private current: State = { kind: "idle" };
  private client: Client | undefined;
  private queue: Promise<void> = Promise.resolve();
  private disposed = false;

  constructor(
    private readonly storage: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly run: Run,
  ) {}

  get state(): State {
    return this.current;
  }

  /** The program that was found, or undefined. */
  get program(): string | undefined {
    return "program" in this.current && this.current.kind !== "setting-unusable" ? this.current.program : undefined;
  }

  /** The client, where the server runs. */
  get running(): Client | undefined {
    return this.current.kind === "running" ? this.client : undefined;
  }

  /** Look for assetdb and start its server, unless one runs. */
  async start(): Promise<void> {
    await this.inOrder(async () => {
      if (this.client === undefined) await this.find();
    });
  }

  /** Stop the server, look anew, start it. */
  async restart(): Promise<void> {
    await this.inOrder(async () => {
      await this.end();
      await this.find();
    });
  }

  /** Look anew, and start another server only where another program is to be run or none runs. */
  async reconsider(): Promise<void> {
    await this.inOrder(async () => {
      const found = await this.look();
      const same = this.client !== undefined && found.kind === "found" && found.candidate.program === this.program;
      if (same) return;
      await this.end();
      await this.use(found);
    });
  }

  async stop(): Promise<void> {
    await this.inOrder(async () => {
      await this.end();
      this.set({ kind: "idle" });
    });
  }

  dispose(): void {
    this.disposed = true;
    this.changed.dispose();
  }

  private inOrder(step: () => Promise<void>): Promise<void> {
    const done = this.queue.then(async () => {
      if (!this.disposed) await step();
    });
    this.queue = done.catch(() => undefined); // the one who asked is told; the next ones go on
    return done;
  }

  private set(state: State): void {
    this.current = state;
    if (!this.disposed) this.changed.fire(state);
  }

  private async look(): Promise<Search> {
    const trusted = vscode.workspace.isTrusted;
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri).filter(({ scheme }) => scheme === "file");
    const around: Surroundings = {
      platform: process.platform,
      path: process.env["PATH"] ?? "",
      home: os.homedir(),
      trusted,
      folders: folders.map(({ fsPath }) => fsPath),
      configured: settings.path(),
      interpreters: trusted ? await chosenInterpreters(folders) : [],
      environment: await installedEnvironment(this.storage),
    };
    return search(around, this.run, this.storage);
  }

  private async find(): Promise<void> {
    this.set({ kind: "searching" });
    await this.use(await this.look());
  }

  private async use(found: Search): Promise<void> {
    if (found.kind === "setting-unusable") {
      const { program } = found.candidate;
      this.log.error(`assetdb.path: ${program} ${found.reason}`);
      this.set({ kind: "setting-unusable", program, reason: found.reason });
      return;
    }
    for (const { program, source, reason } of found.rejected) this.log.warn(`passed over ${program} (${source}): ${reason}`);
    if (found.kind === "missing") {
      this.log.warn("no assetdb was found");
      this.set({ kind: "missing", reasons: found.rejected.map(({ program, reason }) => `${program} ${reason}`) });
      return;
    }
    const { program, source } = found.candidate;
    const { version } = found;
    this.log.info(`assetdb ${version}: ${program} (found by ${source})`);
    this.set({ kind: "starting", program, version, source });
    const client = createClient(program, this.storage, this.log, {
      gaveUp: () => {
        if (this.client !== client) return;
        this.client = undefined;
        this.set({ kind: "failed", program, reason: "it ended again and again" });
      },
    });
    this.client = client;
    try {
      await client.start();
      this.set({ kind: "running", program, version, source });
    } catch (error) {
      this.client = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      this.log.error(`the server does not start: ${reason}`);
      await client.dispose().catch(() => undefined); // it never ran
      this.set({ kind: "failed", program, reason });
    }
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client === undefined) return;
    await client.dispose(10_000).catch((error: unknown) => {
      this.log.warn(`the server did not stop in order: ${String(error)}`);
    });
  }
}
