import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";

import { run } from "../src/process";
import { type Surroundings, candidates, search } from "../src/server/search";
import { World, noShell } from "./support/world";

function around(world: World, more: Partial<Surroundings> = {}): Surroundings {
  return {
    platform: process.platform,
    path: world.bin,
    home: world.root,
    trusted: true,
    folders: [world.project("Game")],
    configured: "",
    interpreters: [],
    environment: undefined,
    ...more,
  };
}

async function inWorld(test: (world: World) => Promise<void>): Promise<void> {
  const world = new World();
  try {
    await test(world);
  } finally {
    world.remove();
  }
}

/** Every place at once: what is found when the first ones are taken away, one after the other. */
const ORDER = ["Game/.venv/bin/assetdb", "Other/.venv/bin/assetdb", "chosen/bin/assetdb", "bin/assetdb", "own/bin/assetdb"];

suite("which assetdb is run", { skip: noShell }, () => {
  for (const [place] of ORDER.entries()) {
    test(`the order: ${ORDER[place] ?? ""} before those behind it`, () =>
      inWorld(async (world) => {
        for (const program of ORDER.slice(place)) world.assetdb(program);
        const surroundings = around(world, {
          folders: [world.project("Game"), world.project("Other")],
          interpreters: [path.join(world.root, "chosen/bin/python")],
          environment: path.join(world.root, "own"),
        });
        const found = await search(surroundings, run, world.storage);
        assert.equal(found.kind, "found");
        assert.equal(path.relative(world.root, found.candidate.program), ORDER[place]);
        assert.equal(found.version, "9.9.9");
        assert.deepEqual([...new Set(world.journal().map(({ program }) => program))], [ORDER[place]]);
        assert.equal(world.journal()[0]?.cwd, world.storage);
      }));
  }

  test("the setting comes first, and what it names is never passed over", () =>
    inWorld(async (world) => {
      world.assetdb("bin/assetdb");
      const own = world.assetdb("tools/my assetdb");
      const found = await search(around(world, { configured: "~/tools/my assetdb" }), run, world.storage);
      assert.deepEqual(found.kind === "found" && found.candidate.program, own);
      const gone = await search(around(world, { configured: "~/tools/gone" }), run, world.storage);
      assert.equal(gone.kind === "setting-unusable" && gone.reason, "is not there");
      world.script("tools/other", "echo something else; exit 0");
      const other = await search(around(world, { configured: "~/tools/other" }), run, world.storage);
      assert.equal(other.kind === "setting-unusable" && other.reason, "is no assetdb that works: something else");
    }));

  test("what is too old, broken or not to be run is passed over, with the reason", () =>
    inWorld(async (world) => {
      world.assetdb("Game/.venv/bin/assetdb", { version: "0.0.9" });
      world.script("one/assetdb", "echo 'Traceback: no module named msgspec' >&2; exit 1");
      chmodSync(world.script("two/assetdb", "exit 0"), 0o644);
      mkdirSync(path.join(world.root, "three/assetdb"), { recursive: true });
      world.assetdb("four/assetdb");
      const places = ["one", "two", "three", "four"].map((name) => path.join(world.root, name)).join(":");
      const found = await search(around(world, { path: places }), run, world.storage);
      assert.equal(found.kind, "found");
      assert.equal(found.candidate.program, path.join(world.root, "four/assetdb"));
      assert.deepEqual(
        found.rejected.map(({ program, reason }) => `${path.relative(world.root, program)} ${reason}`),
        [
          "Game/.venv/bin/assetdb is assetdb 0.0.9, and 0.1.0 or later is needed",
          "one/assetdb is no assetdb that works: Traceback: no module named msgspec",
          `two/assetdb cannot run ${world.root}/two/assetdb: EACCES`,
        ],
      );
    }));

  test("where there is none, that is the answer", () =>
    inWorld(async (world) => {
      assert.deepEqual(await search(around(world), run, world.storage), { kind: "missing", rejected: [] });
    }));
});

suite("a workspace that is not trusted", { skip: noShell }, () => {
  test("brings nothing that is looked at", () =>
    inWorld(async (world) => {
      for (const program of ORDER.slice(0, 3)) world.assetdb(program);
      const surroundings = around(world, { trusted: false, interpreters: [path.join(world.root, "chosen/bin/python")] });
      assert.deepEqual(await search(surroundings, run, world.storage), { kind: "missing", rejected: [] });
      assert.deepEqual(candidates(surroundings).map(({ source }) => source), ["PATH"]);
      assert.deepEqual(world.journal(), []);
    }));

  test("is not run through PATH either: neither by its folder nor by a link into it", () =>
    inWorld(async (world) => {
      const brought = world.assetdb("Game/.venv/bin/assetdb");
      symlinkSync(brought, path.join(world.bin, "assetdb"));
      const places = `${path.dirname(brought)}:${world.bin}`;
      const found = await search(around(world, { trusted: false, path: places }), run, world.storage);
      assert.equal(found.kind, "missing");
      assert.deepEqual(found.rejected.map(({ reason }) => reason), Array(2).fill("lies in the workspace, which is not trusted"));
      assert.deepEqual(world.journal(), []);
      const trusted = await search(around(world, { path: places }), run, world.storage);
      assert.equal(trusted.kind, "found");
    }));

  test("is not run through a setting, relative or not", () =>
    inWorld(async (world) => {
      const brought = world.assetdb("Game/tools/assetdb");
      const relative = await search(around(world, { trusted: false, configured: "tools/assetdb" }), run, world.storage);
      assert.equal(relative.kind === "setting-unusable" && relative.reason, "is not absolute");
      const absolute = await search(around(world, { trusted: false, configured: brought }), run, world.storage);
      assert.equal(absolute.kind === "setting-unusable" && absolute.reason, "lies in the workspace, which is not trusted");
      assert.deepEqual(world.journal(), []);
      const trusted = await search(around(world, { configured: "tools/assetdb" }), run, world.storage);
      assert.equal(trusted.kind === "found" && trusted.candidate.program, brought);
    }));

  test("one's own assetdb works in it", () =>
    inWorld(async (world) => {
      world.assetdb("own/bin/assetdb");
      const found = await search(around(world, { trusted: false, environment: path.join(world.root, "own") }), run, world.storage);
      assert.equal(found.kind === "found" && found.candidate.source, "the extension");
    }));
});
