/** The facts of the page: unpacked, and the graph of references in both directions. */

/**
 * @typedef {object} Columns
 * @property {string[]} folders
 * @property {number[]} counts
 * @property {string[]} names
 * @property {string} guids
 * @property {string[]} types
 * @property {number[]} type
 * @property {number[]} bytes
 * @property {{guid: string[], path: string[], type: number[], name: string[], package: string[]}} others
 * @property {number[]} degrees
 * @property {number[]} targets
 * @property {number} left_out
 */

/**
 * @typedef {object} Places
 * @property {string[]} texts
 * @property {number[]} object
 * @property {number[]} property
 * @property {number[]} count
 */

/**
 * @typedef {object} Overview
 * @property {string} unity
 * @property {number} packages
 * @property {string[]} absent
 * @property {number} assets
 * @property {number} folders
 * @property {number} bytes
 * @property {number} references
 * @property {number} unread
 * @property {{type: string, assets: number, bytes: number}[]} types
 * @property {{path: string, type: string, guid: string, users: number}[]} used
 */

/** @typedef {{code: string[], severity: string[], path: string[], message: string[], line: number[], object_path: string[], property_path: string[], asset: string[], anchor: number[], target: string[], fixable: boolean[], advice: string[]}} Findings */
/** @typedef {{path: string[], type: string[], guid: string[], packed_by: string[], bytes: (number | null)[]}} UnusedRows */
/** @typedef {{path: string, code: string}} Unread */

/**
 * @typedef {object} Unused
 * @property {UnusedRows} unused
 * @property {{count: number, reasons: string[], reason: number[], used_by: number[]}} kept
 * @property {Record<string, number>} roots
 * @property {Unread[]} lacking
 * @property {boolean} without_scenes
 */

/** @typedef {{name: string[], version: string[], source: string[], here: boolean[], required_by: string[][], references: number[], users: string[][]}} Packages */

/**
 * @typedef {object} Change
 * @property {string} revision
 * @property {{change: string[], path: string[], guid: string[], type: string[], old_path: string[], old_type: string[]}} assets
 * @property {{change: string[], path: string[], guid: string[], name: string[], type: string[], property: string[], old: unknown[], new: unknown[], note: string[]}} values
 * @property {{change: string[], path: string[], guid: string[], target: string[], target_guid: string[]}} references
 * @property {{path: string[], guid: string[], type: string[]}} reached
 * @property {Findings} findings
 * @property {boolean} cut
 */

/** @typedef {{name: string[], objects: number[], in_file: number[], streamed: number[], disk: number[]}} SizeRows */

/**
 * @typedef {object} BuildChange
 * @property {string[]} names
 * @property {string[]} platforms
 * @property {{verdict: string[], name: string[], name_before: (string | null)[], size_before: number[], size_after: number[], download: number[], streamed: number[], is_read: boolean[]}} parts
 * @property {{part: string[], verdict: string[], class: string[], name: string[], name_before: (string | null)[], asset: string[], size_before: number[], size_after: number[], file: string[], path_id: number[], why: string[], root: string[]}} objects
 * @property {number} left_out
 * @property {number} all_parts
 * @property {number} download
 * @property {number} grown
 */

/** @typedef {{file: string, path_id: number, why?: string, root?: string, way?: string[]}} Copy an object that has another like it */

/**
 * @typedef {object} Build
 * @property {string[]} names
 * @property {{product: string, unity_versions: string[], platforms: string[], objects: number, disk: number, decoded: number, others: number}} summary
 * @property {boolean | null} of_project
 * @property {number} untied
 * @property {string[]} problems
 * @property {SizeRows & {group: string[], kind: string[]}} bundles
 * @property {SizeRows} classes
 * @property {SizeRows} groups
 * @property {SizeRows} assemblies
 * @property {SizeRows} assets
 * @property {{path: string[], guid: string[], size: number[], pulled_in: boolean[], bundles: string[][]}} laid_out
 * @property {SizeRows & {depth: number[]}} files
 * @property {SizeRows & {depth: number[]}} scripts
 * @property {{guid: string[], part: string[], size: number[], objects: number[], why: string[], root: string[], way: string[][]}} shipped
 * @property {{by: string[], class: string[], name: string[], asset: string[], equal: (boolean | null)[], size: number[], saved: number[], objects: Copy[][], count: number, sum: number}} duplicates
 * @property {BuildChange | null} against
 */

/** @typedef {{is_read: boolean, commits: {short: string[], day: string[], author: string[], subject: string[]}, counts: number[], most: number, commit: number[], words: string[], change: string, moved: number[], old_paths: string[], cut: boolean}} History the last changes of each asset in git */

/** @typedef {{platform: string, assets: number[], bytes: number[], width: number[], height: number[], format: string[]}} Imported textures as a platform imports them; -1 bytes of a crunched one */

