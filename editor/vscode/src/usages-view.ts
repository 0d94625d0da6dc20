/** The view "Usages": files that refer to an asset, with the objects and properties that do. */
import path from "node:path";

import * as vscode from "vscode";

import type { Reference, Usages, UsingFile } from "./commands/usages-json";

export const VIEW = "assetdb.usages";
const CONTEXT = "assetdb.hasUsages";

interface FileNode {
  readonly file: UsingFile;
  readonly uri: vscode.Uri;
}

interface ReferenceNode {
  readonly reference: Reference;
  readonly parent: FileNode;
}

export type Node = FileNode | ReferenceNode;

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

export class UsagesView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Node>;
  private files: readonly FileNode[] = [];

  constructor() {
    this.view = vscode.window.createTreeView<Node>(VIEW, { treeDataProvider: this, showCollapseAll: true });
  }

  /** Show what was found, or that nothing was. */
  async show(project: string, found: Usages): Promise<void> {
    this.files = found.files.map((file) => ({ file, uri: vscode.Uri.file(path.resolve(project, file.path)) }));
    const references = found.files.reduce((sum, { references: { length } }) => sum + Math.max(1, length), 0);
    const unread = found.unreadFiles === 0 ? "" : `; ${count(found.unreadFiles, "file")} could not be read, and may refer to it, too`;
    this.view.description = found.path === "" ? found.name : path.posix.basename(found.path);
    this.view.message =
      this.files.length === 0
        ? `Nothing refers to ${found.path}${unread}.`
        : `${count(references, "reference")} in ${count(this.files.length, "file")} to ${found.path}${unread}.`;
    await vscode.commands.executeCommand("setContext", CONTEXT, true);
    this.changed.fire(undefined);
    await vscode.commands.executeCommand(`${VIEW}.focus`);
  }

  async clear(): Promise<void> {
    this.files = [];
    this.changed.fire(undefined);
    await vscode.commands.executeCommand("setContext", CONTEXT, false);
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return [...this.files];
    return "file" in node ? node.file.references.map((reference) => ({ reference, parent: node })) : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return "file" in node ? this.fileItem(node) : this.referenceItem(node);
  }

  private fileItem({ file, uri }: FileNode): vscode.TreeItem {
    const { references } = file;
    const few = this.files.length <= 20;
    const state = vscode.TreeItemCollapsibleState[references.length === 0 ? "None" : few ? "Expanded" : "Collapsed"];
    const item = new vscode.TreeItem(uri, state);
    const folder = path.posix.dirname(file.path);
    item.description = references.length === 0 ? folder : `${folder}  ${references.length}`;
    item.tooltip = `${file.path}  ${file.type}`;
    if (references.length === 0) item.command = { command: "vscode.open", title: "Open", arguments: [uri] };
    return item;
  }

  private referenceItem({ reference, parent }: ReferenceNode): vscode.TreeItem {
    const item = new vscode.TreeItem(reference.object === "" ? reference.property : reference.object);
    item.description = reference.object === "" ? "" : reference.property;
    item.tooltip = `${parent.file.path}:${reference.line}  ${reference.property}`;
    const start = new vscode.Position(reference.line - 1, 0);
    const options: vscode.TextDocumentShowOptions = { selection: new vscode.Range(start, start), preview: true };
    item.command = { command: "vscode.open", title: "Open", arguments: [parent.uri, options] };
    return item;
  }

  dispose(): void {
    this.view.dispose();
    this.changed.dispose();
  }
}
