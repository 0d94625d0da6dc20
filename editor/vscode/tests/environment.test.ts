import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";

import { run } from "../src/process";
import { CancelledError, InstallError, type Installation, install, installedEnvironment } from "../src/server/environment";
import { type PythonSearch, findPython } from "../src/server/pythons";
import { REQUIREMENT } from "../src/server/version";
import { World, noShell } from "./support/world";

async function inWorld(test: (world: World) => Promise<void>): Promise<void> {
  const world = new World();
  try {
    await test(world);
  } finally {
    world.remove();
  }
}

function job(world: World, program: string, more: Partial<Installation> = {}): Installation {
  return {
    python: { program, prefix: [], version: "3.11.4" },
    what: REQUIREMENT,
    storage: world.storage,
    platform: process.platform,
    run,
    signal: new AbortController().signal,
    step: () => undefined,
    line: () => undefined,
    ...more,
  };
}

function environments(world: World): string[] {
  return readdirSync(world.storage).filter((name) => name.startsWith("environment-"));
}

suite("an environment of the extension's own", { skip: noShell }, () => {
  test("is made and found again; Python runs isolated, and in no folder of a workspace", () =>
    inWorld(async (world) => {
      const steps: string[] = [];
      const folder = await install(job(world, world.python("bin/python3.11"), { step: (text) => steps.push(text) }));
      assert.equal(await installedEnvironment(world.storage), folder);
      assert.ok(existsSync(path.join(folder, "bin/assetdb")));
      assert.deepEqual(steps, ["making an environment with Python 3.11.4", "installing assetdb", "trying it"]);
      assert.equal(REQUIREMENT, "assetdb>=0.1.0");
      assert.deepEqual(world.pythonJournal(), [
        `${world.storage}: -I -m venv ${folder}`,
        `${world.storage}: -I -m pip install --disable-pip-version-check --no-input --progress-bar off ${REQUIREMENT}`,
      ]);
    }));

  const failures: [string, Parameters<World["python"]>[1], RegExp, RegExp][] = [
    [
      "Debian without python3-venv",
      { venv: "echo 'The virtual environment was not created successfully because ensurepip is not available.'; exit 1" },
      /^cannot make an environment: this Python cannot make environments$/,
      /apt install python3-venv/,
    ],
    [
      "offline",
      { pip: "echo 'WARNING: Retrying after connection broken by NewConnectionError: Temporary failure in name resolution' >&2; echo 'ERROR: No matching distribution found for assetdb' >&2; exit 1" },
      /^cannot install assetdb: the package index cannot be reached$/,
      /online.*proxy/,
    ],
    [
      "an index without it",
      { pip: "echo 'ERROR: No matching distribution found for assetdb>=0.1.0' >&2; exit 1" },
      /the package index has no assetdb>=0\.1\.0 for this Python/,
      /assetdb\.path/,
    ],
    ["a proxy with its own certificate", { pip: "echo 'SSLError(CERTIFICATE_VERIFY_FAILED)' >&2; exit 1" }, /certificate/, /global\.cert/],
    ["a full disk", { pip: "echo 'OSError: [Errno 28] No space left on device' >&2; exit 1" }, /the disk is full/, /Make room/],
    ["something else", { pip: "echo 'ERROR: odd' >&2; exit 1" }, /^cannot install assetdb: ERROR: odd$/, /log/],
    ["an assetdb that is too old", { installs: { version: "0.0.1" } }, /what was installed is assetdb 0\.0\.1/, /log/],
    ["an installation without a program", { pip: "exit 0" }, /what was installed cannot run/, /log/],
  ];
  for (const [name, python, message, advice] of failures) {
    test(`fails with what to do, and leaves the one before: ${name}`, () =>
      inWorld(async (world) => {
        const before = await install(job(world, world.python("bin/python3.11")));
        await assert.rejects(install(job(world, world.python("bin/python3.11", python))), (error: unknown) => {
          assert.ok(error instanceof InstallError, String(error));
          assert.match(error.message, message);
          assert.match(error.advice, advice);
          return true;
        });
        assert.equal(await installedEnvironment(world.storage), before);
        assert.deepEqual(environments(world), [path.basename(before)]);
      }));
  }

  test("a Python that is gone is said by name", () =>
    inWorld(async (world) => {
      await assert.rejects(install(job(world, "/nowhere/python")), (error: unknown) => {
        assert.ok(error instanceof InstallError);
        assert.match(error.message, /cannot run \/nowhere\/python: ENOENT/);
        return true;
      });
    }));

  test("cancelled at any step, nothing is left of it", () =>
    inWorld(async (world) => {
      const python = world.python("bin/python3.11", { pip: "case $* in *assetdb*) sleep 0.2 ;; esac" });
      for (const at of ["making", "installing", "trying"]) {
        const control = new AbortController();
        const step = (text: string): void => {
          if (text.startsWith(at)) setTimeout(() => { control.abort(); }, 20);
        };
        const slow: typeof run = async (program, args, options) => {
          if (args.includes("--version")) await new Promise((resolve) => setTimeout(resolve, 100));
          return run(program, args, options);
        };
        const venv = at === "making" ? world.python("bin/python3.11", { venv: "sleep 30" }) : python;
        await assert.rejects(install(job(world, venv, { signal: control.signal, step, run: slow })), CancelledError, at);
        if (at === "making") world.python("bin/python3.11", { pip: "sleep 0.2" });
        assert.deepEqual(readdirSync(world.storage), [], at);
      }
    }));

  test("the one before stays for servers that run from it; older ones are swept", () =>
    inWorld(async (world) => {
      const python = world.python("bin/python3.11");
      mkdirSync(path.join(world.storage, "environment-young"));
      mkdirSync(path.join(world.storage, "environment-old"));
      utimesSync(path.join(world.storage, "environment-old"), 1e9, 1e9);
      const first = await install(job(world, python));
      const second = await install(job(world, python));
      assert.equal(await installedEnvironment(world.storage), second);
      assert.deepEqual(environments(world).sort(), [path.basename(first), path.basename(second), "environment-young"].sort());
    }));

  test("a pointer that is damaged or leads elsewhere is none", () =>
    inWorld(async (world) => {
      for (const text of ["", "{", "[]", "null", '{"folder": 1}', '{"folder": "../environment-x"}', '{"folder": "/environment-x"}', '{"folder": "other"}']) {
        writeFileSync(path.join(world.storage, "environment.json"), text);
        assert.equal(await installedEnvironment(world.storage), undefined, text);
      }
    }));
});

