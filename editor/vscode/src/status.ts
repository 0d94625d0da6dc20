/** The item in the status bar: the state of server and daemon, and what can be done about it. */
import path from "node:path";

import * as vscode from "vscode";

import type { Daemons } from "./daemons";
import type { State, Supervisor } from "./server/supervisor";
import { settings } from "./settings";

interface Look {
  readonly icon: string;
  readonly text: string;
  readonly background?: "error" | "warning";
}

/** Return how a state looks, in one line. */
export function lookOf(state: State): Look {
  switch (state.kind) {
    case "idle":
      return { icon: "circle-slash", text: "The server is not running." };
    case "searching":
      return { icon: "loading~spin", text: "Looking for assetdb." };
    case "starting":
      return { icon: "loading~spin", text: `The server is starting: assetdb ${state.version}.` };
    case "running":
      return { icon: "check", text: `The server is running: assetdb ${state.version}, found by ${state.source}.` };
    case "missing":
      return { icon: "warning", text: "assetdb was not found.", background: "warning" };
    case "setting-unusable":
      return { icon: "error", text: `The setting assetdb.path cannot be used: ${state.program} ${state.reason}.`, background: "error" };
    case "failed":
      return { icon: "error", text: `The server does not run: ${state.reason}.`, background: "error" };
  }
}

interface Choice extends vscode.QuickPickItem {
  readonly command: string;
}

const CHOICES: readonly Choice[] = [
  { label: "$(references) Find usages of the active file", command: "assetdb.findUsages" },
  { label: "$(checklist) Open report of problems", command: "assetdb.openReport" },
  { label: "$(play) Start daemon", command: "assetdb.startDaemon" },
  { label: "$(debug-stop) Stop daemon", command: "assetdb.stopDaemon" },
  { label: "$(refresh) Restart server", command: "assetdb.restartServer" },
  { label: "$(output) Show log", command: "assetdb.showLog" },
  { label: "$(cloud-download) Install or update assetdb", command: "assetdb.install" },
];

export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly registrations: vscode.Disposable[];

  constructor(
    private readonly supervisor: Supervisor,
    private readonly daemons: Daemons,
  ) {
    this.item = vscode.window.createStatusBarItem("assetdb.status", vscode.StatusBarAlignment.Right, 90);
    this.item.name = "assetdb";
    this.item.command = "assetdb.showMenu";
    const update = (): void => {
      this.update();
    };
    this.registrations = [
      supervisor.onDidChange(update),
      daemons.onDidChange(update),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (settings.touches(change, "statusBar.enabled")) this.update();
      }),
    ];
    this.update();
  }

  private update(): void {
    const look = lookOf(this.supervisor.state);
    const running = [...this.daemons.known.values()].filter(Boolean).length;
    this.item.text = `$(${look.icon}) assetdb${running === 0 ? "" : " $(eye)"}`;
    this.item.backgroundColor =
      look.background === undefined ? undefined : new vscode.ThemeColor(`statusBarItem.${look.background}Background`);
    const tooltip = new vscode.MarkdownString();
    tooltip.appendText(look.text);
    for (const [project, runs] of this.daemons.known) {
      tooltip.appendMarkdown("\n\n").appendText(`${path.basename(project)}: the daemon ${runs ? "is watching" : "is not running"}.`);
    }
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: `assetdb: ${look.text}` };
    if (settings.showsStatusBar()) this.item.show();
    else this.item.hide();
  }

  /** Let the user pick what to do. */
  async menu(): Promise<void> {
    const title = lookOf(this.supervisor.state).text;
    const choice = await vscode.window.showQuickPick(CHOICES, { title, placeHolder: "assetdb" });
    if (choice !== undefined) await vscode.commands.executeCommand(choice.command);
  }

  dispose(): void {
    for (const registration of this.registrations) registration.dispose();
    this.item.dispose();
  }
}
