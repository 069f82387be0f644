import * as vscode from 'vscode';
import { resolveFileToWrite } from '../../platform/fileScopes.ts';
import { completeEnding, findFreeFile } from '../../platform/freeFile.ts';
import { requireLiteralInputs } from '../../runs/files/literalInputs.ts';
import { createSuitePickItem } from '../suiteChoice.ts';
import type { SuiteFiles } from '../suiteFiles.ts';
import {
	createCaseEdits,
	createCaseFromRun,
	createSuiteText,
	getTargetName,
	getUniqueCaseName,
	hasTarget,
	type NewCase,
	type PastRun,
	proposeCaseName,
	readCaseNames,
} from './runCase.ts';

/** Creates test cases from runs and prompts, in a new or existing suite. */
export class SuitesFromRuns {
	readonly #files: SuiteFiles;

	constructor(files: SuiteFiles) {
		this.#files = files;
	}

	/** Asks for a name and a file, and writes a suite with this run or prompt as its only case. */
	async createSuite(source: PastRun | NewCase): Promise<vscode.Uri | undefined> {
		const made = toNewCase(source);
		const name = await askForName(made, []);
		const uri = name === undefined ? undefined : await askForFile(getTargetName(made.target));
		if (name === undefined || !uri) {
			return undefined;
		}
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(createSuiteText(made, name)));
		await vscode.window.showTextDocument(uri, { preview: false });
		return uri;
	}

	/** Asks for a suite of the same agent or request and a name, and appends this run or prompt as a case. Doesn't save the document. */
	async addToSuite(source: PastRun | NewCase): Promise<vscode.Uri | undefined> {
		const made = toNewCase(source);
		const uri = await this.#chooseSuite(made);
		if (!uri || uri === 'new') {
			return uri && this.createSuite(source);
		}
		resolveFileToWrite(uri);
		const document = await vscode.workspace.openTextDocument(uri);
		const name = await askForName(made, readCaseNames(document.getText()));
		if (name === undefined) {
			return undefined;
		}
		const text = document.getText();
		const edits = createCaseEdits(text, { name, ...made.fields });
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

	/** Asks for a suite with the target of a case. Returns `new` if a suite should be created. */
	async #chooseSuite(made: NewCase): Promise<vscode.Uri | 'new' | undefined> {
		const suites = [];
		for (const uri of await this.#files.findSuites()) {
			const document = await vscode.workspace.openTextDocument(uri);
			if (hasTarget(document.getText(), made.target)) {
				suites.push(createSuitePickItem(uri));
			}
		}
		const none = { label: vscode.l10n.t('New suite…'), iconPath: new vscode.ThemeIcon('new-file'), uri: 'new' as const };
		const title = vscode.l10n.t("Add Run to a Suite of '{0}'", getTargetName(made.target));
		return (await vscode.window.showQuickPick([...suites, none], { title, placeHolder: vscode.l10n.t('Select a suite') }))?.uri;
	}
}

/** Throws if the case would send something different, because suites replace placeholders. */
function toNewCase(source: PastRun | NewCase): NewCase {
	if ('fields' in source) {
		const { target, fields } = source;
		requireLiteralInputs({ ...('chat' in target && target.chat), ...fields.inputs, query: fields.query });
		return source;
	}
	requireLiteralInputs(source.inputs, source.secretPlaces);
	return createCaseFromRun(source);
}

async function askForName(made: NewCase, taken: readonly string[]): Promise<string | undefined> {
	const name = await vscode.window.showInputBox({
		title: vscode.l10n.t('Test case name'),
		value: getUniqueCaseName(proposeCaseName(made), taken),
		validateInput: value =>
			value.trim() === ''
				? vscode.l10n.t('Enter a name.')
				: taken.includes(value.trim())
					? vscode.l10n.t('A test case with this name already exists.')
					: undefined,
	});
	return name?.trim();
}

async function askForFile(target: string): Promise<vscode.Uri | undefined> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const uri = await vscode.window.showSaveDialog({
		...(folder && {
			defaultUri: await findFreeFile(vscode.Uri.joinPath(folder.uri, 'suites'), target.replaceAll(/[^\w.-]+/g, '-'), 'suite.json'),
		}),
		// file dialogs only recognize the last part of a two-part extension, and would append both parts again
		filters: { [vscode.l10n.t('Suites')]: ['json'] },
		title: vscode.l10n.t('New Suite'),
	});
	return uri && completeEnding(uri, 'suite.json');
}
