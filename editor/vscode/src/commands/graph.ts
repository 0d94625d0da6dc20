/** The command "Show in Graph": the page that `assetdb report` writes, in a panel, at a file. */
import path from "node:path";

import * as vscode from "vscode";

import { type AssetDb, CommandError } from "../assetdb";
import { assetOf } from "../project/assets";
import { chooseProject } from "../project/roots";
import { selected } from "./selection";

/** The page's own policy admits its one script and its one style by their hashes, and nothing else. */
const POLICY = /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}';/;

/** Show users and needs of the selected file, or of the one in the editor, and from there the whole project. */
export async function showInGraph(assetdb: AssetDb, first: unknown, all: unknown): Promise<void> {
  const [file] = selected(first, all);
  if (file === undefined) return;
  const asset = assetOf(file.fsPath);
  const name = path.basename(asset);
  const project = await chooseProject(vscode.Uri.file(asset), "Show in graph");
  if (project === undefined) throw new CommandError(`${name} is in no Unity project`);
  const found = await assetdb.askVisibly(`assetdb: reading what ${name} refers to`, project, "report", ["--quiet", "--output", "-", "--show", asset]);
  if (found === undefined) return;
  if (found.code !== 0) throw new CommandError(found.stderr.trim().replace(/^assetdb: /, "") || `${name} is no asset that assetdb knows`);
  if (!POLICY.test(found.stdout)) throw new CommandError("the page of assetdb report is not one that can be shown here: update assetdb");
  const panel = vscode.window.createWebviewPanel("assetdb.graph", name, vscode.ViewColumn.Active, {
    enableScripts: true,
    enableFindWidget: true,
    retainContextWhenHidden: true, // else it would begin anew at the first asset whenever it comes back
    localResourceRoots: [],
  });
  panel.webview.html = found.stdout;
}
