/**
 * Drives the extension in code-server with a browser, as a person would, and takes a picture of each step.
 *
 *     node tour.mjs URL PROJECT SETTINGS PROGRAM PICTURES CHROMIUM
 *
 * `scripts/release/browser.py` starts the editor and calls this. Prints a line for each step; ends with 1 at the first
 * that does not show what it should.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { chromium } from "playwright-core";

const [url, project, settings, program, pictures, browserPath] = process.argv.slice(2);
const PATIENCE = 90_000; // the machine may have other things to do
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
page.setDefaultTimeout(PATIENCE);
let number = 0;

async function step(name, work) {
  number += 1;
  const picture = path.join(pictures, `${String(number).padStart(2, "0")}-${name.replaceAll(/[^a-z]+/gi, "-")}.png`);
  try {
    await work();
    await page.screenshot({ path: picture });
    console.log(`ok    ${name}`);
  } catch (error) {
    await page.screenshot({ path: picture });
    console.log(`FAIL  ${name}: ${String(error).split("\n").slice(0, 4).join(" ")}`);
    await browser.close();
    process.exit(1);
  }
}

const statusItem = () => page.locator(".statusbar-item", { hasText: "assetdb" }).first();
const saidByStatus = async () => `${await statusItem().locator("a").first().getAttribute("aria-label")}`;

async function until(what, condition) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not within ${PATIENCE / 1000} s: ${what}`);
    await page.waitForTimeout(200);
  }
}

async function command(title) {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input").first();
  await input.fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await page.waitForTimeout(300);
  await page.keyboard.press("Enter");
}

async function open(name, line = 1) {
  await page.keyboard.press("Escape"); // a hover that is shown
  const lines = page.locator(".editor-instance .view-lines").first();
  if ((await lines.count()) > 0) await lines.click({ position: { x: 300, y: 150 } }); // the list of problems may have the focus
  const own = new RegExp(`${path.basename(name).replaceAll(".", "\\.")}(?!\\.meta)`);
  const tab = page.locator(`.tab.active[data-resource-name="${path.basename(name)}"]`);
  await until(`${name} is opened`, async () => {
    await page.keyboard.press("Control+p");
    await page.locator(".quick-input-widget input").first().fill(name);
    await page.waitForTimeout(500); // the list of earlier files is replaced by those that match
    await page.locator(".quick-input-list .monaco-list-row", { hasText: own }).first().click();
    await page.waitForTimeout(500);
    return (await tab.count()) > 0;
  });
  await page.keyboard.press("Control+g");
  await page.locator(".quick-input-widget input").first().fill(`:${line}`);
  await page.keyboard.press("Enter");
}

/** Put the cursor on the first place of a text in the active editor. */
async function goTo(name, text) {
  const lines = readFileSync(path.join(project, name), "utf8").split("\n");
  const line = lines.findIndex((each) => each.includes(text));
  await open(name, `${line + 1}:${lines[line].indexOf(text) + 2}`);
  return line;
}

async function hover(name, text) {
  await goTo(name, text);
  await page.mouse.move(700, 500); // off the tabs, which have texts of their own
  await command("Show or Focus Hover");
  const shown = page.locator(".monaco-hover:visible").first();
  await shown.waitFor();
  await page.waitForTimeout(500); // until it has faded in
  return shown.innerText();
}

const includes = (said, wanted) => {
  if (!said.includes(wanted)) throw new Error(`${JSON.stringify(said)} does not have ${JSON.stringify(wanted)}`);
};
const servers = () => {
  try {
    return execFileSync("pgrep", ["-f", `${program} lsp`], { encoding: "utf8" }).split("\n").filter(Boolean);
  } catch {
    return [];
  }
};

await step("no program on the machine", async () => {
  await page.goto(`${url}/?folder=${encodeURIComponent(project)}`);
  const offer = page.locator(".notification-toast", { hasText: "assetdb was not found" });
  await offer.waitFor();
  await page.waitForTimeout(500); // until it has slid into view
  includes(await offer.innerText(), "Install a Wheel");
});

await step("the setting assetdb.path", async () => {
  const values = JSON.parse(readFileSync(settings, "utf8"));
  writeFileSync(settings, JSON.stringify({ ...values, "assetdb.path": program }));
  await until("the server runs", async () => (await saidByStatus()).includes("is running"));
});

await step("hover names a reference", async () => {
  const found = await hover("Assets/Door.prefab", "guid: ");
  includes(found, "Health");
});

