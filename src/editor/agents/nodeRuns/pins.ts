import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { isRunFilePath } from '../../platform/names.ts';
import { findRunFiles, readAgentsOfRunFiles } from '../../runs/files/runFileSearch.ts';
import { createPinEdits } from './pinEdits.ts';
import { readRecordedMocks } from './recordedMocks.ts';
import { type FindRun, resolveNode } from './resolveNode.ts';

export interface PinsParts {
	readonly find: FindRun;
	readonly findAgentFile: (record: RunRecord) => Promise<vscode.Uri | undefined>;
	/** Reads a stored run entry by entry. */
	readonly readEntries: (key: string) => AsyncIterable<JournalEntry>;
}

/** Pins recorded outputs of nodes as `mocks` in run files. The edits are minimal and can be undone. */
export class Pins {
	readonly #parts: PinsParts;

	constructor(parts: PinsParts) {
		this.#parts = parts;
	}

	/** *Pin Node Outputs*: adds the node's outputs from a run to a run file as a mock, and shows the file. */
	async pinOutputs(argument: unknown): Promise<void> {
		const { node, document, record } = await resolveNode(argument, this.#parts.find, this.#parts.findAgentFile);
		if (!record) {
			throw new Problem('no-run', vscode.l10n.t('Outputs can only be pinned from a run. Inspect a run, and then select the node.'));
		}
		const mocks = await readRecordedMocks(this.#parts.readEntries(record.key), node.id);
		if (mocks.length === 0) {
			throw new Problem('no-outputs', vscode.l10n.t("Nothing to pin: '{0}' has no outputs in this run.", node.title));
		}
		const file = await findRunFile(record, getAgentName(document.uri), vscode.l10n.t("Pin Outputs of '{0}'", node.title));
		if (file) {
			await applyPin(file, node.id, mocks.length === 1 ? mocks[0] : mocks);
		}
	}

	/** *Unpin Node Outputs*: removes the mock, so that the node runs again. */
	async unpinOutputs(argument: unknown): Promise<void> {
		const { node, document, record } = await resolveNode(argument, this.#parts.find, this.#parts.findAgentFile);
		const own = getRunFile(record);
		const files = own ? [own] : await listRunFiles(getAgentName(document.uri));
		const pinned = (await Promise.all(files.map(async file => ((await isPinned(file, node.id)) ? [file] : [])))).flat();
		if (pinned.length === 0) {
			throw new Problem('not-pinned', vscode.l10n.t("Outputs of '{0}' aren't pinned in a run file.", node.title));
		}
		const file = pinned.length === 1 ? pinned[0] : await pickRunFile(pinned, vscode.l10n.t("Unpin Outputs of '{0}'", node.title));
		if (file) {
			await applyPin(file, node.id, undefined);
		}
	}
}

function getAgentName(uri: vscode.Uri): string {
	return path.posix.basename(uri.path).replace(/\.ya?ml$/, '');
}

/** Returns the run file that a run was started from. */
function getRunFile(record: RunRecord | undefined): vscode.Uri | undefined {
	const file = record?.file === undefined ? undefined : vscode.Uri.parse(record.file);
	return file && isRunFilePath(file.path) ? file : undefined;
}

async function listRunFiles(agent: string): Promise<readonly vscode.Uri[]> {
	return (await readAgentsOfRunFiles(await findRunFiles())).flatMap(([file, named]) => (named === agent ? [file] : []));
}

/** True if a run file pins the node, or if it can't be read, which {@link applyPin} reports. */
async function isPinned(file: vscode.Uri, node: string): Promise<boolean> {
	const edits = createPinEdits((await vscode.workspace.openTextDocument(file)).getText(), node, undefined);
	return typeof edits === 'string' || edits.length > 0;
}

/** Returns the run file that a run was started from, or one of the agent's run files that the user picks. */
async function findRunFile(record: RunRecord | undefined, agent: string, title: string): Promise<vscode.Uri | undefined> {
	const own = getRunFile(record);
	if (own) {
		return own;
	}
	const files = await listRunFiles(agent);
	if (files.length === 0) {
		throw new Problem(
			'no-run-file',
			vscode.l10n.t("Pinned outputs are saved in a run file, but '{0}' doesn't have one yet. Create one first.", agent),
			{
				title: vscode.l10n.t('New Run File…'),
				command: 'agentWorkbench.runFile.create',
			},
		);
	}
	return pickRunFile(files, title);
}

async function pickRunFile(files: readonly vscode.Uri[], title: string): Promise<vscode.Uri | undefined> {
	const items = files.map(uri => ({ label: path.posix.basename(uri.path), description: vscode.workspace.asRelativePath(uri), uri }));
	const picked = await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Select a run file') });
	return picked?.uri;
}

/** Pins or unpins a node in a run file and reveals the change. */
async function applyPin(file: vscode.Uri, node: string, value: unknown): Promise<void> {
	const name = path.posix.basename(file.path);
	const document = await vscode.workspace.openTextDocument(file);
	const edits = createPinEdits(document.getText(), node, value);
	if (edits === 'unreadable' || edits === 'mocks') {
		const message =
			edits === 'mocks'
				? vscode.l10n.t("In '{0}', 'mocks' isn't an object. Fix it first.", name)
				: vscode.l10n.t("'{0}' isn't a valid JSON object. Fix it first.", name);
		throw new Problem('unreadable-run-file', message);
	}
	const edit = new vscode.WorkspaceEdit();
	for (const { offset, length, content } of edits) {
		edit.replace(file, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), content);
	}
	if (!(await vscode.workspace.applyEdit(edit))) {
		throw new Problem('unchanged-run-file', vscode.l10n.t("Couldn't change '{0}'. It might be read-only.", name));
	}
	const start = document.positionAt(edits[0]?.offset ?? 0);
	const end = document.positionAt((edits[0]?.offset ?? 0) + (edits[0]?.content.length ?? 0));
	const shown = await vscode.window.showTextDocument(document, { preview: false });
	shown.revealRange(new vscode.Range(start, end), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
