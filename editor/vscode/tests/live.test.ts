import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { suite, test } from "node:test";

import * as vscode from "vscode";

import { type Session, begin, status, untilRunning } from "./support/session";
import { Fixture, noServer, program } from "./support/real";
import { World, editor, until } from "./support/world";

/** The extension with the real assetdb, on a copy of the fixture. */
async function inFixture(play: (fixture: Fixture) => Promise<void>): Promise<void> {
  editor.reset();
  const world = new World();
  const fixture = new Fixture();
  let session: Session | undefined;
  try {
    editor.userSettings.set("assetdb.path", program);
    editor.folders = [fixture.project];
    session = await begin(world);
    await untilRunning();
    await play(fixture);
  } finally {
    await editor.run("assetdb.stopDaemon");
    await session?.end();
    fixture.remove();
    world.remove();
  }
}

const token = new vscode.CancellationTokenSource().token;

suite("the extension with the real assetdb", { skip: noServer }, () => {
  test("shows names by hover and as hints, and leads to the script", () =>
    inFixture(async (fixture) => {
      const opened = editor.open(fixture.file("Assets/Documents/Settings.asset"), "unity-yaml");
      const document = opened as unknown as vscode.TextDocument;
      const { line, character } = opened.find("d1c74252c1f6ad0ccea4a18ab1a04ee8", 5);
      const position = new vscode.Position(line, character);
      const hover = await (editor.provider("Hover", opened) as vscode.HoverProvider).provideHover(document, position, token);
      assert.match(JSON.stringify(hover?.contents), /Item\.cs/);
      const hints = await (editor.provider("InlayHints", opened) as vscode.InlayHintsProvider).provideInlayHints(document, new vscode.Range(0, 0, 40, 0), token);
      assert.ok(hints?.some((hint) => hint.position.line === position.line && JSON.stringify(hint.label).includes("Item.cs")));
      const found = await (editor.provider("Definition", opened) as vscode.DefinitionProvider).provideDefinition(document, position, token);
      assert.match(JSON.stringify(found), /Assets\/Scripts\/Item\.cs/);
      assert.deepEqual(editor.messages, []);
    }));

  test("problems of files that nobody opened are shown, unless that is switched off", () =>
    inFixture(async (fixture) => {
      const place = vscode.Uri.file(fixture.file("Assets/Documents/Headless.asset")).toString();
      await until("the whole project is checked", () => JSON.stringify(editor.diagnostics.get(place) ?? []).includes("broken-asset"));
      editor.set("assetdb.diagnostics.project", false); // the server is started anew
      editor.open(fixture.file("Assets/Prefabs/Variant.prefab"), "unity-yaml");
      await until("it is taken back", () => (editor.diagnostics.get(place) ?? []).length === 0);
    }));

  test("the left side of a diff has names and no problems", () =>
    inFixture(async (fixture) => {
      const opened = editor.openAs(fixture.file("Assets/Documents/Settings.asset"), "unity-yaml", "git", '{"ref":"HEAD"}');
      const document = opened as unknown as vscode.TextDocument;
      const { line, character } = opened.find("d1c74252c1f6ad0ccea4a18ab1a04ee8", 5);
      const hover = await (editor.provider("Hover", opened) as vscode.HoverProvider).provideHover(document, new vscode.Position(line, character), token);
      assert.match(JSON.stringify(hover?.contents), /Item\.cs/);
      const hints = await (editor.provider("InlayHints", opened) as vscode.InlayHintsProvider).provideInlayHints(document, new vscode.Range(0, 0, 40, 0), token);
      assert.ok(hints?.some((hint) => JSON.stringify(hint.label).includes("Item.cs")));
    }));

  test("a lens opens the editor's list of usages", () =>
    inFixture(async (fixture) => {
      const opened = editor.open(fixture.file("Assets/Scripts/Item.cs"), "csharp");
      const provider = editor.provider("CodeLens", opened) as vscode.CodeLensProvider;
      const lenses = await provider.provideCodeLenses(opened as unknown as vscode.TextDocument, token);
      assert.ok(lenses?.[0]);
      const lens = (await provider.resolveCodeLens?.(lenses[0], token)) ?? lenses[0];
      assert.match(lens.command?.title ?? "", /\d+ usages/);
      await editor.run(lens.command?.command ?? "", ...((lens.command?.arguments ?? []) as unknown[]));
      const shown = editor.executed.find(({ command }) => command === "editor.action.showReferences");
      const locations = shown?.args[2] as vscode.Location[];
      assert.ok(locations.some(({ uri }) => uri.fsPath === fixture.file("Assets/Documents/Settings.asset")));
    }));

  test("Find Usages says which object refers, by which property", () =>
    inFixture(async (fixture) => {
      const script = vscode.Uri.file(fixture.file("Assets/Scripts/Item.cs"));
      await editor.run("assetdb.findUsages", script, [script]);
      const view = editor.trees.get("assetdb.usages");
      assert.match(view?.message ?? "", /^\d+ references in 7 files to Assets\/Scripts\/Item\.cs; 2 files could not be read/);
      const tree = view?.treeDataProvider as vscode.TreeDataProvider<unknown>;
      const [file] = (await tree.getChildren()) ?? [];
      const [reference] = (await tree.getChildren(file)) ?? [];
      const item = await tree.getTreeItem(reference);
      assert.equal(item.label, "Sword (Item)");
      assert.equal(item.description, "m_Script");
    }));

  test("the daemon is started, seen and stopped", () =>
    inFixture(async () => {
      await editor.run("assetdb.startDaemon");
      assert.match(status(), /Game: the daemon is watching\.$/);
      await editor.run("assetdb.stopDaemon");
      assert.match(status(), /Game: the daemon is not running\.$/);
    }));

  test("from a save to new names: hints are refreshed, with the daemon and without", () =>
    inFixture(async (fixture) => {
      const opened = editor.open(fixture.file("Assets/Prefabs/Nested.prefab"), "unity-yaml");
      const provider = editor.provider("InlayHints", opened) as vscode.InlayHintsProvider;
      let refreshed = 0;
      provider.onDidChangeInlayHints?.(() => (refreshed += 1));
      const labels = async (): Promise<string> => {
        const hints = await provider.provideInlayHints(opened as unknown as vscode.TextDocument, new vscode.Range(0, 0, 40, 0), token);
        return JSON.stringify(hints?.map(({ label }) => label));
      };
      for (const [before, after, daemon] of [["Base", "Sockel", false], ["Sockel", "Fundament", true]] as const) {
        if (daemon) await editor.run("assetdb.startDaemon");
        assert.match(await labels(), new RegExp(before));
        const seen = refreshed;
        for (const suffix of [".prefab", ".prefab.meta"]) {
          renameSync(fixture.file(`Assets/Prefabs/${before}${suffix}`), fixture.file(`Assets/Prefabs/${after}${suffix}`));
          editor.createWatched(fixture.file(`Assets/Prefabs/${after}${suffix}`));
        }
        await until(`hints are to be asked for again (${after})`, () => refreshed > seen);
        let shown = "";
        await until(`the new name is shown (${after})`, () => {
          void labels().then((text) => (shown = text));
          return shown.includes(after);
        });
      }
    }));
});
