/** The command "Resolve Merge": every value that a merge left open as a question, as `assetdb resolve` asks in a terminal. */
import path from "node:path";

import * as vscode from "vscode";

import { type AssetDb, CommandError } from "../assetdb";
import { chooseProject } from "../project/roots";
import { type OpenValue, openValues } from "./resolve-json";

const STAGE = "Stage";

const TYPED = "=";
const PREVIOUS = "previous";

/** Ask for a value: what `--take` takes, or PREVIOUS; undefined where the user leaves it open. */
async function ask(value: OpenValue, title: string): Promise<string | undefined> {
  const items: (vscode.QuickPickItem & { answer: string })[] = [
    { label: "ours", description: value.ours, answer: "ours" },
    { label: "theirs", description: value.theirs, answer: "theirs" },
    { label: "base", description: value.base, answer: "base" },
  ];
  if (value.both) items.push({ label: "both", description: "rows of ours, then of theirs", answer: "both" });
  if (value.typed) items.push({ label: "type a value", answer: TYPED });
  if (value.number > 1) items.push({ label: PREVIOUS, answer: PREVIOUS });
  const answer = (await vscode.window.showQuickPick(items, { title, placeHolder: value.name, ignoreFocusOut: true }))?.answer;
  if (answer !== TYPED) return answer;
  const text = await vscode.window.showInputBox({ title, prompt: value.name, value: value.ours, ignoreFocusOut: true });
  return text === undefined ? undefined : `${TYPED}${text}`;
}

/** Ask for the open values of a file; undefined where the user leaves one open. */
async function answersTo(file: string, values: readonly OpenValue[]): Promise<string[] | undefined> {
  const answers: string[] = [];
  for (let value = values[0]; value !== undefined; value = values[answers.length]) {
    const answer = await ask(value, `${file} (${value.number} of ${values.length})`);
    if (answer === undefined) return undefined;
    if (answer === PREVIOUS) answers.pop();
    else answers.push(answer);
  }
  return answers.flatMap((answer, place) => ["--take", answer, String(values[place]?.number)]);
}

/** Ask for the open values of a project's conflicted files; a file is written once all its values have an answer. */
export async function resolveMerge(assetdb: AssetDb, place: vscode.Uri | undefined): Promise<void> {
  const project = await chooseProject(place, "Resolve merge");
  if (project === undefined) throw new CommandError("there is no Unity project in this workspace");
  const found = await assetdb.askVisibly("assetdb: looking for open values", project, "resolve", ["--json"]);
  if (found === undefined) return;
  const files = openValues(found.stdout);
  if (files.size === 0) {
    const problem = found.stderr.trim().replace(/^assetdb: /, "");
    if (problem !== "") throw new CommandError(problem);
    void vscode.window.showInformationMessage("assetdb: no merge has left a value open.");
    return;
  }
  const whole: string[] = [];
  for (const [file, values] of files) {
    const words = await answersTo(file, values);
    if (words === undefined) continue;
    const place = path.join(project, file);
    const answered = await assetdb.ask(project, "resolve", [...words, "--", place]);
    if (answered === undefined) return;
    if (answered.code === 0) whole.push(place);
    else void vscode.window.showWarningMessage(`assetdb: ${answered.stderr.trim().replace(/^assetdb: /, "")}`);
  }
  if (whole.length === 0) return;
  const names = whole.map((name) => path.basename(name)).join(", ");
  const clicked = await vscode.window.showInformationMessage(`assetdb: no value is open any more in ${names}.`, STAGE);
  if (clicked === STAGE) await assetdb.ask(project, "resolve", ["--add", "--", ...whole]);
}
