import path from 'node:path';
import { parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { propertiesOf, propertyOf } from '#base/text/textFaults.ts';
import type { ShownStops } from '#pages/graph/picture/graphProtocol.ts';
import { background } from '../../platform/background.ts';
import { isRunFilePath } from '../../platform/names.ts';
import type { RunFileIndex } from '../../runs/files/runFileIndex.ts';

export interface PinnedNodesParts {
	readonly runFiles: Pick<RunFileIndex, 'ofAgent' | 'onDidChange'>;
	readonly log: vscode.LogOutputChannel;
}

/** Nodes of an agent file whose outputs run files pin (`mocks`), as these stand in the editor, else on the disk. Known a moment after it was asked for. */
export class PinnedNodes extends DisposableBase {
	/** By node, each with the names of the run files that pin it. */
	nodes: ShownStops['pinned'] = [];
	readonly #parts: PinnedNodesParts;
	readonly #uri: () => vscode.Uri;
	readonly #changed: () => void;
	#reading = false;
	/** Something has changed since the files were read. */
	#due = false;

	/** @param uri of the agent file, as it is called now @param changed called when other nodes are pinned than before */
	constructor(uri: () => vscode.Uri, parts: PinnedNodesParts, changed: () => void) {
		super();
		this.#uri = uri;
		this.#parts = parts;
		this.#changed = changed;
		this.own(parts.runFiles.onDidChange(() => this.read()));
		this.own(vscode.workspace.onDidChangeTextDocument(({ document }) => isRunFilePath(document.uri.path) && this.read()));
	}

	/** Looks which nodes are pinned now. */
	read(): void {
		this.#due = true;
		if (!this.#reading) {
			this.#reading = true;
			background(this.#readAll(), this.#parts.log, 'Pinned nodes of a graph');
		}
	}

	async #readAll(): Promise<void> {
		try {
			while (this.#due && !this.disposed) {
				this.#due = false;
				const before = JSON.stringify(this.nodes);
				this.nodes = await this.#find();
				if (!this.disposed && JSON.stringify(this.nodes) !== before) {
					this.#changed();
				}
			}
		} finally {
			this.#reading = false;
		}
	}

	async #find(): Promise<ShownStops['pinned']> {
		const files = new Map<string, string[]>();
		for (const uri of await this.#parts.runFiles.ofAgent(path.posix.basename(this.#uri().path).replace(/\.ya?ml$/, ''))) {
			const text = await textOf(uri);
			for (const { name } of propertiesOf(propertyOf(text === undefined ? undefined : parseTree(text), 'mocks'))) {
				files.set(name, [...(files.get(name) ?? []), path.posix.basename(uri.path)]);
			}
		}
		return [...files].map(([node, names]) => ({ node, files: names }));
	}
}

/** The text of a file as the editor has it, else as the disk has it; `undefined` for one that is gone. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
	const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
	try {
		return open ? open.getText() : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
	} catch {
		return undefined;
	}
}
