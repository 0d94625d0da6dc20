/** The environment of Python that the extension makes for itself: `python -m venv`, then `pip install` of a wheel, or by name. */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

import { type Outcome, type Run, StartError } from "../process";
import { type Platform, inEnvironment } from "./programs";
import type { Python } from "./pythons";
import { probe } from "./search";
import { REQUIREMENT } from "./version";

/** Says which of the folders is the environment; written last, so that a try that was cut off changes nothing. */
const POINTER = "environment.json";
const PREFIX = "environment-";
const LIMIT = 15 * 60_000;

/** An installation that came to nothing; `advice` is what to do. */
export class InstallError extends Error {
  override readonly name = "InstallError";
  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

export class CancelledError extends Error {
  override readonly name = "CancelledError";
}

export interface Installation {
  readonly python: Python;
  /** A requirement, or the absolute path of a wheel. */
  readonly what: string;
  /** A folder that is the extension's own. */
  readonly storage: string;
  readonly platform: Platform;
  readonly run: Run;
  readonly signal: AbortSignal;
  /** Told what is being done. */
  readonly step: (text: string) => void;
  /** Told of each line that a program prints. */
  readonly line: (text: string) => void;
}

/** Return the environment that was made before, or undefined. */
export async function installedEnvironment(storage: string): Promise<string | undefined> {
  let pointer: unknown;
  try {
    pointer = JSON.parse(await readFile(path.join(storage, POINTER), "utf-8"));
  } catch {
    return undefined; // none was made, or the file is damaged, which another installation mends
  }
  const folder = typeof pointer === "object" && pointer !== null && "folder" in pointer ? pointer.folder : undefined;
  if (typeof folder !== "string" || path.basename(folder) !== folder || !folder.startsWith(PREFIX)) return undefined;
  return path.join(storage, folder);
}

/** What pip and venv print when something known is the matter, and what to do about it. */
const KNOWN: readonly (readonly [RegExp, string, string])[] = [
  [
    /ensurepip is not available|No module named (?:venv|ensurepip)/,
    "this Python cannot make environments",
    "Install its venv module (on Debian and Ubuntu: apt install python3-venv), or name another Python in the setting assetdb.python.",
  ],
  [
    /NewConnectionError|ConnectTimeoutError|Temporary failure in name resolution|getaddrinfo failed|Network is unreachable|Connection refused|Name or service not known|ReadTimeoutError|ProxyError/,
    "the package index cannot be reached",
    "Look whether this machine is online, and whether pip needs a proxy or another index here (pip config list); then try again.",
  ],
  [
    /SSLError|CERTIFICATE_VERIFY_FAILED/,
    "the package index shows a certificate that this Python does not know",
    "Behind a proxy that has a certificate of its own, name it to pip (pip config set global.cert FILE); then try again.",
  ],
  [
    /No matching distribution found|Could not find a version that satisfies/,
    `the package index has no ${REQUIREMENT} for this Python`,
    "Look with which index pip works here (pip config list), or install assetdb yourself and name it in the setting assetdb.path.",
  ],
  [/No space left on device|ENOSPC|There is not enough space/, "the disk is full", "Make room on the disk, then try again."],
];

function explain(what: string, outcome: Outcome): InstallError {
  const text = outcome.stderr + outcome.stdout;
  for (const [pattern, reason, advice] of KNOWN) {
    if (pattern.test(text)) return new InstallError(`${what}: ${reason}`, advice);
  }
  if (outcome.ending === "timed-out") return new InstallError(`${what}: it took too long`, "Try again; the log says how far it came.");
  const last = text.trim().split("\n").at(-1)?.trim().slice(0, 300) ?? "";
  return new InstallError(`${what}${last === "" ? "" : `: ${last}`}`, "The log has all that was said.");
}

async function perform(what: string, program: string, args: readonly string[], job: Installation): Promise<void> {
  const { storage: cwd, signal } = job;
  job.line(`> ${[program, ...args].join(" ")}`);
  let outcome;
  try {
    outcome = await job.run(program, args, { cwd, signal, timeout: LIMIT, onLine: job.line });
  } catch (error) {
    if (error instanceof StartError) throw new InstallError(`${what}: ${error.message}`, "Look whether the file is there and may be run.");
    throw error;
  }
  if (outcome.ending === "cancelled") throw new CancelledError();
  if (outcome.ending !== "exited" || outcome.code !== 0) throw explain(what, outcome);
}

/** Remove what nobody uses any more: neither named, nor young enough to be the work of another window. */
async function sweep(storage: string, keep: readonly (string | undefined)[], line: (text: string) => void): Promise<void> {
  for (const entry of await readdir(storage)) {
    if (!entry.startsWith(PREFIX) || keep.includes(entry)) continue;
    const folder = path.join(storage, entry);
    const made = await stat(folder).catch(() => undefined);
    if (made !== undefined && Date.now() - made.mtimeMs > 2 * LIMIT) await remove(folder, line);
  }
}

async function remove(folder: string, line: (text: string) => void): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
    line(`cannot remove ${folder}: ${String(error)}`); // on Windows a program that still runs; a later sweep does it
  });
}

/**
 * Make a new environment with assetdb in it, and return its folder.
 *
 * It takes the place of the one before only when it works, so nothing is lost where it is cancelled or fails. Python
 * runs isolated (`-I`) in the extension's folder, so neither a workspace nor PYTHONPATH brings code into it.
 *
 * @throws InstallError with what to do; CancelledError.
 */
export async function install(job: Installation): Promise<string> {
  const { python, storage, platform, run } = job;
  await mkdir(storage, { recursive: true });
  const before = await installedEnvironment(storage);
  const name = `${PREFIX}${randomBytes(6).toString("hex")}`;
  const folder = path.join(storage, name);
  try {
    job.step(`making an environment with Python ${python.version}`);
    await perform("cannot make an environment", python.program, [...python.prefix, "-I", "-m", "venv", folder], job);
    job.step("installing assetdb");
    const pip = ["-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off", job.what];
    await perform("cannot install assetdb", inEnvironment(folder, "python", platform), pip, job);
    job.step("trying it");
    const probed = await probe(inEnvironment(folder, "assetdb", platform), run, storage);
    if ("reason" in probed) throw new InstallError(`what was installed ${probed.reason}`, "The log has all that was said.");
    if (job.signal.aborted) throw new CancelledError();
    const pointer = path.join(storage, `${POINTER}.new`);
    await writeFile(pointer, JSON.stringify({ folder: name, version: probed.version }));
    await rename(pointer, path.join(storage, POINTER));
    // The one before stays until the next time: servers of other windows run from it.
    await sweep(storage, [name, before === undefined ? undefined : path.basename(before)], job.line);
    return folder;
  } catch (error) {
    await remove(folder, job.line);
    throw error;
  }
}
