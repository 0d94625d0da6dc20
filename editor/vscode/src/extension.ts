/** The extension: what runs when the editor opens a Unity project. */
import { mkdir } from "node:fs/promises";

import * as vscode from "vscode";

import { AssetDb, CommandError } from "./assetdb";
import { whyInBuild } from "./commands/build";
import { copyGuid, copyReference } from "./commands/copy";
import { showInGraph } from "./commands/graph";
import { resolveMerge } from "./commands/resolve";
import { findUsages, showUsages } from "./commands/usages";
import { Daemons } from "./daemons";
import { Installer } from "./installer";
import { run } from "./process";
import { AssetError } from "./project/assets";
import { chooseProject, projects } from "./project/roots";
import { Reports } from "./report";
import { onInterpreterChange } from "./server/python-extension";
import { Supervisor } from "./server/supervisor";
import { settings } from "./settings";
import { StatusBar } from "./status";
import { Tasks } from "./tasks";
import { UsagesView } from "./usages-view";

let supervisor: Supervisor | undefined;

type Command = (...args: unknown[]) => unknown;

/** Register commands; what they cannot do is said to the user, and is no defect of the extension. */
function register(context: vscode.ExtensionContext, log: vscode.LogOutputChannel, commands: Readonly<Record<string, Command>>): void {
  for (const [name, command] of Object.entries(commands)) {
    const guarded = async (...args: unknown[]): Promise<void> => {
      try {
        await command(...args);
      } catch (error) {
        if (error instanceof vscode.CancellationError) return;
        if (!(error instanceof CommandError || error instanceof AssetError)) throw error;
        log.warn(`${name}: ${error.message}`);
        void vscode.window.showWarningMessage(`assetdb: ${error.message}.`);
      }
    };
    context.subscriptions.push(vscode.commands.registerCommand(`assetdb.${name}`, guarded));
  }
}

/** Return what a command was given for: what the explorer was clicked on, else the file in the editor. */
function placeOf(given: unknown): vscode.Uri | undefined {
  return given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
}

/** Return the address of the repository that the package was released from. */
function repositoryOf({ extension }: vscode.ExtensionContext): string | undefined {
  const { repository } = extension.packageJSON as { repository?: { url?: string } };
  return repository?.url?.replace(/\.git$/, "");
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("assetdb", { log: true });
  const storage = context.globalStorageUri.fsPath;
  await mkdir(storage, { recursive: true });
  const server = new Supervisor(storage, log, run);
  supervisor = server;
  const installer = new Installer(server, storage, log, run, repositoryOf(context));
  const background = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      log.error(error instanceof Error ? error : String(error));
    });
  };

  const assetdb = new AssetDb(run, storage, log, {
    get program() {
      return server.program;
    },
    async obtain() {
      if (server.program === undefined) await server.start();
      if (server.program === undefined) background(installer.tell(server.state, true));
      return server.program;
    },
  });
  const daemons = new Daemons(assetdb, log);
  const view = new UsagesView();
  const reports = new Reports(assetdb);
  const status = new StatusBar(server, daemons);
  context.subscriptions.push(log, server, daemons, view, reports, status, new Tasks(assetdb));

  register(context, log, {
    findUsages: (first, all) => findUsages(assetdb, view, first, all),
    showInGraph: (first, all) => showInGraph(assetdb, first, all),
    whyInBuild: (first, all) => whyInBuild(assetdb, reports, first, all),
    resolveMerge: (place) => resolveMerge(assetdb, placeOf(place)),
    copyGuid,
    copyReference,
    clearUsages: () => view.clear(),
    openReport: async (place) => {
      const project = await chooseProject(placeOf(place), "Open report of problems");
      if (project === undefined) throw new CommandError("there is no Unity project in this workspace");
      await reports.open(project);
    },
    startDaemon: (place) => daemons.toggle("start", placeOf(place)),
    stopDaemon: (place) => daemons.toggle("stop", placeOf(place)),
    restartServer: () => server.restart(),
    showLog: () => {
      log.show();
    },
    install: () => installer.install(),
    showMenu: () => status.menu(),
    showUsages: (position, ...words) => showUsages(server.running, position as vscode.Position, words as string[]),
  });

  let begun = false;
  let follows = false;
  const followInterpreter = async (): Promise<void> => {
    if (follows || !vscode.workspace.isTrusted) return;
    follows = true;
    const registration = await onInterpreterChange(() => {
      background(server.reconsider());
    });
    if (registration !== undefined) context.subscriptions.push(registration);
  };
  const begin = async (): Promise<void> => {
    if (begun) return;
    begun = true;
    await vscode.commands.executeCommand("setContext", "assetdb.active", true);
    await server.start();
    background(followInterpreter());
    if (server.program === undefined) return;
    await daemons.refresh();
    if (vscode.workspace.isTrusted && settings.startsDaemon()) await daemons.startAll();
  };
  const beginInProject = async (): Promise<void> => {
    if ((await projects()).length > 0) await begin();
  };

  context.subscriptions.push(
    server.onDidChange((state) => {
      background(installer.tell(state, false));
      if (state.kind === "running") daemons.refreshSoon();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (begun && settings.touches(change, "path")) background(server.reconsider());
      if (begun && settings.touches(change, "diagnostics", "codeLens", "inlayHints")) background(server.restart());
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      background(begun ? server.reconsider().then(followInterpreter) : beginInProject());
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      // The client tells a server that runs; where none does, a new folder may bring one.
      if (!begun) background(beginInProject());
      else if (server.program === undefined) background(server.start());
      daemons.refreshSoon();
    }),
    vscode.workspace.onDidOpenTextDocument(({ languageId }) => {
      if (!begun && languageId === "unity-yaml") background(beginInProject());
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused && begun && server.program !== undefined) daemons.refreshSoon();
    }),
  );
  background(beginInProject());
}

export async function deactivate(): Promise<void> {
  await supervisor?.stop();
  supervisor = undefined;
}
