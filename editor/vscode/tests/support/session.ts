/** The extension, activated in the stub as the editor does it, and deactivated at the end. */
import * as vscode from "vscode";

import { activate, deactivate } from "../../src/extension";
import { editor, until, type World } from "./world";

export interface Session {
  end(): Promise<void>;
}

/** Activate the extension; what was set in `editor` before stands. */
export async function begin(world: World): Promise<Session> {
  const subscriptions: { dispose(): unknown }[] = [];
  const context = { globalStorageUri: vscode.Uri.file(world.storage), extension: { packageJSON: {} }, subscriptions };
  await activate(context as unknown as vscode.ExtensionContext);
  return {
    async end() {
      await deactivate();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** Run a test in a world of its own, with an editor in which nothing happened yet. */
export async function inWorld(world: World, test: () => Promise<void>): Promise<void> {
  try {
    await test();
  } finally {
    world.remove();
    editor.reset();
  }
}

/** The line of the status bar. */
export function status(): string {
  return editor.statusItems[0]?.tooltip?.value ?? "";
}

export async function untilRunning(): Promise<void> {
  await until("the server runs", () => status().startsWith("The server is running"));
}