suite("which Python makes it", { skip: noShell }, () => {
  const around = (world: World, more = {}): PythonSearch => ({ platform: process.platform, path: world.bin, home: world.root, configured: "", folders: [], ...more });

  test("the newest that is named, then what is called python3", () =>
    inWorld(async (world) => {
      world.python("bin/python3", { version: "3 10 2" });
      assert.deepEqual(await findPython(around(world), run, world.storage), {
        tooOld: [{ program: path.join(world.bin, "python3"), prefix: [], version: "3.10.2" }],
      });
      world.python("bin/python3.11");
      const newest = world.python("bin/python3.13", { version: "3 13 0" });
      assert.equal((await findPython(around(world), run, world.storage)).python?.program, newest);
    }));

  test("none of the workspace, trusted or not, and nothing that only has the name", () =>
    inWorld(async (world) => {
      world.python("Game/.venv/bin/python3.12", { version: "3 12 0" });
      world.script("bin/python3.12", "echo 'Python was not found; run without arguments to install from the Store'; exit 9");
      const places = `${world.root}/Game/.venv/bin:${world.bin}`;
      const found = await findPython(around(world, { path: places, folders: [`${world.root}/Game`] }), run, world.storage);
      assert.deepEqual(found, { tooOld: [] });
      assert.deepEqual(world.pythonJournal(), []);
    }));

  test("the setting's alone, where there is one", () =>
    inWorld(async (world) => {
      world.python("bin/python3.12", { version: "3 12 0" });
      const own = world.python("my/python", { version: "3 14 1" });
      assert.equal((await findPython(around(world, { configured: "~/my/python" }), run, world.storage)).python?.program, own);
      assert.deepEqual(await findPython(around(world, { configured: "~/my/none" }), run, world.storage), { tooOld: [] });
    }));
});

const PYTHON = process.env["ASSETDB_TEST_PYTHON"] ?? "";
const noPython = PYTHON === "" ? "ASSETDB_TEST_PYTHON names no Python; half a minute of it is more than a quick test takes" : noShell;

test("a real Python makes a real environment; without an index it says so", { skip: noPython }, () =>
  inWorld(async (world) => {
    const { python } = await findPython({ platform: process.platform, path: "", home: world.root, configured: PYTHON, folders: [] }, run, world.storage);
    assert.ok(python, `${PYTHON} is no Python that is new enough`);
    process.env["PIP_NO_INDEX"] = "1";
    try {
      await assert.rejects(install(job(world, python.program)), (error: unknown) => {
        assert.ok(error instanceof InstallError);
        assert.match(error.message, /the package index has no assetdb/);
        return true;
      });
    } finally {
      delete process.env["PIP_NO_INDEX"];
    }
    assert.deepEqual(readdirSync(world.storage), []);
  }));
