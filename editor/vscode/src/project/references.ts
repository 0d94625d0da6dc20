/** References as Unity writes them: `{fileID: 2100000, guid: ..., type: 2}`. Facts in, text out. */
import importers from "./importers.json";
import { rootGameObject } from "./documents";
import type { Meta } from "./meta";

/** fileIDs of main objects by importer; a test holds them against `assetdb/unity/kinds.py`. */
const MAIN_OBJECTS: Readonly<Record<string, string>> = importers;

/** Return the fileID of an asset's main object, or undefined where neither meta nor file tells. */
export function mainObject(meta: Meta, extension: string, text: string | undefined): string | undefined {
  if (extension.toLowerCase() === ".prefab") return text === undefined ? undefined : rootGameObject(text);
  return meta.mainObject ?? MAIN_OBJECTS[meta.importer];
}

/** Return a reference: type 2 for what Unity reads as it is, 3 for what an importer makes (prefabs among it). */
export function referenceTo(meta: Meta, fileId: string): string {
  const type = meta.importer === "NativeFormatImporter" ? 2 : 3;
  return `{fileID: ${fileId}, guid: ${meta.guid}, type: ${type}}`;
}
