import assert from "node:assert/strict";
import os from "node:os";
import path from "node:path";
import { suite, test } from "node:test";

import * as vscode from "vscode";

import { type Session, begin, status, untilRunning } from "./support/session";
import { World, editor, noShell, until } from "./support/world";

const GUID = "c6f94db53433f931df0f976fe2f1be9a";
const META = `fileFormatVersion: 2\nguid: ${GUID}\nNativeFormatImporter:\n  mainObjectFileID: 2100000\n`;
const STOPPED = { status: { stdout: '{"running": false}\n', code: 1 } };

async function inWorld(play: (world: World, start: () => Promise<Session>) => Promise<void>): Promise<void> {
  editor.reset();
  const world = new World();
  const sessions: Session[] = [];
  try {
    await play(world, async () => {
      const session = await begin(world);
      sessions.push(session);
      return session;
    });
  } finally {
    for (const session of sessions) await session.end();
    world.remove();
  }
}

/** The commands that were executed, without those that every activation has. */
function executed(): string[] {
  return editor.executed.map(({ command }) => command).filter((command) => command !== "setContext");
}

suite("activation", { skip: noShell }, () => {
  test("in a project starts the server, outside of any folder of the workspace, and says so", () =>
    inWorld(async (world, start) => {
      const program = world.assetdb("bin/assetdb", { answers: STOPPED });
      editor.folders = [world.project("Game")];
      await start();
      await untilRunning();
      const lsp = world.journal().find(({ args }) => args?.[0] === "lsp");
      assert.deepEqual(lsp?.args, ["lsp"]);
      assert.equal(lsp.cwd, world.storage);
      assert.match(status(), /assetdb 9\.9\.9, found by PATH/);
      assert.equal(editor.statusItems[0]?.text, "$(check) assetdb");
      assert.ok(editor.statusItems[0].visible);
      assert.equal(editor.contexts.get("assetdb.active"), true);
      assert.deepEqual(editor.messages, []);
      assert.ok(editor.log.some((line) => line.includes(program)));
    }));

  test("without a project does nothing, until a file of one is opened", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { answers: STOPPED });
      world.write("plain/readme.md", "");
      editor.folders = [path.join(world.root, "plain")];
      await start();
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(world.journal(), []);
      assert.equal(editor.contexts.get("assetdb.active"), undefined);
      editor.open(world.write(path.join(world.project("Game"), "Assets/Red.mat"), "%YAML 1.1\n"), "unity-yaml");
      await untilRunning();
    }));

  test("all commands of the manifest are registered, and all that are registered are in it", () =>
    inWorld(async (world, start) => {
      const session = await start();
      const manifest = (await import("../package.json")).default;
      const contributed = manifest.contributes.commands.map(({ command }) => command);
      assert.deepEqual([...editor.commands.keys()].sort(), [...contributed, "assetdb.showUsages"].sort());
      await session.end();
      assert.deepEqual([...editor.commands.keys()], []);
      world.remove();
    }));

  test("deactivation ends the server in order", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { answers: STOPPED });
      editor.folders = [world.project("Game")];
      const session = await start();
      await untilRunning();
      const pid = world.journal().find(({ method }) => method === "initialize")?.pid ?? 0;
      await session.end();
      await until("the server has gone", () => world.journal().some(({ method }) => method === "exit"));
      await until("its process has gone", () => {
        try {
          process.kill(pid, 0);
          return false;
        } catch {
          return true;
        }
      });
    }));

  test("one client serves all folders, those of nested projects and later ones, too", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { answers: STOPPED });
      editor.folders = [world.project("Game"), world.project("repo/client")];
      await start();
      await untilRunning();
      editor.addFolder(world.project("Third"));
      const told = (): (string[] | undefined)[] => world.journal().filter(({ method }) => method === "workspace/didChangeWorkspaceFolders").map(({ folders }) => folders);
      await until("the server knows the new folder", () => told().length === 2);
      const begun = world.journal().filter(({ method }) => method === "initialize");
      assert.deepEqual(begun.map(({ folders }) => folders), [[`file://${world.root}/Game`, `file://${world.root}/repo/client`]]);
      assert.deepEqual(told(), [begun[0]?.folders, [`file://${world.root}/Third`]]);
    }));
});

