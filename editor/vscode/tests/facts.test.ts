import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { openValues } from "../src/commands/resolve-json";
import { parseUsages } from "../src/commands/usages-json";
import { type ObjectHead, objectAt, rootGameObject } from "../src/project/documents";
import { type Meta, parseMeta } from "../src/project/meta";
import { mainObject, referenceTo } from "../src/project/references";

const GUID = "c6f94db53433f931df0f976fe2f1be9a";

suite("metas", () => {
  test("say GUID, importer and main object", () => {
    const text = `fileFormatVersion: 2\nguid: ${GUID}\nNativeFormatImporter:\n  externalObjects: {}\n  mainObjectFileID: 2100000\n  userData: \n`;
    assert.deepEqual(parseMeta(text), { guid: GUID, importer: "NativeFormatImporter", mainObject: "2100000" });
    assert.deepEqual(parseMeta(text.replaceAll("\n", "\r\n")), parseMeta(text));
    assert.deepEqual(parseMeta(`guid: ${GUID.toUpperCase()}`), { guid: GUID, importer: "", mainObject: undefined });
  });

  test("without a GUID are none", () => {
    for (const text of ["", "guid: 12", `  guid: ${GUID}`, `guid: ${GUID}00`, "\0\0\0"]) assert.equal(parseMeta(text), undefined, text);
  });
});

suite("references", () => {
  const meta = (importer: string, main?: string): Meta => ({ guid: GUID, importer, mainObject: main });

  test("are written as Unity writes them", () => {
    assert.equal(referenceTo(meta("NativeFormatImporter"), "2100000"), `{fileID: 2100000, guid: ${GUID}, type: 2}`);
    assert.equal(referenceTo(meta("MonoImporter"), "11500000"), `{fileID: 11500000, guid: ${GUID}, type: 3}`);
  });

  test("main objects come from the meta, the importer, or the prefab", () => {
    assert.equal(mainObject(meta("NativeFormatImporter", "-4850512016903265157"), ".asset", undefined), "-4850512016903265157");
    assert.equal(mainObject(meta("TextureImporter"), ".png", undefined), "2800000");
    assert.equal(mainObject(meta("ScriptedImporter"), ".glb", undefined), undefined);
    assert.equal(mainObject(meta("PrefabImporter"), ".Prefab", undefined), undefined);
  });

  test("the root of a prefab is the GameObject of the Transform without a father", () => {
    const transform = (kind: number, id: string, owner: string, father: string, stripped = ""): string =>
      `--- !u!${kind} &${id}${stripped}\nTransform:\n  m_GameObject: {fileID: ${owner}}\n  m_Father: {fileID: ${father}}\n`;
    const head = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";
    assert.equal(rootGameObject(head + transform(4, "2", "1", "9007199254740993") + transform(224, "9", "-9007199254740993", "0")), "-9007199254740993");
    assert.equal(rootGameObject(head + transform(4, "2", "1", "0") + transform(4, "3", "5", "0")), undefined);
    assert.equal(rootGameObject(head + transform(4, "2", "1", "0", " stripped")), undefined);
    assert.equal(rootGameObject(""), undefined);
  });

  test("the object at a line is the document that it stands in", () => {
    const lines = ["%YAML 1.1", "--- !u!1 &9007199254740993", "GameObject:", "  m_Name: a", "--- !u!4 &-5 stripped", "Transform:"];
    const at = (line: number): ObjectHead | undefined => objectAt(line, (number) => lines[number] ?? "");
    assert.equal(at(0), undefined);
    assert.deepEqual(at(1), { classId: "1", fileId: "9007199254740993", stripped: false, line: 1 });
    assert.deepEqual(at(3), at(1));
    assert.deepEqual(at(5), { classId: "4", fileId: "-5", stripped: true, line: 4 });
  });
});

suite("usages", () => {
  test("are grouped by file, and say object and property", () => {
    const line = JSON.stringify({
      name: "Base",
      path: "Assets/Base.prefab",
      usages: [{ path: "Assets/A.unity", type: "SceneAsset" }, { path: "Assets/G.asmdef", type: "AssemblyDefinitionAsset" }],
      objects: [
        { path: "Assets/A.unity", line: 10, hierarchy: "Root / Leaf", class: "Prefab", property: "m_Modifications[0].target", override: "m_Name" },
        { path: "Assets/A.unity", line: 12, object_name: "Odd", property: "m_SourcePrefab", override: "" },
      ],
      unread_files: 2,
    });
    assert.deepEqual(parseUsages(line), {
      name: "Base",
      path: "Assets/Base.prefab",
      unreadFiles: 2,
      files: [
        {
          path: "Assets/A.unity",
          type: "SceneAsset",
          references: [
            { line: 10, object: "Root / Leaf (Prefab)", property: "m_Modifications[0].target = m_Name" },
            { line: 12, object: "Odd", property: "m_SourcePrefab" },
          ],
        },
        { path: "Assets/G.asmdef", type: "AssemblyDefinitionAsset", references: [] },
      ],
    });
  });

  test("what is no answer is none, and odd fields do no harm", () => {
    for (const line of ["", "{", "3", "null", "not json"]) assert.equal(parseUsages(line), undefined);
    const odd = parseUsages('{"usages": [1, null, {"path": 5}], "objects": {"a": 1}, "unread_files": "x", "path": []}');
    assert.deepEqual(odd, { name: "", path: "", unreadFiles: 0, files: [{ path: "", type: "", references: [] }] });
  });
});

suite("open values of a merge", () => {
  test("are those of the lines, by file; what is none is left out", () => {
    const row = { path: "Assets/A.unity", number: 1, name: "Lamp (Light) m_Range", shown: { base: "1", ours: "2", theirs: "3" }, both: false };
    const other = { ...row, path: "Assets/B.mat.meta", name: "guid", both: true, typed: true };
    const lines = [row, { ...row, number: 2 }, other, { ...row, shown: null }, { ...row, number: "x" }, 3, null].map((found) => JSON.stringify(found));
    const found = openValues([...lines, "{", "", "not json"].join("\n"));
    const value = { path: "Assets/A.unity", number: 1, name: "Lamp (Light) m_Range", base: "1", ours: "2", theirs: "3", both: false, typed: false };
    assert.deepEqual([...found], [
      ["Assets/A.unity", [value, { ...value, number: 2 }]],
      ["Assets/B.mat.meta", [{ ...value, path: "Assets/B.mat.meta", name: "guid", both: true, typed: true }]],
    ]);
  });
});