await step("inlay hints name references", async () => {
  await until("hints", async () => (await page.locator(".view-line", { hasText: "Red" }).count()) > 0);
});

await step("definition of a reference", async () => {
  await goTo("Assets/Door.prefab", "guid: ");
  await page.keyboard.press("F12");
  await page.locator(".tab.active", { hasText: "Health.cs" }).waitFor();
});

await step("code lens counts usages", async () => {
  await open("Health.cs");
  await page.locator(".codelens-decoration", { hasText: "usage" }).first().waitFor();
});

await step("code lenses of members", async () => {
  await page.locator(".codelens-decoration", { hasText: "called by 1 event: Bell" }).first().waitFor();
  await page.locator(".codelens-decoration", { hasText: "set in 1 prefab" }).first().waitFor();
});

await step("definition of an event", async () => {
  await goTo("Assets/Bell.prefab", "Mend");
  await page.keyboard.press("F12");
  await page.locator(".tab.active", { hasText: "Health.cs" }).waitFor();
});

await step("call hierarchy of an event", async () => {
  await goTo("Assets/Bell.prefab", "Mend");
  await command("Peek Call Hierarchy");
  const list = page.locator(".call-hierarchy .monaco-list-row");
  await list.filter({ hasText: "Health.Mend" }).first().waitFor();
  await list.filter({ hasText: "Bell" }).first().waitFor();
});

await step("metas are nested", async () => {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+e");
  const explorer = page.locator(".explorer-folders-view");
  await explorer.locator(".monaco-list-row", { hasText: /^Health\.cs$/ }).first().waitFor();
  const metas = await explorer.locator(".monaco-list-row", { hasText: ".meta" }).count();
  if (metas > 0) throw new Error(`${metas} metas are listed beside their assets`);
});

await step("a meta that was left behind is offered again", async () => {
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "Old.mat" }).first().click();
  await page.keyboard.press("F2");
  const input = page.locator(".explorer-folders-view .monaco-inputbox input").first();
  await input.fill("New.mat");
  await page.keyboard.press("Enter");
  await page.locator(".monaco-dialog-box .monaco-button", { hasText: "Skip Changes" }).click();
  const offer = page.locator(".notification-toast", { hasText: "New.mat was moved without its meta" });
  await offer.waitFor();
  await page.screenshot({ path: path.join(pictures, "offer.png") });
  await offer.locator(".monaco-button", { hasText: "Move the Meta" }).click();
  await until("the meta is moved", async () => existsSync(path.join(project, "Assets/New.mat.meta")));
});

await step("search by symbol", async () => {
  await page.keyboard.press("Control+t");
  await page.locator(".quick-input-widget input").first().fill("#Door");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Door" }).first().waitFor();
});

await step("usages view", async () => {
  await page.keyboard.press("Escape");
  await open("Health.cs");
  await command("assetdb: Find Usages");
  const pane = page.locator(".pane", { hasText: "Usages (assetdb)" });
  await pane.locator(".monaco-list-row", { hasText: "Door.prefab" }).first().waitFor();
});

await step("problems of all files", async () => {
  await page.keyboard.press("Control+Shift+m");
  const panel = page.locator(".markers-panel");
  await panel.locator(".monaco-list-row", { hasText: "Broken.prefab" }).first().waitFor();
});

await step("an edit is judged as it is typed", async () => {
  appendFileSync(path.join(project, "Assets/Red.mat"), `  m_Extra: {fileID: 2100000, guid: ${"e".repeat(32)}, type: 2}\n`);
  const panel = page.locator(".markers-panel");
  await panel.locator(".monaco-list-row", { hasText: "Red.mat" }).first().waitFor();
});

await step("a killed server comes back", async () => {
  const before = servers();
  if (before.length === 0) throw new Error("no server runs");
  for (const pid of before) process.kill(Number(pid), "SIGKILL");
  await until("another server", async () => servers().some((pid) => !before.includes(pid)));
  await until("the server runs", async () => (await saidByStatus()).includes("is running"));
  const found = await hover("Assets/Door.prefab", "guid: ");
  includes(found, "Health");
});

await step("a pointer of Git LFS is named as one", async () => {
  const found = await hover("Assets/Uses.prefab", "guid: ");
  includes(found, "LFS");
});

await step("report of problems", async () => {
  await command("assetdb: Open Report of Problems");
  await page.locator(".tab.active", { hasText: /report|problems|check/i }).waitFor();
  await page.locator(".view-line", { hasText: "missing-asset" }).first().waitFor();
});

await browser.close();
console.log(`${number} steps, pictures in ${pictures}`);
