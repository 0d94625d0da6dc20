import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { besideInterpreter, fromSetting, inEnvironment, isInside, onPath } from "../src/server/programs";
import { MINIMUM_VERSION, isAtLeast, versionIn } from "../src/server/version";

suite("where programs lie", () => {
  test("entries of PATH that are not absolute are left out: they mean the folder of a workspace", () => {
    assert.deepEqual(onPath("assetdb", "/usr/bin:.::bin:../x:/opt/b", "linux"), ["/usr/bin/assetdb", "/opt/b/assetdb"]);
    assert.deepEqual(onPath("assetdb", '.;C:\\Tools;"D:\\My Tools";bin', "win32"), ["C:\\Tools\\assetdb.exe", "D:\\My Tools\\assetdb.exe"]);
    assert.deepEqual(onPath("assetdb", "", "linux"), []);
  });

  test("a folder that is on PATH twice is looked in once", () => {
    assert.deepEqual(onPath("assetdb", "/a:/a/:/b", "linux"), ["/a/assetdb", "/b/assetdb"]);
  });

  test("scripts of an environment, and beside an interpreter", () => {
    assert.equal(inEnvironment("/p/.venv", "assetdb", "linux"), "/p/.venv/bin/assetdb");
    assert.equal(inEnvironment("C:\\p\\.venv", "assetdb", "win32"), "C:\\p\\.venv\\Scripts\\assetdb.exe");
    assert.equal(besideInterpreter("/p/.venv/bin/python", "assetdb", "darwin"), "/p/.venv/bin/assetdb");
    assert.equal(besideInterpreter("C:\\e\\Scripts\\python.exe", "assetdb", "win32"), "C:\\e\\Scripts\\assetdb.exe");
    assert.equal(besideInterpreter("C:\\Python311\\python.exe", "assetdb", "win32"), "C:\\Python311\\Scripts\\assetdb.exe");
  });

  test("inside is by folders, not by letters", () => {
    assert.ok(isInside("/p/game/.venv/bin/x", "/p/game", "linux"));
    assert.ok(isInside("/p/game", "/p/game", "linux"));
    assert.ok(isInside("/p/game/..hidden/x", "/p/game", "linux"));
    assert.ok(!isInside("/p/game2/x", "/p/game", "linux"));
    assert.ok(!isInside("/p/x", "/p/game", "linux"));
    assert.ok(!isInside("D:\\x", "C:\\p", "win32"));
  });

  test("a setting means a path from home, from the folder, or as it is", () => {
    assert.equal(fromSetting("~/bin/assetdb", "/home/ann", undefined, "linux"), "/home/ann/bin/assetdb");
    assert.equal(fromSetting(" /opt//assetdb ", "/home/ann", undefined, "linux"), "/opt/assetdb");
    assert.equal(fromSetting("tools/assetdb", "/home/ann", "/p", "linux"), "/p/tools/assetdb");
    assert.equal(fromSetting("tools/assetdb", "/home/ann", undefined, "linux"), undefined);
    assert.equal(fromSetting("~\\assetdb.exe", "C:\\Users\\ann", undefined, "win32"), "C:\\Users\\ann\\assetdb.exe");
  });
});

suite("versions", () => {
  test("are compared by numbers", () => {
    assert.ok(isAtLeast("0.10.0", "0.9"));
    assert.ok(isAtLeast("1", "0.9.9"));
    assert.ok(isAtLeast("0.1.0rc1", "0.1.0"));
    assert.ok(isAtLeast(MINIMUM_VERSION, MINIMUM_VERSION));
    assert.ok(!isAtLeast("0.0.9", "0.1.0"));
    assert.ok(!isAtLeast("0.1", "0.1.1"));
  });

  test("are told from what another program of that name prints", () => {
    assert.equal(versionIn("assetdb 0.1.0\n"), "0.1.0");
    assert.equal(versionIn("assetdb 1.2.3.dev4+g12\n"), "1.2.3.dev4+g12");
    assert.equal(versionIn("assetdb 0.1.0 (pure Python)\n"), "0.1.0");
    assert.equal(versionIn("assetdb 0.1.0 (native)\r\n"), "0.1.0");
    assert.equal(versionIn("AssetDB server ready\n"), undefined);
    assert.equal(versionIn(""), undefined);
  });
});
