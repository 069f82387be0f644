import * as vscode from 'vscode';
import { cutText } from '#base/text/cutText.ts';
import { resolveFileToWrite } from '../../platform/fileScopes.ts';
import { findFreeFile } from '../../platform/freeFile.ts';
import { isSuitePath } from '../../platform/names.ts';
import { requireLiteralInputs } from '../../runs/files/literalInputs.ts';
import { createSuitePickItem } from '../suiteChoice.ts';
import type { SuiteFiles } from '../suiteFiles.ts';
import {
	createCaseEdits,
	createCaseFromRun,
	createSuiteText,
	getUniqueCaseName,
	type PastRun,
	readCaseNames,
	readSuiteAgent,
} from './runCase.ts';

/** Maximum length of a proposed name. */
const longestName = 60;

/** Creates test cases from runs, in a new or existing suite. */
export class SuitesFromRuns {
	readonly #files: SuiteFiles;

	constructor(files: SuiteFiles) {
		this.#files = files;
	}

	/** Asks for a name and a file, and writes a suite with this run as its only case. */
	async createSuite(run: PastRun): Promise<vscode.Uri | undefined> {
		requireLiteralInputs(run.inputs, run.secretPlaces);
		const name = await askForName(run, []);
		const uri = name === undefined ? undefined : await askForFile(run.agent);
		if (name === undefined || !uri) {
			return undefined;
		}
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(createSuiteText(run, name)));
		await vscode.window.showTextDocument(uri, { preview: false });
		return uri;
	}

	/** Asks for a suite of the agent and a name, and appends this run as a case. Doesn't save the document. */
	async addToSuite(run: PastRun): Promise<vscode.Uri | undefined> {
		requireLiteralInputs(run.inputs, run.secretPlaces);
		const uri = await this.#chooseSuite(run.agent);
		if (!uri || uri === 'new') {
			return uri && this.createSuite(run);
		}
		resolveFileToWrite(uri);
		const document = await vscode.workspace.openTextDocument(uri);
		const name = await askForName(run, readCaseNames(document.getText()));
		if (name === undefined) {
			return undefined;
		}
		const text = document.getText();
		const edits = createCaseEdits(text, createCaseFromRun(run, name));
		const change = new vscode.WorkspaceEdit();
		for (const { offset, length, content } of edits) {
			change.replace(uri, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), content);
		}
		await vscode.workspace.applyEdit(change);
		const [first] = edits;
		const at = document.positionAt((first?.offset ?? 0) + 1);
		await vscode.window.showTextDocument(document, { preview: false, selection: new vscode.Range(at.line + 1, 0, at.line + 1, 0) });
		return uri;
	}

	/** Asks for a suite of the agent. Returns `new` if a suite should be created. */
	async #chooseSuite(agent: string): Promise<vscode.Uri | 'new' | undefined> {
		const suites = [];
		for (const uri of await this.#files.findSuites()) {
			const document = await vscode.workspace.openTextDocument(uri);
			if (readSuiteAgent(document.getText()) === agent) {
				suites.push(createSuitePickItem(uri));
			}
		}
		const none = { label: vscode.l10n.t('New suite…'), iconPath: new vscode.ThemeIcon('new-file'), uri: 'new' as const };
		const title = vscode.l10n.t("Add Run to a Suite of '{0}'", agent);
		return (await vscode.window.showQuickPick([...suites, none], { title, placeHolder: vscode.l10n.t('Select a suite') }))?.uri;
	}
}

async function askForName(run: PastRun, taken: readonly string[]): Promise<string | undefined> {
	const [first] = Object.values(run.inputs).filter(value => typeof value === 'string' && value !== '') as string[];
	const proposed = cutText((run.query ?? first ?? run.agent).replaceAll(/\s+/g, ' ').trim(), longestName);
	const name = await vscode.window.showInputBox({
		title: vscode.l10n.t('Test case name'),
		value: getUniqueCaseName(proposed, taken),
		validateInput: value =>
			value.trim() === ''
				? vscode.l10n.t('Enter a name.')
				: taken.includes(value.trim())
					? vscode.l10n.t('A test case with this name already exists.')
					: undefined,
	});
	return name?.trim();
}

async function askForFile(agent: string): Promise<vscode.Uri | undefined> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const uri = await vscode.window.showSaveDialog({
		...(folder && { defaultUri: await findFreeFile(vscode.Uri.joinPath(folder.uri, 'suites'), agent, 'suite.json') }),
		// file dialogs only recognize the last part of a two-part extension, and would append both parts again
		filters: { [vscode.l10n.t('Suites')]: ['json'] },
		title: vscode.l10n.t('New Suite'),
	});
	return !uri || isSuitePath(uri.path) ? uri : uri.with({ path: `${uri.path.replace(/\.json$/, '')}.suite.json` });
}
