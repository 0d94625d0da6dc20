/** The command "Find Usages", and what lenses of the server do when they are clicked. */
import path from "node:path";

import * as vscode from "vscode";
import { type BaseLanguageClient, ExecuteCommandRequest, type Location } from "vscode-languageclient/node";

import { type AssetDb, CommandError } from "../assetdb";
import { assetOf } from "../project/assets";
import { chooseProject } from "../project/roots";
import { USAGES } from "../server/client";
import type { UsagesView } from "../usages-view";
import { selected } from "./selection";
import { parseUsages } from "./usages-json";

/** Show who refers to the selected file, or to the one in the editor. */
export async function findUsages(assetdb: AssetDb, view: UsagesView, first: unknown, all: unknown): Promise<void> {
  const [file] = selected(first, all);
  if (file === undefined) return;
  const asset = assetOf(file.fsPath);
  const project = await chooseProject(vscode.Uri.file(asset), "Find usages");
  if (project === undefined) throw new CommandError(`${path.basename(asset)} is in no Unity project`);
  const title = `assetdb: looking for usages of ${path.basename(asset)}`;
  const found = await assetdb.askVisibly(title, project, "usages", ["--objects", "--json", asset]);
  if (found === undefined) return;
  const usages = parseUsages(found.stdout.split("\n", 1)[0] ?? "");
  if (usages === undefined) throw new CommandError(found.stderr.trim().replace(/^assetdb: /, "") || `${path.basename(asset)} is no asset that assetdb knows`);
  await view.show(project, usages);
}

/** Open the editor's list of references: what a lens of the server leads to. */
export async function showUsages(client: BaseLanguageClient | undefined, position: vscode.Position, words: readonly string[]): Promise<void> {
  if (client === undefined) throw new CommandError("the server is not running");
  const request = { command: USAGES, arguments: [...words] };
  const found = (await client.sendRequest(ExecuteCommandRequest.type, request)) as Location[] | null;
  const locations = (found ?? []).map((location) => client.protocol2CodeConverter.asLocation(location));
  await vscode.commands.executeCommand("editor.action.showReferences", client.protocol2CodeConverter.asUri(words[0] ?? ""), position, locations);
}
