/** Where programs lie: in environments of Python, on PATH. Paths only; whether there is a file is for others to see. */
import path from "node:path";

export type Platform = NodeJS.Platform;

function paths(platform: Platform): path.PlatformPath {
  return platform === "win32" ? path.win32 : path.posix;
}

/** Return the path of a script (`assetdb`, `python`) of an environment that `python -m venv` made. */
export function inEnvironment(folder: string, name: string, platform: Platform): string {
  return platform === "win32"
    ? path.win32.join(folder, "Scripts", `${name}.exe`)
    : path.posix.join(folder, "bin", name);
}

/** Return the path of a script that lies beside an interpreter. */
export function besideInterpreter(interpreter: string, name: string, platform: Platform): string {
  const parts = paths(platform);
  const folder = parts.dirname(interpreter);
  if (platform !== "win32") return parts.join(folder, name);
  // Without an environment python.exe lies above Scripts, in one it lies in it.
  const scripts = parts.basename(folder).toLowerCase() === "scripts" ? folder : parts.join(folder, "Scripts");
  return parts.join(scripts, `${name}.exe`);
}

/** Whether a path is a folder or lies in it, by its words; links are to be resolved before. */
export function isInside(place: string, folder: string, platform: Platform): boolean {
  const parts = paths(platform);
  const relative = parts.relative(folder, place);
  const above = relative === ".." || relative.startsWith(`..${parts.sep}`);
  return !above && !parts.isAbsolute(relative);
}

/**
 * Return where a program may lie on PATH, in its order.
 *
 * An entry that is not absolute means the folder in which something happens to run, which a workspace can bring; it
 * is left out, and the system is never asked to search by itself (Windows looks in the current folder first).
 */
export function onPath(name: string, value: string, platform: Platform): string[] {
  const parts = paths(platform);
  const file = platform === "win32" ? `${name}.exe` : name;
  const folders = value
    .split(platform === "win32" ? ";" : ":")
    .map((entry) => (platform === "win32" ? entry.replace(/^"(.*)"$/, "$1") : entry))
    .filter((entry) => parts.isAbsolute(entry));
  return [...new Set(folders.map((folder) => parts.join(folder, file)))];
}

/** Return the absolute path that a setting means, or undefined where it is relative and there is nothing to begin at. */
export function fromSetting(
  value: string,
  home: string,
  folder: string | undefined,
  platform: Platform,
): string | undefined {
  const parts = paths(platform);
  const text = value.trim();
  if (text === "~" || text.startsWith("~/") || (platform === "win32" && text.startsWith("~\\"))) {
    return parts.join(home, text.slice(1));
  }
  if (parts.isAbsolute(text)) return parts.normalize(text);
  return folder === undefined ? undefined : parts.join(folder, text);
}
