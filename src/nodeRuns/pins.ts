import path from 'node:path';
import { type JSONPath, modify, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { isRunFilePath } from '../common/names.ts';
import { Problem } from '../common/problems.ts';
import { isEvent } from '../protocol/events.ts';
import type { Mock } from '../protocol/mocks.ts';
import type { JournalEntry } from '../runEvents/journalEntry.ts';
import { agentsOf, findRunFiles } from '../runFiles/runFileSearch.ts';
import type { RunRecord, Runs } from '../runs/runTypes.ts';
import { propertiesOf, propertyOf } from '../textChecks/textFaults.ts';
import { meantNode } from './meantNode.ts';

export interface PinsParts {
	readonly runs: Runs;
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

	/** *Pin Outputs*: what a node put out in a run stands in for it from now on, in the run file that the user sees then. */
	async pin(argument: unknown): Promise<void> {
		const { node, document, record } = await meantNode(argument, this.#parts.runs, this.#parts.fileOf);
		if (!record) {
			throw new Problem('no-run', vscode.l10n.t('Outputs are pinned from a run: choose the node in the inspector of a run.'));
		}
		const mocks = await recordedMocks(this.#parts.entries(record.key), node.id);
		if (mocks.length === 0) {
			throw new Problem('no-outputs', vscode.l10n.t('“{0}” put nothing out in this run: there is nothing to pin.', node.title));
		}
		const file = await runFileOf(record, agentNameOf(document.uri), vscode.l10n.t('Pin outputs of {0}', node.title));
		if (file) {
			await change(file, ['mocks', node.id], mocks.length === 1 ? mocks[0] : mocks);
		}
	}

	/** *Unpin*: the node runs again. */
	async unpin(argument: unknown): Promise<void> {
		const { node, document, record } = await meantNode(argument, this.#parts.runs, this.#parts.fileOf);
		const file = await runFileOf(record, agentNameOf(document.uri), vscode.l10n.t('Unpin {0}', node.title));
		if (!file) {
			return;
		}
		const text = await vscode.workspace.openTextDocument(file);
		const mocks = propertyOf(parseTree(text.getText()), 'mocks');
		if (!propertyOf(mocks, node.id)) {
			throw new Problem('not-pinned', vscode.l10n.t('{0} pins no outputs of “{1}”.', path.posix.basename(file.path), node.title));
		}
		await change(file, propertiesOf(mocks).length === 1 ? ['mocks'] : ['mocks', node.id], undefined);
	}
}

/** What a node put out in a run, an entry for each time that it ran, in that order. */
export async function recordedMocks(entries: AsyncIterable<JournalEntry>, node: string): Promise<Mock[]> {
	const mocks: Mock[] = [];
	for await (const entry of entries) {
		const event = 'event' in entry ? entry.event : undefined;
		if (!event || !isEvent(event, 'node_finished') || event.data.node_id !== node) {
			continue;
		}
		const { outputs, status, error } = event.data;
		if (status === 'failed' || status === 'exception') {
			mocks.push({ error: error ?? '' });
		} else if (outputs) {
			mocks.push({ outputs });
		}
	}
	return mocks;
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
	const files = (await agentsOf(await findRunFiles())).flatMap(([file, named]) => (named === agent ? [file] : []));
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

/** Puts a value into a run file, or takes it out, and shows where. */
async function change(file: vscode.Uri, at: JSONPath, value: unknown): Promise<void> {
	const document = await vscode.workspace.openTextDocument(file);
	const text = document.getText();
	const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '\t';
	const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.includes('\t') ? 4 : indent.length };
	const edits = modify(text, at, value, { formattingOptions });
	const edit = new vscode.WorkspaceEdit();
	for (const { offset, length, content } of edits) {
		edit.replace(file, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), content);
	}
	await vscode.workspace.applyEdit(edit);
	const start = document.positionAt(edits[0]?.offset ?? 0);
	const end = document.positionAt((edits[0]?.offset ?? 0) + (edits[0]?.content.length ?? 0));
	const shown = await vscode.window.showTextDocument(document, { preview: false });
	shown.revealRange(new vscode.Range(start, end), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