suite("trust", { skip: noShell }, () => {
  test("until it is given nothing of the workspace is run, whatever its settings say; then it is", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      world.assetdb("Game/.venv/bin/assetdb", { answers: STOPPED });
      const own = world.assetdb("Game/tools/assetdb", { answers: STOPPED });
      world.python("Game/.venv/bin/python3.11");
      process.env["PATH"] = `${game}/.venv/bin`;
      let interpreterAsked = 0;
      editor.extensions.set("ms-python.python", {
        isActive: true,
        exports: { environments: { getActiveEnvironmentPath: () => (interpreterAsked += 1) } },
      });
      editor.folders = [game];
      editor.trusted = false;
      editor.workspaceSettings.set("assetdb.path", own);
      editor.workspaceSettings.set("assetdb.python", path.join(game, ".venv/bin/python3.11"));
      editor.workspaceSettings.set("assetdb.daemon.startWithEditor", true);
      editor.click = ({ items }) => items.find((item) => item.startsWith("Install"));
      await start();
      await until("it is said that there is no Python", () => editor.messages.some(({ kind }) => kind === "error"));
      assert.deepEqual(world.journal(), []);
      assert.deepEqual(world.pythonJournal(), []);
      assert.equal(interpreterAsked, 0);
      assert.match(status(), /^assetdb was not found/);
      editor.trusted = true;
      editor.events.trust.fire(undefined);
      await untilRunning();
      assert.match(status(), /found by the setting assetdb.path/);
      assert.ok(world.journal().every(({ program }) => program === "Game/tools/assetdb"));
      assert.ok(!world.commandsOf("Game/tools/assetdb").includes("watch"));
    }));

  test("the interpreter that the Python extension has chosen counts, and so does another choice", () =>
    inWorld(async (world, start) => {
      world.assetdb("one/bin/assetdb", { answers: STOPPED });
      world.assetdb("two/bin/assetdb", { answers: STOPPED });
      editor.folders = [world.project("Game")];
      let chosen = "one";
      const changes = new vscode.EventEmitter<undefined>();
      editor.extensions.set("ms-python.python", {
        isActive: false,
        activate: () =>
          Promise.resolve({
            environments: {
              getActiveEnvironmentPath: () => ({ path: path.join(world.root, chosen) }),
              resolveEnvironment: ({ path: folder }: { path: string }) => Promise.resolve({ executable: { uri: vscode.Uri.file(`${folder}/bin/python`) } }),
              onDidChangeActiveEnvironmentPath: changes.event,
            },
          }),
      });
      await start();
      await untilRunning();
      assert.match(status(), /found by the Python extension/);
      assert.ok(world.commandsOf("one/bin/assetdb").includes("lsp"));
      await new Promise((resolve) => setTimeout(resolve, 50));
      chosen = "two";
      changes.fire(undefined);
      await until("the other one runs", () => world.commandsOf("two/bin/assetdb").includes("lsp"));
      await until("the first has ended", () => world.journal().some(({ program, method }) => program === "one/bin/assetdb" && method === "exit"));
    }));
});

const WHEEL = "/wheels/assetdb-0.1.0-py3-none-any.whl";

