/** Offers to install assetdb, and does it when that is clicked; says what is the matter where no server runs. */
import os from "node:os";
import path from "node:path";

import * as vscode from "vscode";

import type { Run } from "./process";
import { CancelledError, InstallError, install } from "./server/environment";
import { OLDEST_PYTHON, type Python, findPython } from "./server/pythons";
import type { State, Supervisor } from "./server/supervisor";
import { IS_PUBLISHED, REQUIREMENT } from "./server/version";
import { settings } from "./settings";

const INSTALL = IS_PUBLISHED ? "Install" : "Install a Wheel…";
const RELEASES = "Open Releases";
const CHOOSE = "Choose a Program…";
const NEVER = "Do Not Ask Again";
const LOG = "Show Log";
const SETTINGS = "Open Settings";
const AGAIN = "Try Again";
const RESTART = "Restart";
const DOWNLOAD = "Get Python";
const DOWNLOADS = "https://www.python.org/downloads/";

export class Installer {
  private working = false;
  private told: State["kind"] | undefined;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly storage: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly run: Run,
    /** The address of the repository; undefined in a build of one's own. */
    private readonly repository: string | undefined,
  ) {}

  /** Say what is the matter, once each time that it comes to be so; `asked` where the user wanted something of assetdb. */
  async tell(state: State, asked: boolean): Promise<void> {
    if (this.working || (!asked && this.told === state.kind)) return;
    if (state.kind === "missing") {
      this.told = state.kind;
      if (asked || settings.offersInstall()) await this.offer(state.reasons);
    } else if (state.kind === "setting-unusable") {
      this.told = state.kind;
      const message = `assetdb: the setting assetdb.path cannot be used: ${state.program} ${state.reason}.`;
      if ((await vscode.window.showErrorMessage(message, SETTINGS)) === SETTINGS) {
        await vscode.commands.executeCommand("workbench.action.openSettings", "assetdb.path");
      }
    } else if (state.kind === "failed") {
      this.told = state.kind;
      const choice = await vscode.window.showErrorMessage(`assetdb: the server does not run: ${state.reason}.`, RESTART, LOG);
      if (choice === LOG) this.log.show();
      if (choice === RESTART) await this.supervisor.restart();
    } else if (state.kind === "running") {
      this.told = undefined;
    }
  }

  private async offer(reasons: readonly string[]): Promise<void> {
    const but = reasons.length === 0 ? "" : ` (${reasons[0] ?? ""})`;
    const message =
      `assetdb was not found${but}. Names, usages and problems of Unity's files come from it. ` +
      `Install ${IS_PUBLISHED ? "it" : "a wheel of its releases"} into an environment of its own, which this extension keeps?`;
    const releases = IS_PUBLISHED || this.repository === undefined ? [] : [RELEASES];
    const choice = await vscode.window.showInformationMessage(message, INSTALL, CHOOSE, ...releases, NEVER);
    if (choice === RELEASES) await vscode.env.openExternal(vscode.Uri.parse(`${this.repository}/releases`));
    if (choice === INSTALL) await this.install();
    else if (choice === CHOOSE) await this.choose();
    else if (choice === NEVER) await settings.stopOffering();
  }

  private async choose(): Promise<void> {
    const [file] = (await vscode.window.showOpenDialog({ canSelectMany: false, openLabel: "Use", title: "The program assetdb" })) ?? [];
    if (file === undefined) return;
    await vscode.workspace.getConfiguration("assetdb").update("path", file.fsPath, vscode.ConfigurationTarget.Global);
  }

  /** Install or update: only ever called by a click. */
  async install(): Promise<void> {
    if (this.working) {
      void vscode.window.showInformationMessage("assetdb is being installed.");
      return;
    }
    this.working = true;
    let failure: InstallError | undefined;
    try {
      const python = await this.python();
      if (python === undefined) return;
      const what = IS_PUBLISHED ? REQUIREMENT : await this.wheel();
      if (what === undefined) return;
      await this.installWith(python, what);
    } catch (error) {
      if (error instanceof CancelledError) {
        this.log.info("the installation was cancelled; nothing has changed");
        void vscode.window.showInformationMessage("assetdb: the installation was cancelled; nothing has changed.");
        return;
      }
      failure = error instanceof InstallError ? error : new InstallError(String(error), "The log has all that was said.");
    } finally {
      this.working = false;
    }
    if (failure === undefined) await this.installed();
    else await this.failed(failure);
  }

  private async python(): Promise<Python | undefined> {
    const around = {
      platform: process.platform,
      path: process.env["PATH"] ?? "",
      home: os.homedir(),
      configured: settings.python(),
      folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
    };
    const { python, tooOld } = await findPython(around, this.run, this.storage);
    if (python !== undefined) return python;
    const wanted = OLDEST_PYTHON.join(".");
    const [old] = tooOld;
    const found = old === undefined ? "none was found" : `only ${old.version} was found (${old.program})`;
    const where = around.configured === "" ? "" : " under the setting assetdb.python";
    const message = `assetdb needs Python ${wanted} or later, and ${found}${where}. Install one, or name it in the setting assetdb.python.`;
    this.log.error(message);
    const choice = await vscode.window.showErrorMessage(message, DOWNLOAD, SETTINGS);
    if (choice === DOWNLOAD) await vscode.env.openExternal(vscode.Uri.parse(DOWNLOADS));
    if (choice === SETTINGS) await vscode.commands.executeCommand("workbench.action.openSettings", "assetdb.python");
    return undefined;
  }

  /** Have the user choose a wheel of assetdb; undefined where none is chosen. */
  private async wheel(): Promise<string | undefined> {
    const options = { canSelectMany: false, openLabel: "Install", title: "A wheel of assetdb (assetdb-….whl)", filters: { Wheels: ["whl"] } };
    const [file] = (await vscode.window.showOpenDialog(options)) ?? [];
    if (file === undefined || /^assetdb-[^/]*\.whl$/.test(path.basename(file.fsPath))) return file?.fsPath;
    throw new InstallError(`${path.basename(file.fsPath)} is not a wheel of assetdb`, "Choose a file called assetdb-….whl.");
  }

  private async installWith(python: Python, what: string): Promise<void> {
    const options = { location: vscode.ProgressLocation.Notification, title: "assetdb", cancellable: true };
    await vscode.window.withProgress(options, async (progress, token) => {
      const control = new AbortController();
      token.onCancellationRequested(() => {
        control.abort();
      });
      await install({
        python,
        what,
        storage: this.storage,
        platform: process.platform,
        run: this.run,
        signal: control.signal,
        step: (text) => {
          this.log.info(text);
          progress.report({ message: text });
        },
        line: (text) => {
          this.log.info(text);
        },
      });
    });
  }

  private async installed(): Promise<void> {
    await this.supervisor.restart();
    const { state } = this.supervisor;
    if (state.kind !== "running") return; // what is the matter then is said by tell()
    void vscode.window.showInformationMessage(`assetdb ${state.version} runs, found by ${state.source}.`);
  }

  private async failed(failure: InstallError): Promise<void> {
    this.log.error(failure.message);
    const choice = await vscode.window.showErrorMessage(`assetdb: ${failure.message}. ${failure.advice}`, AGAIN, LOG);
    if (choice === LOG) this.log.show();
    if (choice === AGAIN) await this.install();
  }
}
