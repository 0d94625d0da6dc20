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
async function ask(value: OpenValue, title: string, hasPrevious: boolean): Promise<string | undefined> {
  const items: (vscode.QuickPickItem & { answer: string })[] = [
    { label: "ours", description: value.ours, answer: "ours" },
    { label: "theirs", description: value.theirs, answer: "theirs" },
    { label: "base", description: value.base, answer: "base" },
  ];
  if (value.both) items.push({ label: "both", description: "rows of ours, then of theirs", answer: "both" });
  if (value.typed) items.push({ label: "type a value", answer: TYPED });
  if (hasPrevious) items.push({ label: PREVIOUS, answer: PREVIOUS });
  const answer = (await vscode.window.showQuickPick(items, { title, placeHolder: value.name, ignoreFocusOut: true }))?.answer;
  if (answer !== TYPED) return answer;
  const text = await vscode.window.showInputBox({ title, prompt: value.name, value: value.ours, ignoreFocusOut: true });
  return text === undefined ? undefined : `${TYPED}${text}`;
}

/** Ask for the open values of a file; undefined where the user leaves one open. */
async function answersTo(file: string, values: readonly OpenValue[]): Promise<string[] | undefined> {
  const answers: string[] = [];
  for (let value = values[0]; value !== undefined; value = values[answers.length]) {
    const place = answers.length;
    const answer = await ask(value, `${file} (${place + 1} of ${values.length})`, place > 0);
    if (answer === undefined) return undefined;
    if (answer === PREVIOUS) answers.pop();
    else answers.push(answer);
  }
  return answers.flatMap((answer, place) => ["--take", answer, String(values[place]?.number)]);
}

/**
 * Ask for the open values of a file, and for those that the answers open, too, until it is written.
 *
 * An answer alone may break the file: a child that both sides moved needs the lists of both of its fathers.
 */
async function resolveFile(assetdb: AssetDb, project: string, file: string, values: readonly OpenValue[]): Promise<boolean> {
  const words: string[] = [];
  for (let open = values; open.length > 0; ) {
    const more = await answersTo(file, open);
    if (more === undefined) return false;
    words.push(...more);
    const answered = await assetdb.ask(project, "resolve", ["--json", ...words, "--", path.join(project, file)]);
    if (answered === undefined) return false;
    if (answered.code === 0) return true;
    void vscode.window.showWarningMessage(`assetdb: ${answered.stderr.trim().replace(/^assetdb: /, "")}`);
    open = openValues(answered.stdout).get(file) ?? [];
  }
  return false;
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
    if (await resolveFile(assetdb, project, file, values)) whole.push(path.join(project, file));
  }
  if (whole.length === 0) return;
  const names = whole.map((name) => path.basename(name)).join(", ");
  const clicked = await vscode.window.showInformationMessage(`assetdb: no value is open any more in ${names}.`, STAGE);
  if (clicked === STAGE) await assetdb.ask(project, "resolve", ["--add", "--", ...whole]);
}
