/** The daemons of the workspace's projects: whether they run, start, stop. */
import path from "node:path";

import * as vscode from "vscode";

import { type AssetDb, CommandError } from "./assetdb";
import { chooseProject, projects } from "./project/roots";

/** Where a daemon says that it is there; a change of it is when its state is asked for again. */
const STATUS_FILE = "**/asset-db.watch.json";
const PAUSE = 500;

export class Daemons implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChange = this.changed.event;
  private readonly states = new Map<string, boolean>();
  private readonly watcher: vscode.FileSystemWatcher;
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;

  constructor(
    private readonly assetdb: AssetDb,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.watcher = vscode.workspace.createFileSystemWatcher(STATUS_FILE);
    const soon = (): void => {
      this.refreshSoon();
    };
    this.watcher.onDidCreate(soon);
    this.watcher.onDidChange(soon);
    this.watcher.onDidDelete(soon);
  }

  /** The projects that were asked about, with whether their daemon runs. */
  get known(): ReadonlyMap<string, boolean> {
    return this.states;
  }

  /** Ask again in a moment: what happens at once is asked about once. */
  refreshSoon(): void {
    if (this.disposed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.refresh().catch((error: unknown) => {
        this.log.warn(`the daemon's state is not known: ${String(error)}`);
      });
    }, PAUSE);
  }

  /** Ask for the state of all. */
  async refresh(): Promise<void> {
    const found = new Map<string, boolean>();
    for (const project of await projects()) {
      const state = await this.assetdb.daemon(project);
      if (state !== undefined) found.set(project, state.running);
    }
    if (this.disposed) return;
    this.states.clear();
    for (const [project, running] of found) this.states.set(project, running);
    this.changed.fire(undefined);
  }

  /** Start the daemons of all projects, as the user settled it. */
  async startAll(): Promise<void> {
    for (const project of await projects()) {
      try {
        await this.assetdb.ask(project, "watch", ["--detach"]);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        this.log.error(`the daemon of ${project} does not start: ${error.message}`);
      }
    }
    await this.refresh();
  }

  /** Start or stop the daemon of the project that is meant. */
  async toggle(to: "start" | "stop", place: vscode.Uri | undefined): Promise<void> {
    const project = await chooseProject(place, `${to === "start" ? "Start" : "Stop"} the daemon`);
    if (project === undefined) throw new CommandError("there is no Unity project in this workspace");
    const found = await (to === "start" ? this.assetdb.ask(project, "watch", ["--detach"]) : this.assetdb.ask(project, "stop", []));
    if (found === undefined) return;
    const name = path.basename(project);
    const done = to === "start" ? `The daemon watches ${name}.` : `The daemon of ${name} has stopped.`;
    void vscode.window.showInformationMessage(found.code === 0 ? `assetdb: ${done}` : `assetdb: no daemon is running for ${name}.`);
    await this.refresh();
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.watcher.dispose();
    this.changed.dispose();
  }
}
