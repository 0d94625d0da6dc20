/** What a `.meta` says: the GUID, who imported the asset, its main object. Text in, facts out. */

export interface Meta {
  readonly guid: string;
  /** `TextureImporter`, or "" where the meta has none. */
  readonly importer: string;
  /** `mainObjectFileID` of the importer; fileIDs are text here, as numbers of JavaScript have 53 bits and these have 64. */
  readonly mainObject: string | undefined;
}

/** As much of a meta as is read: the GUID is in its second line, the main object in the importer's first ones. */
export const META_BYTES = 64 * 1024;

/** Return what a meta says, or undefined where it has no GUID. */
export function parseMeta(text: string): Meta | undefined {
  const guid = /^guid:[ \t]*([0-9a-fA-F]{32})[ \t]*\r?$/m.exec(text)?.[1]?.toLowerCase();
  if (guid === undefined) return undefined;
  const importer = /^(\w+Importer):[ \t]*\r?$/m.exec(text)?.[1] ?? "";
  const main = /^ {2}mainObjectFileID:[ \t]*(-?\d+)[ \t]*\r?$/m.exec(text)?.[1];
  return { guid, importer, mainObject: main === "0" ? undefined : main };
}
