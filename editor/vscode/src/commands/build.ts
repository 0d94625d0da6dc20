/** The command "Why Is This in the Build": what `assetdb trace` says of a file, as a document. */
import os from "node:os";
import path from "node:path";

import * as vscode from "vscode";

import { type AssetDb, CommandError } from "../assetdb";
import { assetOf } from "../project/assets";
import { chooseProject } from "../project/roots";
import type { Reports } from "../report";
import { fromSetting } from "../server/programs";
import { settings } from "../settings";
import { selected } from "./selection";

const OPEN = "Open Settings";

/** Show in which files of the builds the selected file is, or the one in the editor, and why. */
export async function whyInBuild(assetdb: AssetDb, reports: Reports, first: unknown, all: unknown): Promise<void> {
  const [file] = selected(first, all);
  if (file === undefined) return;
  const asset = assetOf(file.fsPath);
  const project = await chooseProject(vscode.Uri.file(asset), "Why is this in the build");
  if (project === undefined) throw new CommandError(`${path.basename(asset)} is in no Unity project`);
  const builds = settings
    .builds(vscode.Uri.file(asset))
    .filter((build) => build.trim() !== "")
    .map((build) => fromSetting(build, os.homedir(), project, process.platform) ?? build);
  if (builds.length === 0) {
    await offerSettings();
    return;
  }
  const title = `assetdb: looking for ${path.basename(asset)} in the build`;
  const words = [...builds.flatMap((build) => ["--in", build]), "--", asset];
  const found = await assetdb.askVisibly(title, project, "trace", words);
  if (found === undefined) return;
  if (found.stdout.trim() === "") throw new CommandError(found.stderr.trim().replace(/^assetdb: /, "") || `${path.basename(asset)} is no asset that assetdb knows`);
  await reports.show(project, `why ${path.basename(asset)} is in the build`, found.stdout, found.stderr);
}

async function offerSettings(): Promise<void> {
  const clicked = await vscode.window.showInformationMessage("assetdb: name where your builds lie first, in the setting assetdb.builds.", OPEN);
  if (clicked === OPEN) await vscode.commands.executeCommand("workbench.action.openSettings", "assetdb.builds");
}
