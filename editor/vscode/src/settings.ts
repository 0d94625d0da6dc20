/** What the user has settled. */
import * as vscode from "vscode";

const SECTION = "assetdb";

interface Inspected<T> {
  readonly defaultValue?: T;
  readonly globalValue?: T;
}

/** Return a setting as the user has it for himself, whatever a workspace says. */
function own<T>(name: string, fallback: T): T {
  const found: Inspected<T> | undefined = vscode.workspace.getConfiguration(SECTION).inspect<T>(name);
  return found?.globalValue ?? found?.defaultValue ?? fallback;
}

function get<T>(name: string, fallback: T, scope?: vscode.ConfigurationScope): T {
  return vscode.workspace.getConfiguration(SECTION, scope).get<T>(name) ?? fallback;
}

export const settings = {
  /**
   * The program to run, "" where it is to be looked for. What a workspace says of it counts only where it is trusted:
   * the editor sees to that (restrictedConfigurations), and we do as well, as a program is run.
   */
  path: (): string => (vscode.workspace.isTrusted ? get("path", "") : own("path", "")),
  python: (): string => own("python", ""),
  offersInstall: (): boolean => own("offerInstall", true),
  startsDaemon: (): boolean => own("daemon.startWithEditor", false),
  /** Where builds lie; what a workspace that is not trusted says is no path that is read. */
  builds: (place: vscode.Uri): readonly string[] =>
    (vscode.workspace.isTrusted ? get<unknown[]>("builds", [], place) : own<unknown[]>("builds", [])).filter((build) => typeof build === "string"),
  showsStatusBar: (): boolean => get("statusBar.enabled", true),
  showsInlayHints: (place: vscode.Uri): boolean => get("inlayHints.enabled", true, place),
  showsCodeLens: (place: vscode.Uri): boolean => get("codeLens.enabled", true, place),
  showsDiagnostics: (place: vscode.Uri): boolean => get("diagnostics.enabled", true, place),

  /** Whether files that are not open have findings, too. */
  showsProjectDiagnostics: (): boolean => get<boolean>("diagnostics.enabled", true) && get<boolean>("diagnostics.project", true),

  async stopOffering(): Promise<void> {
    await vscode.workspace.getConfiguration(SECTION).update("offerInstall", false, vscode.ConfigurationTarget.Global);
  },
  /** Whether a change touches one of these settings. */
  touches: (change: vscode.ConfigurationChangeEvent, ...names: string[]): boolean =>
    names.some((name) => change.affectsConfiguration(`${SECTION}.${name}`)),
};
