/** Which files a command means: those that are selected in the explorer, else the one in the editor. */
import * as vscode from "vscode";

import { CommandError } from "../assetdb";

/**
 * Return the files that a command means.
 *
 * @param first what the explorer was clicked on; undefined from the palette and from a key.
 * @param all what is selected in the explorer.
 */
export function selected(first: unknown, all: unknown): vscode.Uri[] {
  const many = Array.isArray(all) ? all.filter((item) => item instanceof vscode.Uri) : [];
  const one = first instanceof vscode.Uri ? first : vscode.window.activeTextEditor?.document.uri;
  const meant = many.length > 0 ? many : one === undefined ? [] : [one];
  const files = meant.filter(({ scheme }) => scheme === "file");
  if (files.length === 0) throw new CommandError("no file is selected in the explorer, and none is open in the editor");
  return files;
}
