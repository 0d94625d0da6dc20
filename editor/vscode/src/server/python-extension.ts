/** What the Python extension (ms-python.python) knows: which interpreter is chosen for a folder. */
import * as vscode from "vscode";

/** The part of its API that is used, all of it optional: it is another's, and of any version. */
interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath?(resource?: vscode.Uri): { readonly path: string } | undefined;
    resolveEnvironment?(environment: { readonly path: string }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath?: vscode.Event<unknown>;
  };
}

const LIMIT = 10_000;

/** Return its API; undefined where it is not there, or not ready in time. */
async function api(): Promise<PythonApi["environments"]> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (extension === undefined) return undefined;
  if (extension.isActive) return extension.exports.environments;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, LIMIT);
  });
  const ready = Promise.resolve(extension.activate()).then(
    (exports) => exports.environments,
    () => undefined, // its own failure, which it reports itself
  );
  return Promise.race([ready, late]).finally(() => {
    clearTimeout(timer);
  });
}

/** Return the interpreters that are chosen for these folders, without those that are not known. */
export async function chosenInterpreters(folders: readonly vscode.Uri[]): Promise<string[]> {
  const environments = await api();
  if (environments?.getActiveEnvironmentPath === undefined) return [];
  const found: string[] = [];
  for (const folder of folders) {
    const chosen = environments.getActiveEnvironmentPath(folder);
    if (chosen === undefined) continue;
    const resolved = await environments.resolveEnvironment?.(chosen).catch(() => undefined);
    const program = resolved?.executable.uri?.fsPath;
    if (program !== undefined && !found.includes(program)) found.push(program);
  }
  return found;
}

/** Have a function called when another interpreter is chosen. */
export async function onInterpreterChange(listener: () => void): Promise<vscode.Disposable | undefined> {
  return (await api())?.onDidChangeActiveEnvironmentPath?.(listener);
}
