/** Asks `assetdb` on the command line, and the daemon through it. */
import * as vscode from "vscode";

import { type Outcome, type Run, StartError } from "./process";

/** A question that got no answer; the message is for the user. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

export interface Answer {
  /** 0 found or clean, 1 not found or findings. */
  readonly code: 0 | 1;
  readonly stdout: string;
  readonly stderr: string;
}

function lastLine(text: string): string {
  const line = text.trim().split("\n").at(-1)?.trim() ?? "";
  return line.replace(/^assetdb: (?:error: )?/, "").slice(0, 500);
}

function answer(command: string, outcome: Outcome): Answer {
  if (outcome.ending === "cancelled") throw new vscode.CancellationError();
  if (outcome.ending === "timed-out") throw new CommandError(`assetdb ${command} took too long and was ended`);
  if (outcome.ending === "too-much-output") throw new CommandError(`assetdb ${command} said more than can be shown; run it in a terminal`);
  if (outcome.code === 0 || outcome.code === 1) return { code: outcome.code, stdout: outcome.stdout, stderr: outcome.stderr };
  const said = lastLine(outcome.stderr);
  throw new CommandError(said === "" ? `assetdb ${command} ended with ${outcome.code ?? "a signal"}` : said);
}

/** Where a daemon is, of one project. */
export interface Daemon {
  readonly project: string;
  readonly running: boolean;
}

/** Where the program comes from. */
export interface Provider {
  /** The program, where one was found. */
  readonly program: string | undefined;
  /** Look for it where that was not done yet, and tell the user where there is none. */
  obtain(): Promise<string | undefined>;
}

export class AssetDb {
  constructor(
    private readonly run: Run,
    private readonly cwd: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly provider: Provider,
  ) {}

  /**
   * Ask a question; undefined where there is no assetdb.
   *
   * @throws CommandError with what the user is told; vscode.CancellationError.
   */
  async ask(project: string, command: string, words: readonly string[], token?: vscode.CancellationToken): Promise<Answer | undefined> {
    const program = await this.provider.obtain();
    if (program === undefined) return undefined;
    const control = new AbortController();
    const listener = token?.onCancellationRequested(() => {
      control.abort();
    });
    const args = [command, "--project", project, ...words];
    this.log.debug(`> ${[program, ...args].join(" ")}`);
    try {
      const outcome = await this.run(program, args, { cwd: this.cwd, signal: control.signal, timeout: 10 * 60_000 });
      if (outcome.stderr.trim() !== "") this.log.info(outcome.stderr.trim());
      return answer(command, outcome);
    } catch (error) {
      if (error instanceof StartError) throw new CommandError(error.message);
      throw error;
    } finally {
      listener?.dispose();
    }
  }

  /** Ask, with a notice that can be cancelled while it takes. */
  async askVisibly(title: string, project: string, command: string, words: readonly string[]): Promise<Answer | undefined> {
    return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_progress, token) =>
      this.ask(project, command, words, token),
    );
  }

  /** Whether a project's daemon runs; undefined where assetdb is not there. */
  async daemon(project: string): Promise<Daemon | undefined> {
    if (this.provider.program === undefined) return undefined; // nobody asked, so nobody is told
    const found = await this.ask(project, "status", ["--json"]);
    if (found === undefined) return undefined;
    const status: unknown = JSON.parse(found.stdout);
    const running = typeof status === "object" && status !== null && "running" in status && status.running === true;
    return { project, running };
  }
}
