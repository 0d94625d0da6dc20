import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";

import { StartError, run } from "../src/process";
import { World, noShell, until } from "./support/world";

const node = process.execPath;

suite("running a program", () => {
  test("its streams, its exit code and its lines come back", async () => {
    const lines: string[] = [];
    const outcome = await run(node, ["-e", "console.log('a\\nb'); console.error('c'); process.stdout.write('d'); process.exitCode = 4"], {
      cwd: "/",
      onLine: (line) => lines.push(line),
    });
    assert.deepEqual(outcome, { ending: "exited", code: 4, stdout: "a\nb\nd", stderr: "c\n" });
    assert.deepEqual(lines.sort(), ["a", "b", "c", "d"]);
  });

  test("words are no shell's", async () => {
    const word = "$(echo x) `y` ; & | > 'z' \"q\" *";
    const outcome = await run(node, ["-e", "process.stdout.write(process.argv[1])", word], { cwd: "/" });
    assert.equal(outcome.stdout, word);
  });

  test("what cannot be started is said by name", async () => {
    await assert.rejects(run("/nowhere/assetdb", [], { cwd: "/" }), (error: unknown) => {
      assert.ok(error instanceof StartError);
      assert.equal(error.message, "cannot run /nowhere/assetdb: ENOENT");
      return true;
    });
  });

  test("what takes too long, and what says too much, is ended", async () => {
    const slow = await run(node, ["-e", "setInterval(() => {}, 1000)"], { cwd: "/", timeout: 200 });
    assert.equal(slow.ending, "timed-out");
    const loud = await run(node, ["-e", "for (;;) console.log('x'.repeat(10000))"], { cwd: "/", maxOutput: 100_000 });
    assert.equal(loud.ending, "too-much-output");
    assert.ok(loud.stdout.length <= 100_000);
  });

  test("who cancels before it begins starts nothing", async () => {
    const outcome = await run("/nowhere/assetdb", [], { cwd: "/", signal: AbortSignal.abort() });
    assert.equal(outcome.ending, "cancelled");
  });

  test("cancelling ends what the program started, too", { skip: noShell }, async () => {
    const world = new World();
    try {
      const file = `${world.root}/pid`;
      const control = new AbortController();
      const program = world.script("starts", `/bin/sleep 1000 &\necho $! > ${file}\nwait`);
      const read = (): string => {
        try {
          return readFileSync(file, "utf-8").trim();
        } catch {
          return "";
        }
      };
      const outcome = run(program, [], { cwd: world.root, signal: control.signal });
      await until("the program has started another", () => read() !== "");
      control.abort();
      assert.equal((await outcome).ending, "cancelled");
      const pid = Number(read());
      await until("the other has ended", () => {
        try {
          return readFileSync(`/proc/${pid}/stat`, "utf-8").split(" ")[2] === "Z";
        } catch {
          return true;
        }
      });
    } finally {
      world.remove();
    }
  });
});
