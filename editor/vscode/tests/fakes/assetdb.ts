/**
 * The language server of a program that passes for `assetdb`: it can little, and says what it was asked.
 *
 * Its own few lines of the protocol, so that it starts at once; everything else of such a program a shell does
 * (tests/support/world.ts). Its first word is a JSON object with what it is to do.
 */
import { appendFileSync } from "node:fs";

export interface Behaviour {
  /** Where it writes what it was asked, a line of JSON each. */
  readonly journal: string;
  readonly diesAtHover: boolean;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly workspaceFolders?: readonly { uri: string }[];
    readonly textDocument?: { uri: string };
    readonly event?: { added: readonly { uri: string }[] };
    readonly command?: string;
    readonly arguments?: readonly string[];
  };
}

const behaviour = JSON.parse(process.argv[2] ?? "") as Behaviour;
const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 5 } };

function note(entry: unknown): void {
  appendFileSync(behaviour.journal, `${JSON.stringify(entry)}\n`);
}

function send(message: object): void {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

function answer({ method, params = {} }: Message, lens: unknown): unknown {
  switch (method) {
    case "initialize":
      note({ method, folders: params.workspaceFolders?.map(({ uri }) => uri), pid: process.pid });
      return {
        capabilities: {
          textDocumentSync: { openClose: true, change: 2 },
          hoverProvider: true,
          inlayHintProvider: true,
          codeLensProvider: { resolveProvider: true },
          executeCommandProvider: { commands: ["assetdb.usages"] },
          workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
        },
      };
    case "textDocument/hover":
      note({ method });
      if (behaviour.diesAtHover) process.exit(3);
      return { contents: { kind: "markdown", value: "**Red.mat**" } };
    case "textDocument/inlayHint":
      return [{ position: range.start, label: "Red.mat" }];
    case "textDocument/codeLens":
      return [{ range, data: 1 }];
    case "codeLens/resolve": {
      const words = ["file:///a.mat", "c6f94db53433f931df0f976fe2f1be9a"];
      return { ...(lens as object), command: { title: "1 usage", command: "assetdb.usages", arguments: words } };
    }
    case "workspace/executeCommand":
      note({ method, args: [params.command, ...(params.arguments ?? [])] });
      return [{ uri: "file:///b.prefab", range }];
    default:
      return null;
  }
}

function take(message: Message): void {
  const { id, method, params = {} } = message;
  if (id !== undefined) {
    if (method !== undefined) send({ id, result: answer(message, message.params) });
    return;
  }
  if (method === "textDocument/didOpen" && params.textDocument !== undefined) {
    const { uri } = params.textDocument;
    note({ method, uri });
    send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics: [{ range, message: "dangling reference" }] } });
  } else if (method === "workspace/didChangeWorkspaceFolders") {
    note({ method, folders: params.event?.added.map(({ uri }) => uri) });
  } else if (method === "exit") {
    note({ method });
    process.exit(0);
  }
}

let rest = Buffer.alloc(0);
process.stdin.on("data", (chunk: Buffer) => {
  rest = Buffer.concat([rest, chunk]);
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const length = Number(/Content-Length: (\d+)/.exec(rest.toString("latin1", 0, Math.max(end, 0)))?.[1]);
    if (end < 0 || rest.length < end + 4 + length) return;
    const message = JSON.parse(rest.toString("utf-8", end + 4, end + 4 + length)) as Message;
    rest = rest.subarray(end + 4 + length);
    take(message);
  }
});
