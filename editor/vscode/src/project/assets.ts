/** Assets on the disk, with the metas beside them. */
import { open, stat } from "node:fs/promises";
import path from "node:path";

import { META_BYTES, type Meta, parseMeta } from "./meta";

/** A text that is too long to be read for its root is answered without. */
const MOST_TEXT = 32 * 1024 * 1024;

/** Return the asset that is meant by a file: for a meta the asset beside it. */
export function assetOf(file: string): string {
  return file.toLowerCase().endsWith(".meta") ? file.slice(0, -".meta".length) : file;
}

async function readHead(file: string, most: number): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(most), 0, most, 0);
    return buffer.toString("utf-8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** An asset of which something was asked that its files do not say. */
export class AssetError extends Error {
  override readonly name = "AssetError";
}

/** Read the meta of an asset. */
export async function readMeta(asset: string): Promise<Meta> {
  const name = path.basename(asset);
  let text;
  try {
    text = await readHead(`${asset}.meta`, META_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new AssetError(`${name} has no .meta: it is not in a Unity project, or Unity has not imported it yet`);
  }
  const meta = parseMeta(text);
  if (meta === undefined) throw new AssetError(`${name}.meta has no GUID`);
  return meta;
}

/** Read an asset as text; undefined for what is no file, or too long. */
export async function readText(asset: string): Promise<string | undefined> {
  const found = await stat(asset);
  return found.isFile() && found.size <= MOST_TEXT ? readHead(asset, found.size) : undefined;
}
