import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { isRunFilePath } from '../../platform/names.ts';
import { agentsOfRunFiles, findRunFiles } from '../../runs/files/runFileSearch.ts';
import { type FindRun, meantNode } from './meantNode.ts';
import { pinEdits } from './pinEdits.ts';
import { recordedMocks } from './recordedMocks.ts';

export interface PinsParts {
	readonly find: FindRun;
	readonly fileOf: (record: RunRecord) => Promise<vscode.Uri | undefined>;
	/** What is kept of a run, entry by entry. */
	readonly entries: (key: string) => AsyncIterable<JournalEntry>;
}

/** Recorded outputs of nodes as `mocks` of run files: written and taken out by the smallest changes of their texts, which undo. */
export class Pins {
	readonly #parts: PinsParts;

	constructor(parts: PinsParts) {
		this.#parts = parts;
	}

	/** *Pin Node Outputs*: what a node put out in a run stands in for it from now on, in the run file that the user sees then. */
	async pin(argument: unknown): Promise<void> {
		const { node, document, record } = await meantNode(argument, this.#parts.find, this.#parts.fileOf);
		if (!record) {
			throw new Problem('no-run', vscode.l10n.t('Outputs are pinned from a run: choose the node in the inspector of a run.'));
		}
		const mocks = await recordedMocks(this.#parts.entries(record.key), node.id);
		if (mocks.length === 0) {
			throw new Problem('no-outputs', vscode.l10n.t('“{0}” put nothing out in this run: there is nothing to pin.', node.title));
		}
		const file = await runFileOf(record, agentNameOf(document.uri), vscode.l10n.t('Pin outputs of {0}', node.title));
		if (file) {
			await change(file, node.id, mocks.length === 1 ? mocks[0] : mocks);
		}
	}

	/** *Unpin*: the node runs again. */
	async unpin(argument: unknown): Promise<void> {
		const { node, document, record } = await meantNode(argument, this.#parts.find, this.#parts.fileOf);
		const file = await runFileOf(record, agentNameOf(document.uri), vscode.l10n.t('Unpin {0}', node.title));
		if (!file) {
			return;
		}
		if (!(await change(file, node.id, undefined))) {
			throw new Problem('not-pinned', vscode.l10n.t('{0} pins no outputs of “{1}”.', path.posix.basename(file.path), node.title));
		}
	}
}

function agentNameOf(uri: vscode.Uri): string {
	return path.posix.basename(uri.path).replace(/\.ya?ml$/, '');
}

/** The run file of a run; one of its agent that the user picks where it came from none. */
async function runFileOf(record: RunRecord | undefined, agent: string, title: string): Promise<vscode.Uri | undefined> {
	const own = record?.file === undefined ? undefined : vscode.Uri.parse(record.file);
	if (own && isRunFilePath(own.path)) {
		return own;
	}
	const files = (await agentsOfRunFiles(await findRunFiles())).flatMap(([file, named]) => (named === agent ? [file] : []));
	if (files.length === 0) {
		throw new Problem('no-run-file', vscode.l10n.t('{0} has no run file that could hold what is pinned: make one first.', agent), {
			title: vscode.l10n.t('New Run File…'),
			command: 'agentWorkbench.runFile.create',
		});
	}
	const items = files.map(uri => ({ label: path.posix.basename(uri.path), description: vscode.workspace.asRelativePath(uri), uri }));
	const picked = await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Run file') });
	return picked?.uri;
}

/** Has something stand in for a node in a run file, or nothing any more, and shows where. @returns false where there is nothing to change */
async function change(file: vscode.Uri, node: string, value: unknown): Promise<boolean> {
	const name = path.posix.basename(file.path);
	const document = await vscode.workspace.openTextDocument(file);
	const edits = pinEdits(document.getText(), node, value);
	if (edits === 'unreadable' || edits === 'mocks') {
		const sentence =
			edits === 'mocks'
				? vscode.l10n.t('“mocks” of {0} is no object: mend it first, so that it can hold what is pinned.', name)
				: vscode.l10n.t('{0} cannot be read as a JSON object: mend it first, so that nothing of it is lost.', name);
		throw new Problem('unreadable-run-file', sentence);
	}
	if (edits.length === 0) {
		return false;
	}
	const edit = new vscode.WorkspaceEdit();
	for (const { offset, length, content } of edits) {
		edit.replace(file, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), content);
	}
	if (!(await vscode.workspace.applyEdit(edit))) {
		throw new Problem('unchanged-run-file', vscode.l10n.t('The editor could not change {0}: is it read-only?', name));
	}
	const start = document.positionAt(edits[0]?.offset ?? 0);
	const end = document.positionAt((edits[0]?.offset ?? 0) + (edits[0]?.content.length ?? 0));
	const shown = await vscode.window.showTextDocument(document, { preview: false });
	shown.revealRange(new vscode.Range(start, end), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	return true;
}
