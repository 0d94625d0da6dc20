/** Reports about a project, as documents whose places are links: of its problems, as `assetdb check` says them, and others. */
import path from "node:path";

import * as vscode from "vscode";

import type { AssetDb } from "./assetdb";

export const SCHEME = "assetdb-report";

/** How a finding begins: a path from the project's root on, a line, perhaps a column. */
const PLACE = /^(?:(?:error|warning|info|note): )?((?:Assets|Packages|ProjectSettings)\/[^:]*?)(?::(\d+))?(?::(\d+))?(?=:|$|\s{2})/;

/** A finding below the path of its file: the line stands before the severity. */
const BELOW = /^( +)(\d+) +(?:error|warning|info|note)\b/;

/** Return the address of a report of a project. */
export function reportOf(project: string, title: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${path.basename(project)}: ${title.replaceAll("/", " ")}`, query: encodeURIComponent(project) });
}

function projectOf(report: vscode.Uri): string {
  return decodeURIComponent(report.query);
}

export class Reports implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registrations: vscode.Disposable[];
  private readonly texts = new Map<string, string>();

  constructor(private readonly assetdb: AssetDb) {
    this.registrations = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME) this.texts.delete(uri.toString());
      }),
    ];
  }

  /** Check a project and show what was found; false where there is no assetdb. */
  async open(project: string): Promise<boolean> {
    const found = await this.assetdb.askVisibly(`assetdb: checking ${path.basename(project)}`, project, "check", ["--format", "text", "--verbose"]);
    if (found === undefined) return false;
    await this.show(project, "problems", found.code === 0 && found.stdout.trim() === "" ? "No problems were found.\n" : found.stdout, found.stderr);
    return true;
  }

  /** Show a text about a project, and behind it what was said on the side. */
  async show(project: string, title: string, text: string, notes: string): Promise<void> {
    const report = reportOf(project, title);
    this.texts.set(report.toString(), text + (notes.trim() === "" ? "" : `\n${notes}`));
    this.changed.fire(report);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(report), { preview: false });
  }

  provideTextDocumentContent(report: vscode.Uri): string {
    return this.texts.get(report.toString()) ?? "This report is of an earlier session. Run the command again.\n";
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const project = projectOf(document.uri);
    const links: vscode.DocumentLink[] = [];
    let file: string | undefined;
    for (let line = 0; line < document.lineCount; line++) {
      const { text } = document.lineAt(line);
      if (text === "") file = undefined; // the findings of a file end; counts by code look like lines of it
      const below = BELOW.exec(text);
      if (below?.[1] !== undefined && below[2] !== undefined && file !== undefined) {
        const [start, number] = [below[1].length, below[2]];
        const target = vscode.Uri.file(file).with({ fragment: `L${number}` });
        links.push(new vscode.DocumentLink(new vscode.Range(line, start, line, start + number.length), target));
      }
      const found = PLACE.exec(text);
      if (found?.[1] === undefined) continue;
      const start = found[0].indexOf(found[1]);
      const range = new vscode.Range(line, start, line, found[0].length);
      const place = [found[2], found[3]].filter((number) => number !== undefined).join(",");
      file = path.join(project, found[1]);
      const target = vscode.Uri.file(file).with({ fragment: place === "" ? "" : `L${place}` });
      links.push(new vscode.DocumentLink(range, target));
    }
    return links;
  }

  dispose(): void {
    for (const registration of this.registrations) registration.dispose();
    this.changed.dispose();
  }
}