/** @typedef {{bytes: number[], paths: string[][], unread: number}} Same assets with the same content */

/**
 * @typedef {object} Facts
 * @property {number} format
 * @property {string} version
 * @property {string} project
 * @property {Overview} overview
 * @property {Columns} assets
 * @property {Places | null} places
 * @property {Findings} findings
 * @property {Change | null} change
 * @property {Build | null} build
 * @property {Same} same
 * @property {Imported | null} imported
 * @property {History | null} history
 * @property {Unused} unused
 * @property {Packages} packages
 * @property {Unread[]} unread
 */

/**
 * Unpack base64 of what zlib compressed.
 * @param {string} packed
 * @returns {Promise<Facts>}
 */
export async function unpack(packed) {
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/**
 * Running sums of counts, from 0.
 * @param {number[]} counts
 */
function starts(counts) {
  const found = new Uint32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at++) found[at + 1] = found[at] + counts[at];
  return found;
}

/** Assets by number, and everything else that a reference has. */
export class Network {
  /** @param {Columns} columns */
  constructor(columns) {
    this.columns = columns;
    this.count = columns.names.length;
    this.total = this.count + columns.others.guid.length;
    this.folderOf = new Uint32Array(this.count);
    const first = starts(columns.counts);
    columns.folders.forEach((_, folder) => this.folderOf.fill(folder, first[folder], first[folder + 1]));
    this.first = starts(columns.degrees);
    this.targets = new Uint32Array(columns.targets.length);
    /** @type {Map<string, number>} */
    this.numbers = new Map();
    for (let node = this.total - 1; node >= 0; node--) this.numbers.set(this.guid(node) || this.path(node), node);
    const users = new Array(this.total).fill(0);
    for (let node = 0; node < this.total; node++) {
      let target = 0;
      for (let at = this.first[node]; at < this.first[node + 1]; at++) {
        target += columns.targets[at];
        this.targets[at] = target;
        users[target]++;
      }
    }
    this.firstUser = starts(users);
    this.edgeOf = new Uint32Array(this.targets.length);
    this.userOf = new Uint32Array(this.targets.length);
    const next = new Uint32Array(this.firstUser);
    for (let node = 0; node < this.total; node++) {
      for (let /** @type {number} */ at = this.first[node]; at < this.first[node + 1]; at++) {
        const place = /** @type {number} */ (next[this.targets[at]]++);
        this.edgeOf[place] = at;
        this.userOf[place] = node;
      }
    }
  }

  /** @param {number} node */
  guid(node) {
    return node < this.count ? this.columns.guids.slice(node * 32, node * 32 + 32) : this.columns.others.guid[node - this.count];
  }

  /** @param {number} node */
  folder(node) {
    if (node < this.count) return this.columns.folders[this.folderOf[node]];
    return this.path(node).split("/").slice(0, -1).join("/");
  }

  /** @param {number} node */
  path(node) {
    if (node >= this.count) return this.columns.others.path[node - this.count];
    const folder = this.columns.folders[this.folderOf[node]];
    return folder ? `${folder}/${this.columns.names[node]}` : this.columns.names[node];
  }

  /** @param {number} node */
  name(node) {
    if (node < this.count) return this.columns.names[node];
    return this.path(node).split("/").pop() || this.columns.others.name[node - this.count] || this.guid(node);
  }

  /** @param {number} node */
  type(node) {
    return this.columns.types[node < this.count ? this.columns.type[node] : this.columns.others.type[node - this.count]];
  }

  /** @param {number} node */
  bytes(node) {
    return node < this.count ? this.columns.bytes[node] : -1;
  }

  /** @param {number} node */
  packageOf(node) {
    return node < this.count ? "" : this.columns.others.package[node - this.count];
  }

  /**
   * Edges from an asset: the other node, and the number of the edge.
   * @param {number} node
   * @returns {[number, number][]}
   */
  needs(node) {
    /** @type {[number, number][]} */
    const found = [];
    for (let at = this.first[node]; at < this.first[node + 1]; at++) found.push([this.targets[at], at]);
    return found;
  }

  /**
   * Edges to an asset; a GUID that several assets have is that of each.
   * @param {number} node
   * @returns {[number, number][]}
   */
  users(node) {
    const owner = this.numbers.get(this.guid(node) || this.path(node)) ?? node;
    /** @type {[number, number][]} */
    const found = [];
    for (let at = this.firstUser[owner]; at < this.firstUser[owner + 1]; at++) found.push([this.userOf[at], this.edgeOf[at]]);
    return found;
  }

  /** @param {number} node */
  sharers(node) {
    const guid = this.guid(node);
    /** @type {number[]} */
    const found = [];
    for (let other = 0; guid && other < this.count; other++) {
      if (other !== node && this.columns.guids.startsWith(guid, other * 32)) found.push(other);
    }
    return found;
  }
}
