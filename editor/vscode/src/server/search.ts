/** Which assetdb is run: the first that is there, answers and is new enough. */
import { realpath, stat } from "node:fs/promises";

import type { Run } from "../process";
import { type Platform, besideInterpreter, fromSetting, inEnvironment, isInside, onPath } from "./programs";
import { MINIMUM_VERSION, isAtLeast, versionIn } from "./version";

export type Source = "the setting assetdb.path" | "the workspace's .venv" | "the Python extension" | "PATH" | "the extension";

export interface Candidate {
  readonly program: string;
  readonly source: Source;
}

export interface Surroundings {
  readonly platform: Platform;
  /** The value of the variable PATH. */
  readonly path: string;
  readonly home: string;
  readonly trusted: boolean;
  /** The folders of the workspace that lie on a disk, in their order. */
  readonly folders: readonly string[];
  /** The setting `assetdb.path`: in a workspace that is not trusted only what the user says himself. */
  readonly configured: string;
  /** Interpreters that the Python extension has chosen for the folders. */
  readonly interpreters: readonly string[];
  /** The environment that the extension made, if it made one. */
  readonly environment: string | undefined;
}

export interface Rejection extends Candidate {
  readonly reason: string;
}

export type Search =
  | { readonly kind: "found"; readonly candidate: Candidate; readonly version: string; readonly rejected: readonly Rejection[] }
  | { readonly kind: "setting-unusable"; readonly candidate: Candidate; readonly reason: string }
  | { readonly kind: "missing"; readonly rejected: readonly Rejection[] };

/**
 * Return where to look, in order.
 *
 * What a workspace brings (its environment, the interpreter that it chose) is only looked at where it is trusted.
 */
export function candidates(around: Surroundings): Candidate[] {
  const { platform, folders, trusted } = around;
  const brought = trusted ? folders : [];
  const list: Candidate[] = [
    ...brought.map((folder) => ({
      program: inEnvironment(platform === "win32" ? `${folder}\\.venv` : `${folder}/.venv`, "assetdb", platform),
      source: "the workspace's .venv" as const,
    })),
    ...(trusted ? around.interpreters : []).map((interpreter) => ({
      program: besideInterpreter(interpreter, "assetdb", platform),
      source: "the Python extension" as const,
    })),
    ...onPath("assetdb", around.path, platform).map((program) => ({ program, source: "PATH" as const })),
  ];
  if (around.environment !== undefined) {
    list.push({ program: inEnvironment(around.environment, "assetdb", platform), source: "the extension" });
  }
  const seen = new Set<string>();
  return list.filter(({ program }) => !seen.has(program) && seen.add(program));
}

/** Whether a program lies in a folder of the workspace, itself or what it is a link to. */
async function isBrought(program: string, around: Surroundings): Promise<boolean> {
  const real = await realpath(program);
  for (const folder of around.folders) {
    const realFolder = await realpath(folder).catch(() => folder);
    if (isInside(program, folder, around.platform) || isInside(real, realFolder, around.platform)) return true;
  }
  return false;
}

const PROBE_TIMEOUT = 20_000;
const UNTRUSTED = "lies in the workspace, which is not trusted";

/** Ask a program for its version; return it, or why it cannot be used. */
export async function probe(program: string, run: Run, cwd: string): Promise<{ version: string } | { reason: string }> {
  let outcome;
  try {
    outcome = await run(program, ["--version"], { cwd, timeout: PROBE_TIMEOUT, maxOutput: 64 * 1024 });
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
  if (outcome.ending !== "exited") return { reason: "did not say its version in time" };
  const version = versionIn(outcome.stdout);
  if (outcome.code !== 0 || version === undefined) {
    const said = (outcome.stderr || outcome.stdout).trim().split("\n").at(-1) ?? "";
    return { reason: `is no assetdb that works${said === "" ? "" : `: ${said.slice(0, 300)}`}` };
  }
  if (!isAtLeast(version, MINIMUM_VERSION)) {
    return { reason: `is assetdb ${version}, and ${MINIMUM_VERSION} or later is needed` };
  }
  return { version };
}

async function isFile(program: string): Promise<boolean> {
  return stat(program).then(
    (found) => found.isFile(),
    () => false,
  );
}

/**
 * Find the assetdb to run.
 *
 * A path that the user set is run or said to be unusable, never passed over in silence.
 *
 * @param cwd where programs are asked for their version; no folder of the workspace.
 */
export async function search(around: Surroundings, run: Run, cwd: string): Promise<Search> {
  if (around.configured.trim() !== "") {
    const folder = around.trusted ? around.folders[0] : undefined;
    const program = fromSetting(around.configured, around.home, folder, around.platform);
    const candidate = { program: program ?? around.configured, source: "the setting assetdb.path" } as const;
    if (program === undefined) return { kind: "setting-unusable", candidate, reason: "is not absolute" };
    if (!(await isFile(program))) return { kind: "setting-unusable", candidate, reason: "is not there" };
    if (!around.trusted && (await isBrought(program, around))) {
      return { kind: "setting-unusable", candidate, reason: UNTRUSTED };
    }
    const probed = await probe(program, run, cwd);
    return "version" in probed
      ? { kind: "found", candidate, version: probed.version, rejected: [] }
      : { kind: "setting-unusable", candidate, reason: probed.reason };
  }
  const rejected: Rejection[] = [];
  for (const candidate of candidates(around)) {
    if (!(await isFile(candidate.program))) continue;
    if (!around.trusted && (await isBrought(candidate.program, around))) {
      rejected.push({ ...candidate, reason: UNTRUSTED });
      continue;
    }
    const probed = await probe(candidate.program, run, cwd);
    if ("version" in probed) return { kind: "found", candidate, version: probed.version, rejected };
    rejected.push({ ...candidate, reason: probed.reason });
  }
  return { kind: "missing", rejected };
}
