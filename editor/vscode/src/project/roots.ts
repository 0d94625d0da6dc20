/** Which Unity projects there are. */
import { stat } from "node:fs/promises";
import path from "node:path";

import * as vscode from "vscode";

/** How many folders below one of the workspace a project is looked for; the server looks as deep, a test holds that. */
export const DEEPEST = 3;
const VERSION_FILE = `{${Array.from({ length: DEEPEST + 1 }, (_, depth) => `${"*/".repeat(depth)}ProjectSettings/ProjectVersion.txt`).join(",")}}`;
const LEFT_OUT = "**/{Library,Temp,obj,node_modules,.git,PackageCache}/**";
const MOST = 50;

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Whether a folder is the root of a Unity project. */
async function isRoot(folder: string): Promise<boolean> {
  return (await isFolder(path.join(folder, "Assets"))) && (await isFolder(path.join(folder, "ProjectSettings")));
}

/** Return the project that a file or folder belongs to: the nearest above it. */
export async function projectOf(place: string): Promise<string | undefined> {
  for (let folder = place; ; folder = path.dirname(folder)) {
    if (await isRoot(folder)) return folder;
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** Return all projects of the window: what lies in its folders, what they lie in, and those of files that are open alone. */
export async function projects(): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== "file") continue;
    const above = await projectOf(folder.uri.fsPath);
    if (above !== undefined) found.add(above);
  }
  for (const { languageId, uri } of vscode.workspace.textDocuments) {
    if (languageId !== "unity-yaml" || uri.scheme !== "file") continue;
    const above = await projectOf(path.dirname(uri.fsPath));
    if (above !== undefined) found.add(above);
  }
  for (const file of await vscode.workspace.findFiles(VERSION_FILE, LEFT_OUT, MOST)) {
    if (file.scheme === "file") found.add(path.dirname(path.dirname(file.fsPath)));
  }
  return [...found].sort();
}

/** Return one project: the place's, else the only one, else the one that the user picks; undefined where there is none. */
export async function chooseProject(place: vscode.Uri | undefined, title: string): Promise<string | undefined> {
  const of = place?.scheme === "file" ? await projectOf(place.fsPath) : undefined;
  if (of !== undefined) return of;
  const all = await projects();
  if (all.length <= 1) return all[0];
  const items = all.map((root) => ({ label: path.basename(root), description: root, root }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: "Which Unity project?" }))?.root;
}