suite("where there is no assetdb", { skip: noShell }, () => {
  test("it is offered once; a click installs it, and the server runs", () =>
    inWorld(async (world, start) => {
      world.python("bin/python3.11", { installs: { answers: STOPPED } });
      editor.chosenFile = WHEEL;
      editor.folders = [world.project("Game")];
      editor.click = ({ items }) => items.find((item) => item.startsWith("Install"));
      await start();
      await untilRunning();
      await until("that is said", () => editor.messages.length === 2);
      assert.match(editor.messages[0]?.text ?? "", /^assetdb was not found\. .*Install a wheel of its releases into an environment of its own/);
      assert.deepEqual(editor.messages[0]?.items, ["Install a Wheel…", "Choose a Program…", "Do Not Ask Again"]);
      assert.equal(editor.messages[1]?.text, "assetdb 9.9.9 runs, found by the extension.");
      assert.ok(world.pythonJournal().some((line) => line.endsWith(`--progress-bar off ${WHEEL}`)), "nothing is installed by name");
      assert.deepEqual(editor.progress, ["making an environment with Python 3.11.4", "installing assetdb", "trying it"]);
    }));

  test("a wheel of something else is refused", () =>
    inWorld(async (world, start) => {
      world.python("bin/python3.11");
      editor.chosenFile = "/wheels/other-1.0-py3-none-any.whl";
      editor.folders = [world.project("Game")];
      editor.click = ({ items }) => items.find((item) => item.startsWith("Install"));
      await start();
      await until("that is said", () => editor.messages.length === 2);
      assert.match(editor.messages[1]?.text ?? "", /^assetdb: other-1\.0-py3-none-any\.whl is not a wheel of assetdb\. Choose a file/);
      assert.ok(!world.pythonJournal().some((line) => line.includes("pip install")));
    }));

  test("without a click nothing is installed, and one may say never again", () =>
    inWorld(async (world, start) => {
      world.python("bin/python3.11");
      editor.folders = [world.project("Game")];
      const session = await start();
      await until("it is offered", () => editor.messages.length === 1);
      await editor.run("assetdb.restartServer");
      assert.equal(editor.messages.length, 1);
      editor.click = ({ items }) => items.find((item) => item === "Do Not Ask Again");
      await editor.run("assetdb.openReport");
      await until("that is settled", () => editor.userSettings.get("assetdb.offerInstall") === false);
      assert.deepEqual(world.pythonJournal(), []);
      await session.end();
      editor.messages = [];
      editor.statusItems = [];
      await start();
      await until("the search is over", () => status().startsWith("assetdb was not found"));
      assert.deepEqual(editor.messages, []);
    }));

  test("cancelled: said, and nothing has changed", () =>
    inWorld(async (world, start) => {
      world.python("bin/python3.11", { pip: "sleep 30" });
      editor.chosenFile = WHEEL;
      editor.folders = [world.project("Game")];
      editor.click = ({ items }) => items.find((item) => item.startsWith("Install"));
      editor.cancels = (message) => message === "installing assetdb";
      await start();
      await until("that is said", () => editor.messages.length === 2);
      assert.equal(editor.messages[1]?.text, "assetdb: the installation was cancelled; nothing has changed.");
      assert.match(status(), /^assetdb was not found/);
    }));

  test("failed: said with what to do; trying again works", () =>
    inWorld(async (world, start) => {
      world.python("bin/python3.11", { pip: "echo 'NewConnectionError: Network is unreachable' >&2; exit 1" });
      editor.chosenFile = WHEEL;
      editor.folders = [world.project("Game")];
      editor.click = ({ items }) => {
        if (items.includes("Try Again")) world.python("bin/python3.11", { installs: { answers: STOPPED } });
        return items.find((item) => item.startsWith("Install") || item === "Try Again");
      };
      await start();
      await untilRunning();
      const failure = editor.messages.find(({ kind }) => kind === "error");
      assert.match(failure?.text ?? "", /^assetdb: cannot install assetdb: the package index cannot be reached\. Look whether this machine is online/);
      assert.ok(editor.log.some((line) => line.includes("Network is unreachable")));
    }));

  test("no Python that is new enough: said, with where to get one", () =>
    inWorld(async (world, start) => {
      world.python("bin/python3", { version: "3 9 2" });
      editor.folders = [world.project("Game")];
      editor.click = ({ items }) => items.find((item) => item.startsWith("Install") || item === "Get Python");
      await start();
      await until("the page is opened", () => editor.opened.length === 1);
      assert.match(editor.messages[1]?.text ?? "", /^assetdb needs Python 3\.11 or later, and only 3\.9\.2 was found \(.*python3\)/);
      assert.deepEqual(editor.opened, ["https://www.python.org/downloads/"]);
    }));

  test("a program that is chosen is run at once", () =>
    inWorld(async (world, start) => {
      editor.chosenFile = world.assetdb("tools/assetdb", { answers: STOPPED });
      editor.folders = [world.project("Game")];
      editor.click = ({ items }) => items.find((item) => item === "Choose a Program…");
      await start();
      await untilRunning();
      assert.match(status(), /found by the setting assetdb.path/);
    }));

  test("a setting that cannot be used is said, and mended without a restart of the editor", () =>
    inWorld(async (world, start) => {
      const program = world.assetdb("tools/assetdb", { answers: STOPPED });
      world.assetdb("bin/assetdb", { answers: STOPPED });
      editor.userSettings.set("assetdb.path", "/nowhere/assetdb");
      editor.folders = [world.project("Game")];
      editor.click = ({ items }) => items.find((item) => item === "Open Settings");
      await start();
      await until("it is said", () => executed().includes("workbench.action.openSettings"));
      assert.equal(editor.messages[0]?.text, "assetdb: the setting assetdb.path cannot be used: /nowhere/assetdb is not there.");
      assert.equal(editor.statusItems[0]?.backgroundColor?.id, "statusBarItem.errorBackground");
      editor.set("assetdb.path", program);
      await untilRunning();
      assert.deepEqual(world.commandsOf("bin/assetdb"), []);
    }));
});

