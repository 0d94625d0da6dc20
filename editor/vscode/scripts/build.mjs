// Bundles the extension (`build.mjs`, `build.mjs release`) or its tests (`build.mjs tests [FOLDER]`).
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const mode = process.argv[2] ?? "debug";
const shared = { bundle: true, platform: "node", format: "cjs", target: "node20", external: ["vscode"], logLevel: "warning" };

// The licences of what is bundled ask to be passed on with it.
function notices(metafile) {
  const packages = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) packages.add(found[1]);
  }
  return [...packages].sort().map((name) => {
    const folder = path.join("node_modules", name);
    const about = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf-8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence to pass on`);
    return `${name} ${about.version} (${about.license})\n\n${readFileSync(path.join(folder, file), "utf-8").trim()}\n`;
  }).join(`\n${"-".repeat(80)}\n\n`);
}

async function extension(release) {
  rmSync("dist", { recursive: true, force: true });
  const result = await build({
    ...shared, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", minify: release,
    sourcemap: release ? false : "linked", metafile: true, legalComments: "none",
  });
  mkdirSync("build", { recursive: true }); // where the package is written
  writeFileSync("dist/ThirdPartyNotices.txt", notices(result.metafile));
}

// Tests see the stub as the module `vscode`, as it lies in a node_modules above them; so does the extension that is
// bundled (dist/extension.js is copied there) and the one that a test unpacks.
async function tests() {
  const out = process.argv[3] ?? "build/tests";
  rmSync(out, { recursive: true, force: true });
  const files = readdirSync("tests").filter((name) => name.endsWith(".test.ts")).map((name) => path.join("tests", name));
  await build({ ...shared, entryPoints: files, outdir: out, sourcemap: "inline" });
  await build({ ...shared, entryPoints: ["tests/stub/vscode.ts"], outfile: `${out}/node_modules/vscode/index.js`, external: [] });
  if (existsSync("tests/fakes")) {
    const fakes = readdirSync("tests/fakes").filter((name) => name.endsWith(".ts")).map((name) => path.join("tests/fakes", name));
    await build({ ...shared, entryPoints: fakes, outdir: `${out}/fakes`, outExtension: { ".js": ".cjs" } });
  }
}

if (mode === "tests") await tests();
else await extension(mode === "release");
