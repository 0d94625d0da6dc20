/** Runs a program to its end: without a shell, with bounds on time and output, and cancellable with all that it started. */
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";

export interface RunOptions {
  /** Where it runs; never a folder that a workspace brings, as Python imports from there. */
  readonly cwd: string;
  readonly signal?: AbortSignal;
  /** In milliseconds. */
  readonly timeout?: number;
  /** In bytes, for each of both streams. */
  readonly maxOutput?: number;
  /** Told of each line of both streams as it comes. */
  readonly onLine?: (line: string) => void;
}

export type Ending = "exited" | "cancelled" | "timed-out" | "too-much-output";

export interface Outcome {
  readonly ending: Ending;
  /** The exit code; null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that could not be started. */
export class StartError extends Error {
  override readonly name = "StartError";
  constructor(
    readonly program: string,
    readonly reason: string,
  ) {
    super(`cannot run ${program}: ${reason}`);
  }
}

export type Run = (program: string, args: readonly string[], options: RunOptions) => Promise<Outcome>;

const DEFAULT_TIMEOUT = 60_000;
const DEFAULT_OUTPUT = 64 * 1024 * 1024;

function endTree(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === "win32") {
    const taskkill = path.join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "taskkill.exe");
    spawn(taskkill, ["/T", "/F", "/PID", String(child.pid)], { stdio: "ignore", windowsHide: true }).on("error", () => {
      child.kill();
    });
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL"); // the group: pip starts programs of its own
  } catch {
    child.kill("SIGKILL"); // the group is gone already
  }
}

function gather(limit: number, tooMuch: () => void): { add(chunk: Buffer): void; text(): string } {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (size > limit) tooMuch();
      else chunks.push(chunk);
    },
    text: () => Buffer.concat(chunks).toString("utf-8"),
  };
}

function splitLines(onLine: (line: string) => void): { add(chunk: Buffer): void; end(): void } {
  let rest = "";
  return {
    add(chunk) {
      const lines = (rest + chunk.toString("utf-8")).split(/\r?\n/);
      rest = lines.pop() ?? "";
      lines.forEach(onLine);
    },
    end() {
      if (rest !== "") onLine(rest);
    },
  };
}

/** Run a program; reject with a `StartError` where it cannot be started. Whatever it prints and returns is an outcome. */
export const run: Run = (program, args, options) =>
  new Promise((resolve, reject) => {
    const { signal } = options;
    if (signal?.aborted === true) {
      resolve({ ending: "cancelled", code: null, stdout: "", stderr: "" });
      return;
    }
    const child = spawn(program, args, {
      cwd: options.cwd,
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    let ending: Ending = "exited";
    const stop = (why: Ending): void => {
      if (ending === "exited") ending = why;
      endTree(child);
    };
    const limit = options.maxOutput ?? DEFAULT_OUTPUT;
    const streams = ([child.stdout, child.stderr] as const).map((stream) => {
      const text = gather(limit, () => {
        stop("too-much-output");
      });
      const lines = options.onLine === undefined ? undefined : splitLines(options.onLine);
      stream.on("data", (chunk: Buffer) => {
        text.add(chunk);
        lines?.add(chunk);
      });
      stream.on("end", () => lines?.end());
      return text;
    });
    const cancel = (): void => {
      stop("cancelled");
    };
    const timer = setTimeout(() => {
      stop("timed-out");
    }, options.timeout ?? DEFAULT_TIMEOUT);
    signal?.addEventListener("abort", cancel);
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      settle();
      reject(new StartError(program, error.code ?? error.message));
    });
    child.on("close", (code) => {
      settle();
      resolve({ ending, code, stdout: streams[0]?.text() ?? "", stderr: streams[1]?.text() ?? "" });
    });
  });