suite("a server that fails", { skip: noShell }, () => {
  test("that ends at once is said, with a way out", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { server: "ends", answers: STOPPED });
      editor.folders = [world.project("Game")];
      editor.click = ({ items }) => items.find((item) => item === "Show Log");
      await start();
      await until("the log is shown", () => editor.logShown === 1);
      const reason = "the server does not run: no such command: assetdb lsp (see: assetdb --help).";
      assert.deepEqual(editor.messages.map(({ text, items }) => [text, items]), [[`assetdb: ${reason}`, ["Restart", "Show Log"]]]);
      assert.match(status(), /^The server does not run: no such command: assetdb lsp/);
      assert.equal(world.commandsOf("bin/assetdb").filter((word) => word === "lsp").length, 1);
    }));

  test("that ends later is started again, but not for ever; then a restart works", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { server: "dies-at-hover", answers: STOPPED });
      const document = editor.open(world.write(path.join(world.project("Game"), "Assets/Red.mat"), "%YAML 1.1\n"), "unity-yaml");
      editor.folders = [path.join(world.root, "Game")];
      await start();
      await untilRunning();
      const position = new vscode.Position(0, 0);
      const begun = (): number => world.journal().filter(({ method }) => method === "initialize").length;
      for (let time = 1; time <= 5; time++) {
        await until(`start ${time}`, () => begun() === time && (editor.providers.get("Hover") ?? []).length > 0);
        const hovers = (): number => world.journal().filter(({ method }) => method === "textDocument/hover").length;
        while (hovers() < time) {
          const hover = editor.provider("Hover", document) as vscode.HoverProvider;
          await Promise.resolve(hover.provideHover(document as unknown as vscode.TextDocument, position, new vscode.CancellationTokenSource().token)).catch(() => undefined);
        }
      }
      await until("it is given up", () => status().startsWith("The server does not run: it ended again and again"));
      assert.equal(begun(), 5);
      world.assetdb("bin/assetdb", { answers: STOPPED });
      await editor.run("assetdb.restartServer");
      await untilRunning();
    }));
});

suite("what the server says", { skip: noShell }, () => {
  test("reaches the editor, and each kind can be switched off", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { answers: STOPPED });
      const game = world.project("Game");
      editor.folders = [game];
      await start();
      await untilRunning();
      const file = world.write(path.join(game, "Assets/Red.mat"), "%YAML 1.1\n");
      const document = editor.open(file, "unity-yaml");
      const token = new vscode.CancellationTokenSource().token;
      const given = document as unknown as vscode.TextDocument;
      const all = new vscode.Range(0, 0, 1, 0);
      const hints = async (): Promise<unknown> => (editor.provider("InlayHints", document) as vscode.InlayHintsProvider).provideInlayHints(given, all, token);
      const lenses = async (): Promise<unknown> => (editor.provider("CodeLens", document) as vscode.CodeLensProvider).provideCodeLenses(given, token);
      const hover = await (editor.provider("Hover", document) as vscode.HoverProvider).provideHover(given, new vscode.Position(0, 0), token);
      assert.equal((hover?.contents[0] as vscode.MarkdownString).value, "**Red.mat**");
      assert.equal(((await hints()) as unknown[]).length, 1);
      assert.equal(((await lenses()) as unknown[]).length, 1);
      await until("diagnostics are there", () => editor.diagnostics.get(`file://${file}`)?.length === 1);
      for (const name of ["inlayHints", "codeLens", "diagnostics"]) editor.userSettings.set(`assetdb.${name}.enabled`, false);
      editor.set("assetdb.diagnostics.enabled", false);
      await until("the server runs anew", () => world.journal().filter(({ method }) => method === "textDocument/didOpen").length === 2);
      await untilRunning();
      assert.deepEqual(await hints(), []);
      assert.deepEqual(await lenses(), []);
      await until("diagnostics are gone", () => (editor.diagnostics.get(`file://${file}`) ?? []).length === 0);
    }));

  test("it is told of scripts and JSON for lenses, of nothing else", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { answers: STOPPED });
      const game = world.project("Game");
      editor.folders = [game];
      await start();
      await untilRunning();
      for (const [name, language] of [["A.cs", "csharp"], ["B.asmdef", "json"], ["C.json", "json"], ["D.shadergraph", "plaintext"], ["E.md", "markdown"], ["F.prefab", "yaml"]] as const) {
        editor.open(world.write(path.join(game, "Assets", name), ""), language);
      }
      const opened = (): string[] => world.journal().filter(({ method }) => method === "textDocument/didOpen").map(({ uri }) => path.basename(uri ?? ""));
      await until("the last is opened", () => opened().includes("F.prefab"));
      assert.deepEqual(opened(), ["A.cs", "B.asmdef", "D.shadergraph", "F.prefab"]);
    }));
});

const USAGES = JSON.stringify({
  name: "Red",
  path: "Assets/Red.mat",
  usages: [{ path: "Assets/A.unity", type: "SceneAsset" }],
  objects: [{ path: "Assets/A.unity", line: 10, hierarchy: "Root", class: "MeshRenderer", property: "m_Materials[0]" }],
  unread_files: 0,
});

