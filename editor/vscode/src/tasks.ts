/** The task `assetdb: check`: findings of a project, a line each, which the problem matcher `$assetdb` reads. */
import path from "node:path";

import * as vscode from "vscode";

import { type AssetDb, CommandError } from "./assetdb";
import { projects } from "./project/roots";

export const TYPE = "assetdb";
const MATCHER = "$assetdb";
const COMMAND = "check";

interface Definition extends vscode.TaskDefinition {
  /** The project's folder; relative ones begin at the folder of the workspace. */
  readonly project?: string;
  /** More words for `assetdb check`: `--since`, `main`. */
  readonly args?: readonly string[];
}

function text(row: object, key: string): string {
  const value: unknown = (row as Record<string, unknown>)[key];
  return typeof value === "string" ? value : "";
}

/** Return a finding of `assetdb check --format json` as the matcher reads it; undefined for what is none. */
export function lineOf(project: string, json: string): string | undefined {
  let row: unknown;
  try {
    row = JSON.parse(json);
  } catch {
    return undefined; // a note between the findings
  }
  if (typeof row !== "object" || row === null || text(row, "path") === "") return undefined;
  const line = "line" in row && typeof row.line === "number" ? Math.max(1, row.line) : 1;
  const given = text(row, "severity");
  const severity = given === "note" ? "info" : (["error", "warning"].find((known) => known === given) ?? "warning");
  const said = [text(row, "message"), text(row, "advice")].filter((part) => part !== "").join("; ").replaceAll(/[\r\n]+/g, " ");
  return `${path.join(project, text(row, "path"))}:${String(line)}: ${severity}: ${said} [${text(row, "code")}]`;
}

/** Runs the check and writes what it finds; closing it ends the check. */
class Terminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  private readonly ended = new vscode.EventEmitter<number>();
  private readonly source = new vscode.CancellationTokenSource();
  readonly onDidWrite = this.written.event;
  readonly onDidClose = this.ended.event;

  constructor(
    private readonly assetdb: AssetDb,
    private readonly project: string,
    private readonly words: readonly string[],
  ) {}

  open(): void {
    void this.check().then((code) => {
      this.ended.fire(code);
    });
  }

  close(): void {
    this.source.cancel();
  }

  private async check(): Promise<number> {
    this.say(`assetdb check: ${this.project}`);
    try {
      const found = await this.assetdb.ask(this.project, COMMAND, ["--format", "json", ...this.words], this.source.token);
      if (found === undefined) {
        this.say("there is no assetdb: see the status bar");
        return 2;
      }
      const lines = found.stdout.split("\n").map((line) => lineOf(this.project, line)).filter((line) => line !== undefined);
      for (const line of lines) this.say(line);
      this.say(lines.length === 1 ? "1 finding" : `${String(lines.length)} findings`);
      return found.code;
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof vscode.CancellationError)) throw error;
      this.say(error instanceof CommandError ? error.message : "cancelled");
      return 2;
    }
  }

  private say(line: string): void {
    this.written.fire(`${line}\r\n`);
  }
}

export class Tasks implements vscode.TaskProvider, vscode.Disposable {
  private readonly registration: vscode.Disposable;

  constructor(private readonly assetdb: AssetDb) {
    this.registration = vscode.tasks.registerTaskProvider(TYPE, this);
  }

  async provideTasks(): Promise<vscode.Task[]> {
    return (await projects()).map((project) => this.task({ type: TYPE, project }, vscode.TaskScope.Workspace, project));
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const definition = task.definition as Definition;
    const scope = task.scope ?? vscode.TaskScope.Workspace;
    const folder = typeof scope === "object" ? scope.uri.fsPath : vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    if (folder === undefined) return undefined;
    return this.task(definition, scope, path.resolve(folder, definition.project ?? "."));
  }

  dispose(): void {
    this.registration.dispose();
  }

  private task(definition: Definition, scope: vscode.WorkspaceFolder | vscode.TaskScope, project: string): vscode.Task {
    const words = (definition.args ?? []).filter((word) => typeof word === "string");
    const execution = new vscode.CustomExecution(() => Promise.resolve(new Terminal(this.assetdb, project, words)));
    const task = new vscode.Task(definition, scope, `${COMMAND} ${path.basename(project)}`, TYPE, execution, MATCHER);
    task.group = vscode.TaskGroup.Test;
    task.detail = `assetdb check --project ${project}`;
    return task;
  }
}
