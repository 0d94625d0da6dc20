import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";

import * as vscode from "vscode";

import { lineOf } from "../src/tasks";
import { begin, inWorld, untilRunning } from "./support/session";
import { World, editor, noShell } from "./support/world";

interface Pattern {
  readonly regexp: string;
  readonly file: number;
  readonly line: number;
  readonly severity: number;
  readonly message: number;
  readonly code: number;
}

const manifest = JSON.parse(readFileSync("package.json", "utf-8")) as { contributes: { problemMatchers: { pattern: Pattern }[] } };
const pattern = manifest.contributes.problemMatchers[0]?.pattern;

function finding(more: object = {}): string {
  return JSON.stringify({ code: "missing-asset", severity: "error", path: "Assets/a: b.mat", message: "nothing [has] this: GUID", line: 7, advice: "restore it", ...more });
}

suite("a finding as a line of a task", () => {
  test("is what the problem matcher reads", () => {
    assert.ok(pattern);
    const found = new RegExp(pattern.regexp).exec(lineOf("/game", finding()) ?? "");
    assert.ok(found);
    assert.equal(found[pattern.file], path.join("/game", "Assets/a: b.mat"));
    assert.equal(found[pattern.line], "7");
    assert.equal(found[pattern.severity], "error");
    assert.equal(found[pattern.message], "nothing [has] this: GUID; restore it");
    assert.equal(found[pattern.code], "missing-asset");
  });

  test("has a line and a severity whatever is said", () => {
    assert.match(lineOf("/game", finding({ line: 0, severity: "dire", message: "a\r\nb" })) ?? "", /:1: warning: a b; restore it \[missing-asset\]$/);
    assert.match(lineOf("/game", finding({ severity: "note" })) ?? "", /:7: info: /);
    for (const none of ["", "{", "[]", "7", "null", '{"path": 7}']) assert.equal(lineOf("/game", none), undefined);
  });
});

suite("the task", { skip: noShell }, () => {
  async function played(answer: { stdout?: string; code?: number }, close = false): Promise<{ text: string; code: number | undefined; game: string }> {
    const world = new World();
    let text = "";
    let code: number | undefined;
    const game = world.project("Game");
    await inWorld(world, async () => {
      world.assetdb("bin/assetdb", { answers: { check: answer, status: { stdout: '{"running": false}\n', code: 1 } } });
      editor.folders = [game];
      const session = await begin(world);
      await untilRunning();
      const provider = editor.taskProviders.get("assetdb") as vscode.TaskProvider;
      const [task] = (await provider.provideTasks(new vscode.CancellationTokenSource().token)) ?? [];
      assert.ok(task);
      assert.equal(task.name, "check Game");
      assert.deepEqual(task.problemMatchers, "$assetdb");
      const { callback } = task.execution as unknown as { callback: () => Promise<vscode.Pseudoterminal> };
      const terminal = await callback();
      terminal.onDidWrite((written) => (text += written));
      const ended = new Promise<void>((resolve) => {
        terminal.onDidClose?.((found) => {
          code = typeof found === "number" ? found : undefined;
          resolve();
        });
      });
      terminal.open(undefined);
      if (close) terminal.close();
      await ended;
      await session.end();
    });
    return { text, code, game };
  }

  test("writes a line for each finding and ends as the check does", async () => {
    const { text, code, game } = await played({ stdout: `${finding()}\n${finding({ line: 9 })}\n`, code: 1 });
    assert.equal(code, 1);
    assert.ok(text.includes(`${path.join(game, "Assets/a: b.mat")}:9: error: `));
    assert.match(text, /2 findings\r\n$/);
  });

  test("ends with 0 where nothing is found, and with 2 where it cannot be told", async () => {
    const clean = await played({});
    assert.equal(clean.code, 0);
    assert.match(clean.text, /0 findings\r\n$/);
    assert.equal((await played({ code: 3 })).code, 2);
  });

  test("ends when it is closed", async () => {
    const { text, code } = await played({}, true);
    assert.ok(code === 2 ? text.includes("cancelled") : code === 0);
  });
});
