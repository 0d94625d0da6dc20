/** The commands "Copy GUID" and "Copy Reference": from the files themselves, so that they need no assetdb. */
import path from "node:path";

import * as vscode from "vscode";

import { AssetError, assetOf, readMeta, readText } from "../project/assets";
import { objectAt } from "../project/documents";
import { mainObject, referenceTo } from "../project/references";
import { selected } from "./selection";

async function put(lines: readonly string[]): Promise<void> {
  await vscode.env.clipboard.writeText(lines.join("\n"));
  const [line = ""] = lines;
  const what = lines.length === 1 ? line : `${lines.length} lines`;
  vscode.window.setStatusBarMessage(`assetdb: copied ${what}`, 4000);
}

/** Copy the GUIDs of the selected files, a line each. */
export async function copyGuid(first: unknown, all: unknown): Promise<void> {
  const guids = [];
  for (const { fsPath } of selected(first, all)) guids.push((await readMeta(assetOf(fsPath))).guid);
  await put(guids);
}

/** Return the object that the cursor is in, where the command is given in an editor that shows the file as documents. */
function objectAtCursor(file: vscode.Uri): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() !== file.toString()) return undefined;
  return objectAt(editor.selection.active.line, (line) => editor.document.lineAt(line).text)?.fileId;
}

async function referenceOf(file: vscode.Uri, atCursor: boolean): Promise<string> {
  const asset = assetOf(file.fsPath);
  const meta = await readMeta(asset);
  const isMeta = asset !== file.fsPath;
  const pointed = atCursor && !isMeta ? objectAtCursor(file) : undefined;
  const extension = path.extname(asset);
  const needsText = pointed === undefined && extension.toLowerCase() === ".prefab";
  const fileId = pointed ?? mainObject(meta, extension, needsText ? await readText(asset) : undefined);
  if (fileId === undefined) {
    const advice = "open it as text and put the cursor in the object that is meant, or copy the GUID";
    throw new AssetError(`${path.basename(asset)} does not say which object is its main one; ${advice}`);
  }
  return referenceTo(meta, fileId);
}

/** Copy references to the selected files, a line each; in an editor to the object in which the cursor is. */
export async function copyReference(first: unknown, all: unknown): Promise<void> {
  const files = selected(first, all);
  const fromExplorer = Array.isArray(all) && all.length > 0;
  const references = [];
  for (const file of files) references.push(await referenceOf(file, !fromExplorer));
  await put(references);
}
