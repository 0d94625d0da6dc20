import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { pathToFileURL } from "node:url";

import {
  type CodeLens,
  type CompletionItem,
  type DocumentSymbol,
  type FoldingRange,
  type Hover,
  type InitializeResult,
  type InlayHint,
  type Location,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  createProtocolConnection,
} from "vscode-languageserver-protocol/node";

import { Fixture, noServer, program } from "./support/real";

/** A conversation with a server about the fixture. */
class Conversation {
  readonly fixture = new Fixture();
  private readonly child: ChildProcess;
  readonly connection: ProtocolConnection;
  readonly failures: unknown[] = [];

  constructor() {
    const child = spawn(program, ["lsp"], { cwd: this.fixture.root, stdio: ["pipe", "pipe", "pipe"] });
    this.child = child;
    this.connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    this.connection.onError((error) => this.failures.push(error));
    this.connection.onRequest("client/registerCapability", () => null);
    this.connection.onRequest("window/workDoneProgress/create", () => null);
    this.connection.onRequest("workspace/inlayHint/refresh", () => null);
    this.connection.onRequest("workspace/codeLens/refresh", () => null);
    this.connection.listen();
  }

  uri(place: string): string {
    return pathToFileURL(this.fixture.file(place)).href;
  }

  async begin(): Promise<InitializeResult> {
    const result = await this.connection.sendRequest<InitializeResult>("initialize", {
      processId: process.pid,
      rootUri: this.uri(""),
      workspaceFolders: [{ uri: this.uri("").replace(/\/$/, ""), name: "Game" }],
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        workspace: { workspaceFolders: true },
        textDocument: { hover: { contentFormat: ["markdown", "plaintext"] }, documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
      },
    });
    await this.connection.sendNotification("initialized", {});
    return result;
  }

  /** Open a document; return its address, and where a text of it stands. */
  async open(place: string): Promise<{ uri: string; at: (text: string, into?: number) => { line: number; character: number } }> {
    const uri = this.uri(place);
    const text = readFileSync(this.fixture.file(place), "utf-8");
    await this.connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "unity-yaml", version: 1, text } });
    return {
      uri,
      at(part, into = 0) {
        const offset = text.indexOf(part);
        assert.ok(offset >= 0, part);
        const before = text.slice(0, offset + into).split("\n");
        return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      },
    };
  }

  ask<T>(method: string, params: object): Promise<T> {
    return this.connection.sendRequest<T>(method, params);
  }

  async end(): Promise<void> {
    const gone = once(this.child, "exit");
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    const [code] = (await gone) as [number | null];
    this.connection.dispose();
    this.fixture.remove();
    assert.equal(code, 0);
    assert.deepEqual(this.failures, []);
  }
}

async function talk(play: (conversation: Conversation) => Promise<void>): Promise<void> {
  const conversation = new Conversation();
  await conversation.begin();
  await play(conversation);
  await conversation.end();
}

suite("the real server, driven by vscode-languageserver-protocol", { skip: noServer }, () => {
  test("introduces itself, in UTF-16, and ends in order", async () => {
    const conversation = new Conversation();
    const result = await conversation.begin();
    assert.equal(result.serverInfo?.name, "assetdb");
    assert.equal(result.capabilities.positionEncoding ?? "utf-16", "utf-16");
    assert.ok(result.capabilities.hoverProvider);
    await conversation.end();
  });

  test("names a script and an object by hover, hint and definition", () =>
    talk(async (conversation) => {
      const { uri, at } = await conversation.open("Assets/Documents/Settings.asset");
      const position = at("d1c74252c1f6ad0ccea4a18ab1a04ee8", 5);
      const hover = await conversation.ask<Hover>("textDocument/hover", { textDocument: { uri }, position });
      assert.match(JSON.stringify(hover.contents), /Item/);
      assert.match(JSON.stringify(hover.contents), /Assets\/Scripts\/Item\.cs/);
      const range = { start: { line: 0, character: 0 }, end: { line: 40, character: 0 } };
      const hints = await conversation.ask<InlayHint[]>("textDocument/inlayHint", { textDocument: { uri }, range });
      assert.ok(hints.some((hint) => hint.position.line === position.line && JSON.stringify(hint.label).includes("Item.cs")));
      const found = await conversation.ask<Location | Location[]>("textDocument/definition", { textDocument: { uri }, position });
      const [first] = Array.isArray(found) ? found : [found];
      assert.equal(first?.uri, conversation.uri("Assets/Scripts/Item.cs"));
    }));

  test("lists usages to the line, and the objects of a prefab", () =>
    talk(async (conversation) => {
      const { uri, at } = await conversation.open("Assets/Prefabs/Nested.prefab");
      const position = at("864eb4c93ac1f6e40d118fd26989f203", 3);
      const context = { includeDeclaration: false };
      const found = await conversation.ask<Location[]>("textDocument/references", { textDocument: { uri }, position, context });
      assert.ok(found.some((place) => place.uri === conversation.uri("Assets/Prefabs/Variant.prefab")));
      assert.ok(found.some((place) => place.uri === uri));
      const symbols = await conversation.ask<DocumentSymbol[]>("textDocument/documentSymbol", { textDocument: { uri } });
      assert.ok(symbols.some(({ name }) => name.includes("Nested")), JSON.stringify(symbols));
      const ranges = await conversation.ask<FoldingRange[]>("textDocument/foldingRange", { textDocument: { uri } });
      assert.ok(ranges.some(({ startLine }) => startLine === at("--- !u!1001").line));
    }));

  test("counts usages in a lens, and shows them when its command is run", () =>
    talk(async (conversation) => {
      const { uri } = await conversation.open("Assets/Scripts/Item.cs.meta");
      const [lens] = await conversation.ask<CodeLens[]>("textDocument/codeLens", { textDocument: { uri } });
      assert.ok(lens);
      const { command } = lens.command === undefined ? await conversation.ask<CodeLens>("codeLens/resolve", lens) : lens;
      assert.match(command?.title ?? "", /\d+ usages/);
      const request = { command: command?.command, arguments: command?.arguments as unknown };
      const places = await conversation.ask<Location[]>("workspace/executeCommand", request);
      assert.ok(places.some((place) => place.uri === conversation.uri("Assets/Documents/Settings.asset")));
    }));

  test("completes a GUID by a name, and refuses to rename", () =>
    talk(async (conversation) => {
      const { uri, at } = await conversation.open("Assets/Documents/Settings.asset");
      const start = at("be5188a979094ebfdf7a05839dfc7ad9");
      const range = { start, end: { line: start.line, character: start.character + 32 } };
      const contentChanges = [{ range, text: "Hero" }];
      await conversation.connection.sendNotification("textDocument/didChange", { textDocument: { uri, version: 2 }, contentChanges });
      const position = { line: start.line, character: start.character + 4 };
      const found = await conversation.ask<{ items: CompletionItem[] } | CompletionItem[]>("textDocument/completion", { textDocument: { uri }, position });
      const items = Array.isArray(found) ? found : found.items;
      assert.ok(items.some(({ label }) => label.includes("Hero")), JSON.stringify(items).slice(0, 500));
      await assert.rejects(conversation.ask("textDocument/rename", { textDocument: { uri }, position, newName: "x" }));
    }));
});
