/** A folder with Unity projects and programs in it, for one test. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import * as vscode from "vscode";

import type { Behaviour } from "../fakes/assetdb";
import type { Editor } from "../stub/vscode";

/** The stub's handle: the module `vscode` is the stub here. */
export const { editor } = vscode as unknown as { editor: Editor };

/** Why tests that run shell scripts in place of programs are skipped, or false where they are not. */
export const noShell = process.platform === "win32" ? "the stand-ins for programs are shell scripts" : false;

const FAKE = path.join(__dirname, "fakes", "assetdb.cjs");

export interface JournalEntry {
  readonly args?: string[];
  readonly cwd?: string;
  readonly method?: string;
  readonly folders?: string[];
  readonly pid?: number;
  readonly uri?: string;
  readonly program: string;
}

function quote(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`;
}

/** What a program that passes for assetdb does. */
export interface Fake {
  readonly version?: string;
  /** What the server does: work (by default), end at once, or end when it is asked for a hover. */
  readonly server?: "works" | "ends" | "dies-at-hover";
  /** What commands print, and how they end. */
  readonly answers?: Readonly<Record<string, Answer>>;
  /** What it prints, and how it ends, where a shell's pattern fits all of its words. */
  readonly patterns?: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly stdout?: string;
  readonly code?: number;
}

function cases(answers: Readonly<Record<string, Answer>>): string[] {
  return Object.entries(answers).map(([words, { stdout = "", code = 0 }]) => `${words}) printf %s ${quote(stdout)}; exit ${code} ;;`);
}

export class World {
  readonly root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "assetdb-vscode-")));
  readonly storage = path.join(this.root, "storage");
  readonly bin = path.join(this.root, "bin");
  private readonly programs: string[] = [];
  private readonly path = process.env["PATH"];

  constructor() {
    mkdirSync(this.storage);
    mkdirSync(this.bin);
    process.env["PATH"] = this.bin;
  }

  /** Write a file, with the folders above it. */
  write(place: string, text: string): string {
    const file = path.resolve(this.root, place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Make a Unity project; return its folder. */
  project(name: string): string {
    mkdirSync(path.join(this.root, name, "Assets"), { recursive: true });
    this.write(`${name}/ProjectSettings/ProjectVersion.txt`, "m_EditorVersion: 2021.3.5f1\n");
    return path.join(this.root, name);
  }

  /** Write a shell script; return its path. */
  script(place: string, text: string): string {
    const file = this.write(place, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** What a shell runs to pass for assetdb. */
  fake(place: string, { version = "9.9.9", server = "works", answers = {}, patterns = {} }: Fake = {}): string {
    const program = path.resolve(this.root, place);
    this.programs.push(program);
    const journal = `${program}.journal`;
    const behaviour: Behaviour = { journal, diesAtHover: server === "dies-at-hover" };
    const all: Readonly<Record<string, Answer>> = { "--version": { stdout: `assetdb ${version} (pure Python)\n` }, ...answers };
    const unknown = 'echo "assetdb: error: no such command: assetdb $1 (see: assetdb --help)" >&2; exit 2';
    return [
      `{ printf '{"cwd": "%s", "args": [' "$PWD"; comma=; for word; do printf '%s"%s"' "$comma" "$word"; comma=,; done; echo ']}'; } >> ${quote(journal)}`,
      ...(Object.keys(patterns).length > 0 ? ['case "$*" in', ...cases(patterns), "esac"] : []),
      'case "$1" in',
      ...(server === "ends" ? [] : [`lsp) exec ${quote(process.execPath)} ${quote(FAKE)} ${quote(JSON.stringify(behaviour))} ;;`]),
      ...cases(all),
      `*) ${unknown} ;;`,
      "esac",
    ].join("\n");
  }

  /** Put a program that passes for assetdb somewhere; return its path. */
  assetdb(place: string, fake: Fake = {}): string {
    return this.script(place, this.fake(place, fake));
  }

  /**
   * Put a program that passes for Python somewhere.
   *
   * Its environments hold a copy of it; its pip puts a program there that passes for assetdb, unless `pip` (words of a
   * shell) ends it before.
   */
  python(place: string, { version = "3 11 4", venv = "", pip = "", installs = {} } = {}): string {
    const journal = path.join(this.root, "python.journal");
    const fake = this.fake("installed", installs);
    return this.script(
      place,
      `export PATH=/usr/bin:/bin
echo "$PWD: $*" >> ${quote(journal)}
case "$*" in
  *"-I -c "*) echo "python ${version}" ;;
  *"-I -m venv "*) ${venv}
    for folder; do :; done
    mkdir -p "$folder/bin" && cp "$0" "$folder/bin/python" ;;
  *"-I -m pip install "*) ${pip}
    printf '#!/bin/sh\\n%s\\n' ${quote(fake)} > "\${0%python}assetdb" && chmod +x "\${0%python}assetdb" ;;
  *) exit 2 ;;
esac`,
    );
  }

  /** What Pythons were run with: the folder, and the words. */
  pythonJournal(): string[] {
    const journal = path.join(this.root, "python.journal");
    return existsSync(journal) ? readFileSync(journal, "utf-8").trim().split("\n") : [];
  }

  /** Everything that the programs were asked, each in its order. */
  journal(): JournalEntry[] {
    return this.programs.flatMap((program) => {
      if (!existsSync(`${program}.journal`)) return [];
      const lines = readFileSync(`${program}.journal`, "utf-8").split("\n").slice(0, -1); // the last one is still being written
      return lines.map((line) => ({ ...(JSON.parse(line) as Omit<JournalEntry, "program">), program: path.relative(this.root, program) }));
    });
  }

  /** The first words of all command lines that a program was run with. */
  commandsOf(place: string): string[] {
    return this.journal().filter(({ program, args }) => program === place && args !== undefined).map(({ args }) => args?.[0] ?? "");
  }

  remove(): void {
    process.env["PATH"] = this.path;
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Wait until something is so; fail with what was waited for where it never is. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`never: ${what}\nlog:\n${editor.log.slice(-30).join("\n")}\nmessages: ${JSON.stringify(editor.messages)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
