/** The Python that makes an environment: the setting's, else the newest on PATH that is new enough. */
import { realpath, stat } from "node:fs/promises";

import type { Run } from "../process";
import { type Platform, fromSetting, isInside, onPath } from "./programs";

/** The oldest Python that assetdb runs on; a test holds it against `pyproject.toml`. */
export const OLDEST_PYTHON: readonly [number, number] = [3, 11];

const NEWEST_KNOWN = 15;

export interface Python {
  readonly program: string;
  /** Words before all others: `-3` where the program is Windows' launcher. */
  readonly prefix: readonly string[];
  readonly version: string;
}

export interface PythonSearch {
  readonly platform: Platform;
  readonly path: string;
  readonly home: string;
  readonly configured: string;
  /** Folders in which no Python is looked for: those of the workspace. */
  readonly folders: readonly string[];
}

const PRINT_VERSION = "import sys; print('python', *sys.version_info[:3])";

function places(around: PythonSearch): { program: string; prefix: string[] }[] {
  const minors = Array.from({ length: NEWEST_KNOWN - OLDEST_PYTHON[1] + 1 }, (_, step) => NEWEST_KNOWN - step);
  const names = around.platform === "win32" ? ["python", "python3"] : minors.map((minor) => `python3.${minor}`).concat("python3", "python");
  const found = names.flatMap((name) => onPath(name, around.path, around.platform).map((program) => ({ program, prefix: [] as string[] })));
  const launchers = around.platform === "win32" ? onPath("py", around.path, around.platform) : [];
  return [...launchers.map((program) => ({ program, prefix: ["-3"] })), ...found];
}

async function ask(place: { program: string; prefix: string[] }, run: Run, cwd: string): Promise<Python | undefined> {
  const outcome = await run(place.program, [...place.prefix, "-I", "-c", PRINT_VERSION], { cwd, timeout: 20_000, maxOutput: 4096 }).catch(
    () => undefined, // a file without the right to run, the stub of Microsoft's shop: not a Python
  );
  const version = /^python (\d+) (\d+) (\d+)\s*$/.exec(outcome?.stdout ?? "");
  return version === null ? undefined : { ...place, version: version.slice(1).join(".") };
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1]);
}

async function isBrought(program: string, around: PythonSearch): Promise<boolean> {
  const real = await realpath(program).catch(() => program);
  return around.folders.some((folder) => isInside(program, folder, around.platform) || isInside(real, folder, around.platform));
}

/** Find a Python; what is too old is named, so that it can be said. */
export async function findPython(around: PythonSearch, run: Run, cwd: string): Promise<{ python?: Python; tooOld: Python[] }> {
  const tooOld: Python[] = [];
  const configured = around.configured.trim();
  if (configured !== "") {
    const program = fromSetting(configured, around.home, undefined, around.platform);
    const python = program === undefined ? undefined : await ask({ program, prefix: [] }, run, cwd);
    if (python === undefined) return { tooOld };
    return isNewEnough(python.version) ? { python, tooOld } : { tooOld: [python] };
  }
  for (const place of places(around)) {
    const there = await stat(place.program).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!there || (await isBrought(place.program, around))) continue;
    const python = await ask(place, run, cwd);
    if (python === undefined) continue;
    if (isNewEnough(python.version)) return { python, tooOld };
    tooOld.push(python);
  }
  return { tooOld };
}