suite("commands", { skip: noShell }, () => {
  test("Find Usages fills the view; a reference opens its line", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, usages: { stdout: `${USAGES}\n` } } });
      const game = world.project("Game");
      editor.folders = [game];
      await start();
      await untilRunning();
      const meta = world.write(path.join(game, "Assets/Red.mat.meta"), META);
      await editor.run("assetdb.findUsages", vscode.Uri.file(meta), [vscode.Uri.file(meta)]);
      const asked = world.journal().find(({ args }) => args?.[0] === "usages");
      assert.deepEqual(asked?.args, ["usages", "--project", game, "--objects", "--json", path.join(game, "Assets/Red.mat")]);
      const view = editor.trees.get("assetdb.usages");
      assert.equal(view?.message, "1 reference in 1 file to Assets/Red.mat.");
      const tree = view.treeDataProvider as vscode.TreeDataProvider<unknown>;
      const [file] = (await tree.getChildren()) ?? [];
      const [reference] = (await tree.getChildren(file)) ?? [];
      const item = await tree.getTreeItem(reference);
      assert.equal(item.label, "Root (MeshRenderer)");
      assert.equal(item.description, "m_Materials[0]");
      const [place, options] = (item.command?.arguments ?? []) as [vscode.Uri, vscode.TextDocumentShowOptions];
      assert.equal(place.fsPath, path.join(game, "Assets/A.unity"));
      assert.equal(options.selection?.start.line, 9);
      assert.equal(editor.contexts.get("assetdb.hasUsages"), true);
      assert.ok(executed().includes("assetdb.usages.focus"));
      await editor.run("assetdb.clearUsages");
      assert.deepEqual(await tree.getChildren(), []);
      assert.equal(editor.contexts.get("assetdb.hasUsages"), false);
    }));

  test("Copy GUID and Copy Reference need no assetdb", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      await start();
      const material = world.write(path.join(game, "Assets/Red.mat"), "%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n--- !u!114 &-77\nMonoBehaviour:\n");
      world.write(`${material}.meta`, META);
      const picture = world.write(path.join(game, "Assets/a.png"), "");
      world.write(`${picture}.meta`, `guid: ${"ab".repeat(16)}\nTextureImporter:\n`);
      const both = [material, picture].map((file) => vscode.Uri.file(file));
      await editor.run("assetdb.copyGuid", both[0], both);
      assert.equal(editor.clipboard, `${GUID}\n${"ab".repeat(16)}`);
      await editor.run("assetdb.copyReference", both[0], both);
      assert.equal(editor.clipboard, `{fileID: 2100000, guid: ${GUID}, type: 2}\n{fileID: 2800000, guid: ${"ab".repeat(16)}, type: 3}`);
      const document = editor.open(material, "unity-yaml");
      editor.moveTo(document, 5);
      await editor.run("assetdb.copyReference");
      assert.equal(editor.clipboard, `{fileID: -77, guid: ${GUID}, type: 2}`);
      assert.deepEqual(editor.messages, []);
    }));

  test("what cannot be done is said, and is no error of the extension", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      await start();
      await editor.run("assetdb.copyGuid");
      const alone = vscode.Uri.file(world.write(path.join(game, "Assets/alone.txt"), ""));
      await editor.run("assetdb.copyGuid", alone, [alone]);
      const model = vscode.Uri.file(world.write(path.join(game, "Assets/x.glb"), ""));
      world.write(path.join(game, "Assets/x.glb.meta"), `guid: ${GUID}\nScriptedImporter:\n`);
      await editor.run("assetdb.copyReference", model, [model]);
      const outside = vscode.Uri.file(world.write("outside.txt", ""));
      await editor.run("assetdb.findUsages", outside, [outside]);
      assert.deepEqual(editor.messages.map(({ kind }) => kind), Array(4).fill("warning"));
      const texts = editor.messages.map(({ text }) => text);
      assert.match(texts[0] ?? "", /no file is selected/);
      assert.match(texts[1] ?? "", /alone\.txt has no \.meta/);
      assert.match(texts[2] ?? "", /x\.glb does not say which object is its main one/);
      assert.match(texts[3] ?? "", /outside\.txt is in no Unity project/);
    }));

  test("the daemon is started and stopped, and its state is in the status bar", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      world.assetdb("bin/assetdb", { answers: { status: { stdout: '{"running": true}\n' }, watch: {}, stop: { code: 1 } } });
      editor.folders = [game];
      await start();
      await until("the daemon is seen", () => status().endsWith("Game: the daemon is watching."));
      assert.equal(editor.statusItems[0]?.text, "$(check) assetdb $(eye)");
      await editor.run("assetdb.startDaemon");
      assert.deepEqual(world.journal().find(({ args }) => args?.[0] === "watch")?.args, ["watch", "--project", game, "--detach"]);
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, stop: { code: 1 } } });
      await editor.run("assetdb.stopDaemon");
      assert.deepEqual(editor.messages.map(({ text }) => text), ["assetdb: The daemon watches Game.", "assetdb: no daemon is running for Game."]);
      assert.match(status(), /Game: the daemon is not running\.$/);
      world.assetdb("bin/assetdb", { answers: { status: { stdout: '{"running": true}\n' } } });
      editor.createWatched("/x/asset-db.watch.json");
      await until("a daemon that another started is seen", () => status().endsWith("is watching."));
    }));

  test("of several projects the one is meant that the file is in, else the one that is picked", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, watch: {} } });
      editor.folders = [world.project("One"), world.project("Two")];
      await start();
      await untilRunning();
      editor.pick = (items) => items.find(({ label }) => label === "Two");
      await editor.run("assetdb.startDaemon");
      editor.open(world.write("One/Assets/a.mat", ""), "unity-yaml");
      await editor.run("assetdb.startDaemon");
      const started = world.journal().filter(({ args }) => args?.[0] === "watch");
      assert.deepEqual(started.map(({ args }) => path.basename(args?.[2] ?? "")), ["Two", "One"]);
    }));

  test("the daemon starts with the editor only where the user settled it", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, watch: {} } });
      editor.folders = [world.project("Game")];
      editor.workspaceSettings.set("assetdb.daemon.startWithEditor", true);
      const session = await start();
      await untilRunning();
      await until("the state was asked for", () => world.commandsOf("bin/assetdb").includes("status"));
      await session.end();
      assert.ok(!world.commandsOf("bin/assetdb").includes("watch"));
      editor.userSettings.set("assetdb.daemon.startWithEditor", true);
      editor.statusItems = [];
      await start();
      await until("the daemon is started", () => world.commandsOf("bin/assetdb").includes("watch"));
    }));

  test("the report is a document whose places are links", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      const stdout = "Assets/My Scene.unity:12: error: dangling-reference: nothing has this GUID\nAssets/a.mat: warning: missing-meta: it has none\nAssets/b.mat\n  7  error    dangling-reference  m_Script: gone\n     warning  old  odd\n\n 12  error    dangling-reference  assign it again\n\n2 problems\n";
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, check: { stdout, code: 1 } } });
      editor.folders = [game];
      await start();
      await untilRunning();
      await editor.run("assetdb.openReport");
      assert.deepEqual(world.journal().find(({ args }) => args?.[0] === "check")?.args, ["check", "--project", game, "--format", "text", "--verbose"]);
      const document = editor.activeEditor?.document;
      assert.equal(document?.getText(), stdout);
      const provider = editor.provider("DocumentLink", document) as vscode.DocumentLinkProvider;
      const links = await provider.provideDocumentLinks(document as unknown as vscode.TextDocument, new vscode.CancellationTokenSource().token);
      assert.deepEqual(links?.map(({ target }) => target?.toString()), [`file://${game}/Assets/My%20Scene.unity#L12`, `file://${game}/Assets/a.mat`, `file://${game}/Assets/b.mat`, `file://${game}/Assets/b.mat#L7`]);
    }));

  test("why a file is in the build is a document, about the builds that the setting names", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      const stdout = "Assets/Red.mat: guid c6f9\n  file  level0  1 object  888 bytes  unique  scene Assets/Main.unity: Head > Red\n";
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, trace: { stdout } } });
      editor.folders = [game];
      await start();
      await untilRunning();
      const meta = vscode.Uri.file(world.write(path.join(game, "Assets/Red.mat.meta"), META));
      editor.click = ({ items }) => items.find((item) => item === "Open Settings");
      await editor.run("assetdb.whyInBuild", meta, [meta]);
      assert.match(editor.messages[0]?.text ?? "", /name where your builds lie first, in the setting assetdb\.builds/);
      assert.deepEqual(editor.executed.at(-1), { command: "workbench.action.openSettings", args: ["assetdb.builds"] });
      assert.equal(world.journal().find(({ args }) => args?.[0] === "trace"), undefined);

      editor.workspaceSettings.set("assetdb.builds", ["Builds/Game_Data", "", "/elsewhere/ServerData", "~/web"]);
      await editor.run("assetdb.whyInBuild", meta, [meta]);
      const asked = world.journal().find(({ args }) => args?.[0] === "trace");
      const builds = [path.join(game, "Builds/Game_Data"), "/elsewhere/ServerData", path.join(os.homedir(), "web")];
      assert.deepEqual(asked?.args, ["trace", "--project", game, ...builds.flatMap((build) => ["--in", build]), "--", path.join(game, "Assets/Red.mat")]);
      const document = editor.activeEditor?.document;
      assert.equal(document?.getText(), stdout);
      const provider = editor.provider("DocumentLink", document) as vscode.DocumentLinkProvider;
      const links = await provider.provideDocumentLinks(document as unknown as vscode.TextDocument, new vscode.CancellationTokenSource().token);
      assert.deepEqual(links?.map(({ target }) => target?.toString()), [`file://${game}/Assets/Red.mat`]);
    }));

  test("a file is shown in the graph: the page of assetdb, by its own policy, in a panel", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      const hash = `'sha256-${"A".repeat(43)}='`;
      const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hash}; style-src ${hash}; base-uri 'none'">`;
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, report: { stdout: page } } });
      editor.folders = [game];
      await start();
      await untilRunning();
      const meta = vscode.Uri.file(world.write(path.join(game, "Assets/Red.mat.meta"), META));
      await editor.run("assetdb.showInGraph", meta, [meta]);
      const asked = world.journal().find(({ args }) => args?.[0] === "report");
      assert.deepEqual(asked?.args, ["report", "--project", game, "--quiet", "--output", "-", "--show", path.join(game, "Assets/Red.mat")]);
      const options = { enableScripts: true, enableFindWidget: true, retainContextWhenHidden: true, localResourceRoots: [] };
      assert.deepEqual(editor.panels, [{ type: "assetdb.graph", title: "Red.mat", options, webview: { html: page } }]);
      assert.deepEqual(editor.messages, []);
    }));

  test("a page without that policy is shown in no panel, nor is that of a file that assetdb does not know", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, report: { stdout: "<script>alert(1)</script>" } } });
      editor.folders = [game];
      await start();
      await untilRunning();
      const file = vscode.Uri.file(world.write(path.join(game, "Assets/Red.mat"), ""));
      await editor.run("assetdb.showInGraph", file, [file]);
      assert.match(editor.messages[0]?.text ?? "", /not one that can be shown here/);
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, report: { code: 1 } } });
      await editor.run("assetdb.showInGraph", file, [file]);
      assert.match(editor.messages[1]?.text ?? "", /Red\.mat is no asset that assetdb knows/);
      assert.deepEqual(editor.panels, []);
    }));

  test("open values of a merge are asked for, and a file is written and staged once all have an answer", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      const rows = ["A", "A", "B"].map((name, number) =>
        JSON.stringify({ path: `Assets/${name}.unity`, number: name === "B" ? 1 : number + 1, name: `Lamp ${number}`, shown: { base: "1", ours: "2", theirs: "3" }, both: number === 1 }),
      );
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, resolve: { stdout: `${rows.join("\n")}\n` } } });
      editor.folders = [game];
      await start();
      await untilRunning();
      const asked: string[][] = [];
      const picks = ["theirs", "both", undefined];
      editor.pick = (items) => {
        asked.push(items.map(({ label }) => label));
        return items.find(({ label }) => label === picks[asked.length - 1]);
      };
      editor.click = ({ items }) => items.find((item) => item === "Stage");
      await editor.run("assetdb.resolveMerge");
      assert.deepEqual(asked, [["ours", "theirs", "base"], ["ours", "theirs", "base", "both", "previous"], ["ours", "theirs", "base"]]);
      const file = path.join(game, "Assets/A.unity");
      const calls = world.journal().filter(({ args }) => args?.[0] === "resolve").map(({ args }) => args?.slice(3));
      assert.deepEqual(calls, [["--json"], ["--json", "--take", "theirs", "1", "--take", "both", "2", "--", file], ["--add", "--", file]]);
      assert.equal(editor.messages.at(-1)?.text, "assetdb: no value is open any more in A.unity.");
    }));

  test("a value of a merge can be typed, and the one before be asked for again", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      const rows = [1, 2].map((number) =>
        JSON.stringify({ path: "Assets/A.unity", number, name: `Lamp ${number}`, shown: { base: "1", ours: "(0, 1, 0)", theirs: "3" }, both: false, typed: number === 1 }),
      );
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, resolve: { stdout: `${rows.join("\n")}\n` } } });
      editor.folders = [game];
      await start();
      await untilRunning();
      const asked: string[][] = [];
      const picks = ["ours", "previous", "type a value", "theirs"];
      editor.pick = (items) => {
        asked.push(items.map(({ label }) => label));
        return items.find(({ label }) => label === picks[asked.length - 1]);
      };
      const shown: (string | undefined)[] = [];
      editor.type = ({ value }) => {
        shown.push(value);
        return "(0, 5, 0)";
      };
      await editor.run("assetdb.resolveMerge");
      const first = ["ours", "theirs", "base", "type a value"];
      const second = ["ours", "theirs", "base", "previous"];
      assert.deepEqual(asked, [first, second, first, second]);
      assert.deepEqual(shown, ["(0, 1, 0)"]);
      const call = world.journal().filter(({ args }) => args?.[0] === "resolve")[1];
      assert.deepEqual(call?.args?.slice(3), ["--json", "--take", "=(0, 5, 0)", "1", "--take", "theirs", "2", "--", path.join(game, "Assets/A.unity")]);
    }));

  test("values that answers open are asked for, too, by their own numbers", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      const row = (number: number): string =>
        JSON.stringify({ path: "Assets/A.unity", number, name: `Lamp ${number}`, shown: { base: "1", ours: "2", theirs: "3" } });
      world.assetdb("bin/assetdb", {
        answers: { ...STOPPED, resolve: { stdout: `${row(1)}\n` } },
        patterns: { "*'--take ours 3 -- '*": {}, "*'--take ours 1 -- '*": { stdout: `${row(2)}\n${row(3)}\n`, code: 1 } },
      });
      editor.folders = [game];
      await start();
      await untilRunning();
      const titles: string[] = [];
      editor.pick = (items, options) => {
        titles.push(options?.title ?? "");
        return items.find(({ label }) => label === "ours");
      };
      await editor.run("assetdb.resolveMerge");
      assert.deepEqual(titles, ["Assets/A.unity (1 of 1)", "Assets/A.unity (1 of 2)", "Assets/A.unity (2 of 2)"]);
      const call = world.journal().filter(({ args }) => args?.[0] === "resolve").at(-1);
      const taken = ["--take", "ours", "1", "--take", "ours", "2", "--take", "ours", "3"];
      assert.deepEqual(call?.args?.slice(3), ["--json", ...taken, "--", path.join(game, "Assets/A.unity")]);
      assert.equal(editor.messages.at(-1)?.text, "assetdb: no value is open any more in A.unity.");
    }));

  test("of a workspace that is not trusted no build is read", () =>
    inWorld(async (world, start) => {
      const game = world.project("Game");
      world.assetdb("bin/assetdb", { answers: { ...STOPPED, trace: { stdout: "Assets/Red.mat: guid c6f9\n" } } });
      editor.folders = [game];
      editor.trusted = false;
      await start();
      await untilRunning();
      editor.workspaceSettings.set("assetdb.builds", ["//elsewhere/share"]);
      const file = vscode.Uri.file(world.write(path.join(game, "Assets/Red.mat"), ""));
      await editor.run("assetdb.whyInBuild", file, [file]);
      assert.match(editor.messages[0]?.text ?? "", /name where your builds lie/);
      editor.userSettings.set("assetdb.builds", ["/my/build"]);
      await editor.run("assetdb.whyInBuild", file, [file]);
      assert.deepEqual(world.journal().find(({ args }) => args?.[0] === "trace")?.args?.slice(3, 5), ["--in", "/my/build"]);
    }));

  test("an assetdb that has no such command says so", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { answers: STOPPED });
      editor.folders = [world.project("Game")];
      await start();
      await untilRunning();
      await editor.run("assetdb.openReport");
      assert.equal(editor.messages[0]?.text, "assetdb: no such command: assetdb check (see: assetdb --help).");
    }));

  test("lenses of the server open the editor's list of references", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { answers: STOPPED });
      editor.folders = [world.project("Game")];
      await start();
      await untilRunning();
      const document = editor.open(world.write("Game/Assets/a.mat", ""), "unity-yaml");
      const provider = editor.provider("CodeLens", document) as vscode.CodeLensProvider;
      const token = new vscode.CancellationTokenSource().token;
      const [lens] = (await provider.provideCodeLenses(document as unknown as vscode.TextDocument, token)) ?? [];
      assert.ok(lens);
      const command = (await provider.resolveCodeLens?.(lens, token))?.command;
      assert.equal(command?.title, "1 usage");
      await editor.run(command.command, ...((command.arguments ?? []) as unknown[]));
      assert.deepEqual(world.journal().find(({ method }) => method === "workspace/executeCommand")?.args, ["assetdb.usages", "file:///a.mat", GUID]);
      const [, position, locations] = (editor.executed.at(-1)?.args ?? []) as [vscode.Uri, vscode.Position, vscode.Location[]];
      assert.equal(editor.executed.at(-1)?.command, "editor.action.showReferences");
      assert.equal(position.line, 3);
      assert.equal(locations[0]?.uri.fsPath, "/b.prefab");
    }));

  test("the menu of the status bar leads to the commands", () =>
    inWorld(async (world, start) => {
      world.assetdb("bin/assetdb", { answers: STOPPED });
      editor.folders = [world.project("Game")];
      await start();
      await untilRunning();
      editor.pick = (items) => items.find(({ label }) => label.endsWith("Show log"));
      await editor.run("assetdb.showMenu");
      assert.equal(editor.logShown, 1);
      editor.set("assetdb.statusBar.enabled", false);
      assert.equal(editor.statusItems[0]?.visible, false);
    }));
});
