/** The real `assetdb`, where the environment names one (ASSETDB_PROGRAM) that has the command `lsp`. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const FIXTURE = path.resolve("../../fixtures/unity_project");

export const program = process.env["ASSETDB_PROGRAM"] ?? "";

/** Why tests with a real server are skipped, or false where they are not. */
export const noServer = reason();

function reason(): string | false {
  if (program === "") return "ASSETDB_PROGRAM names no assetdb to drive";
  if (!existsSync(FIXTURE)) return "the fixture is not beside the extension";
  const asked = spawnSync(program, ["lsp", "--help"], { encoding: "utf-8" });
  if (asked.status !== 0) return `${program} has no language server: ${asked.stderr.trim()}`;
  return false;
}

/** A copy of the fixture's project, which a test may write to. */
export class Fixture {
  readonly root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "assetdb-real-")));
  readonly project = path.join(this.root, "Game");

  constructor() {
    cpSync(FIXTURE, this.project, { recursive: true, verbatimSymlinks: true });
  }

  file(place: string): string {
    return path.join(this.project, place);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}
