import { applyEdits, modify } from 'jsonc-parser';
import * as vscode from 'vscode';
import { formatJsonPath, type TextFault } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import { createPlaceholder } from '#runs/request/inputPlaceholder.ts';
import type { RunFileService } from '../runFileService.ts';

/** Maximum number of characters to parse for the fixes of a selection, because each fix parses the text. */
const mostParsed = 500_000;

/** Quick fixes for problems in a run file. They apply suggested names and values, add missing entries, and remove unknown ones. */
export class RunFileFixes implements vscode.CodeActionProvider {
	readonly #files: RunFileService;

	constructor(files: RunFileService) {
		this.#files = files;
	}

	async provideCodeActions(
		document: vscode.TextDocument,
		range: vscode.Range,
		context: vscode.CodeActionContext,
	): Promise<vscode.CodeAction[]> {
		const text = document.getText();
		const faults = await this.#files.checkRunFile(document);
		const agents = (await this.#files.getKnownAgents(this.#files.getConnection(document.uri))) ?? [];
		const agent = findAgent(agents, this.#files.parseRunFile(text).agent ?? '');
		const most = Math.max(1, Math.floor(mostParsed / (text.length + 1)));
		const here = faults.filter(fault => range.intersection(toRange(document, fault)) !== undefined).slice(0, most);
		const actions = here.flatMap(fault => {
			const diagnostics = context.diagnostics.filter(each => each.code === fault.code && each.range.isEqual(toRange(document, fault)));
			const actions = createFixes(document, fault, agent);
			for (const action of actions) {
				action.diagnostics = diagnostics;
			}
			return actions;
		});
		const missing = faults.filter(({ code }) => code === 'missing-input');
		if (missing.length > 1 && missing.length <= most && here.some(({ code }) => code === 'missing-input')) {
			actions.push(createQuickFix(document, vscode.l10n.t('Add all missing inputs'), addMissingEntry(text, missing, agent)));
		}
		return actions;
	}
}

function createFixes(document: vscode.TextDocument, fault: TextFault, agent: AgentSummary | undefined): vscode.CodeAction[] {
	const text = document.getText();
	const changes = (fault.suggestions ?? []).map((suggestion, at) => {
		// options of a variable are already JSON
		const value = suggestion.startsWith('"') ? suggestion : JSON.stringify(suggestion);
		const action = createQuickFix(
			document,
			vscode.l10n.t({ message: 'Change to {0}', args: [value], comment: ['{0} is a JSON value'] }),
			text.slice(0, fault.offset) + value + text.slice(fault.offset + fault.length),
		);
		action.isPreferred = at === 0;
		return action;
	});
	switch (fault.code) {
		case 'missing-field':
		case 'missing-input':
		case 'left-out-input':
			return [
				...changes,
				createQuickFix(document, vscode.l10n.t("Add '{0}'", formatJsonPath(fault.path)), addMissingEntry(text, [fault], agent)),
			];
		case 'unknown-input':
		case 'unknown-field':
		case 'unknown-node':
		case 'mocks-elsewhere':
			return [
				...changes,
				createQuickFix(document, vscode.l10n.t("Remove '{0}'", formatJsonPath(fault.path)), editJson(text, fault, undefined)),
			];
		default:
			return changes;
	}
}

function addMissingEntry(text: string, faults: readonly TextFault[], agent: AgentSummary | undefined): string {
	return faults.reduce((before, fault) => editJson(before, fault, getDefaultValue(fault, agent)), text);
}

function getDefaultValue({ path }: TextFault, agent: AgentSummary | undefined): unknown {
	const name = path.at(-1);
	const variable = path[0] === 'inputs' ? agent?.variables.find(each => each.variable === name) : undefined;
	return variable ? createPlaceholder(variable) : name === 'inputs' ? {} : '';
}

function editJson(text: string, { path }: TextFault, value: unknown): string {
	const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '\t';
	const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.includes('\t') ? 4 : indent.length };
	return applyEdits(text, modify(text, path, value, { formattingOptions }));
}

/** Creates an action that changes the document's text to `after`, with a single edit of the part that differs. */
function createQuickFix(document: vscode.TextDocument, title: string, after: string): vscode.CodeAction {
	const before = document.getText();
	let start = 0;
	while (start < before.length && before[start] === after[start]) {
		start++;
	}
	let end = 0;
	while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) {
		end++;
	}
	const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
	action.edit = new vscode.WorkspaceEdit();
	const range = new vscode.Range(document.positionAt(start), document.positionAt(before.length - end));
	action.edit.replace(document.uri, range, after.slice(start, after.length - end));
	return action;
}

function toRange(document: vscode.TextDocument, { offset, length }: TextFault): vscode.Range {
	return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
