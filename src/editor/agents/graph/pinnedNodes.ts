import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { findProperty, listProperties } from '#base/text/textFaults.ts';
import type { ShownStops } from '#pages/graph/picture/graphProtocol.ts';
import { parseJsonText } from '#runs/request/jsonText.ts';
import { runInBackground } from '../../platform/background.ts';
import { isRunFilePath } from '../../platform/names.ts';
import { readSmallFile } from '../../platform/smallFile.ts';
import type { RunFileIndex } from '../../runs/files/runFileIndex.ts';

export interface PinnedNodesParts {
	readonly runFiles: Pick<RunFileIndex, 'getRunFiles' | 'onDidChange'>;
	readonly log: vscode.LogOutputChannel;
}

/** Finds the nodes whose outputs run files pin (as `mocks`), including unsaved changes. Updated asynchronously. */
export class PinnedNodes extends DisposableBase {
	/** Pinned nodes with the names of the run files that pin them. */
	nodes: ShownStops['pinned'] = [];
	readonly #parts: PinnedNodesParts;
	readonly #uri: () => vscode.Uri;
	readonly #onChange: () => void;
	#reading = false;
	/** True if a file may have changed since the files were read. */
	#isOutdated = false;

	/** @param uri returns the agent file's current URI @param changed called when the pinned nodes have changed */
	constructor(uri: () => vscode.Uri, parts: PinnedNodesParts, changed: () => void) {
		super();
		this.#uri = uri;
		this.#parts = parts;
		this.#onChange = changed;
		this.register(parts.runFiles.onDidChange(() => this.updateNodes()));
		this.register(vscode.workspace.onDidChangeTextDocument(({ document }) => isRunFilePath(document.uri.path) && this.updateNodes()));
	}

	/** Updates the pinned nodes. */
	updateNodes(): void {
		this.#isOutdated = true;
		if (!this.#reading) {
			this.#reading = true;
			runInBackground(this.#readFilesUntilCurrent(), this.#parts.log, 'Reading pinned nodes');
		}
	}

	async #readFilesUntilCurrent(): Promise<void> {
		try {
			while (this.#isOutdated && !this.disposed) {
				this.#isOutdated = false;
				const before = JSON.stringify(this.nodes);
				this.nodes = await this.#findPinnedNodes();
				if (!this.disposed && JSON.stringify(this.nodes) !== before) {
					this.#onChange();
				}
			}
		} finally {
			this.#reading = false;
		}
	}

	async #findPinnedNodes(): Promise<ShownStops['pinned']> {
		const files = new Map<string, string[]>();
		for (const uri of await this.#parts.runFiles.getRunFiles(path.posix.basename(this.#uri().path).replace(/\.ya?ml$/, ''))) {
			const text = await readOpenOrSavedText(uri);
			const { root } = parseJsonText(text ?? '', { comments: false, expected: '' }, vscode.l10n.t);
			for (const { name } of listProperties(findProperty(root, 'mocks'))) {
				files.set(name, [...(files.get(name) ?? []), path.posix.basename(uri.path)]);
			}
		}
		return [...files].map(([node, names]) => ({ node, files: names }));
	}
}

/** Reads a file from its open document, or from disk if it isn't open. Resolves to `undefined` if it was deleted or is too large. */
async function readOpenOrSavedText(uri: vscode.Uri): Promise<string | undefined> {
	const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
	try {
		return open ? open.getText() : await readSmallFile(uri);
	} catch {
		return undefined;
	}
}
