import * as vscode from 'vscode';
import { markdownText } from '../../common/wording.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { closest } from '../similar.ts';
import { type AgentFault, agentFaults } from './agentFaults.ts';
import { agentHover } from './agentHover.ts';
import { AgentModels } from './agentModels.ts';
import { AgentSchema } from './agentSchema.ts';
import { agentSuggestions, flowText, type Suggestion } from './agentSuggestions.ts';
import { yamlTree } from './yamlTree.ts';

const kinds: Readonly<Record<Suggestion['kind'], vscode.CompletionItemKind>> = {
	field: vscode.CompletionItemKind.Property,
	value: vscode.CompletionItemKind.EnumMember,
	node: vscode.CompletionItemKind.Reference,
	variable: vscode.CompletionItemKind.Variable,
	model: vscode.CompletionItemKind.Module,
};

/** Values that are offered where none is near what stands there. */
const mostFixes = 8;
/** A line that ends in a field's name, a value of one word, an item of a list or a reference: only there typing asks for what can stand there. */
const beginsWord = /^[ \t]*(- +)*["']?[\w-]*$|[:[,] *["']?[\w./-]*$|\{\{#[\w.]*$|\{ *\w*$/;

/**
 * What the editor knows of agent files by itself, whether or not the gateway runs: completion, hovers, faults and what mends them, by the schema that the
 * engine's own schemas make. A chunk of its own, loaded with the first agent file.
 */
export class AgentEditing implements vscode.CompletionItemProvider, vscode.HoverProvider, vscode.CodeActionProvider {
	readonly #schema: AgentSchema;
	readonly #models: AgentModels;

	/** @param extensionPath folder of the extension, which has the schema */
	constructor(extensionPath: string, connections: Connections, log: vscode.LogOutputChannel) {
		this.#schema = AgentSchema.load(extensionPath);
		this.#models = new AgentModels(connections, log);
	}

	/** What is wrong with a text as far as it tells by itself, in the order of the text. */
	faults(text: string): readonly AgentFault[] {
		return agentFaults(yamlTree(text), text, this.#schema, vscode.l10n.t);
	}

	async provideCompletionItems(
		document: vscode.TextDocument,
		position: vscode.Position,
		token: vscode.CancellationToken,
		{ triggerCharacter }: vscode.CompletionContext,
	): Promise<vscode.CompletionItem[]> {
		const before = document.lineAt(position).text.slice(0, position.character);
		if (triggerCharacter && !beginsWord.test(before)) {
			return [];
		}
		const sources = { schema: this.#schema, models: await this.#models.names() };
		if (token.isCancellationRequested) {
			return [];
		}
		const suggestions = agentSuggestions(document.getText(), document.offsetAt(position), sources);
		return suggestions.map((suggestion, at) => itemOf(suggestion, at, document, position));
	}

	/** For what is misspelt: what may be meant, nearest first. */
	provideCodeActions(document: vscode.TextDocument, range: vscode.Range, context: vscode.CodeActionContext): vscode.CodeAction[] {
		return this.faults(document.getText()).flatMap(fault => {
			const place = rangeOf(document, fault);
			const diagnostics = context.diagnostics.filter(each => each.code === fault.code && each.range.intersection(place));
			return range.intersection(place) ? fixesOf(document, fault, place, diagnostics) : [];
		});
	}

	provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
		const found = agentHover(document.getText(), document.offsetAt(position), this.#schema, vscode.l10n.t);
		if (!found) {
			return undefined;
		}
		const head = [`**${markdownText(found.name)}**`, ...found.facts.map(markdownText)].join(' · ');
		const text = new vscode.MarkdownString([head, ...found.lines.map(markdownText)].join('\n\n'));
		return new vscode.Hover(text, rangeOf(document, found));
	}
}

function fixesOf(
	document: vscode.TextDocument,
	{ suggestions = [] }: AgentFault,
	place: vscode.Range,
	diagnostics: vscode.Diagnostic[],
): vscode.CodeAction[] {
	const found = document.getText(place);
	const quote = /^["']/.exec(found)?.[0];
	const near = closest(found.replaceAll(/["']/g, ''), suggestions);
	return (near.length > 0 ? near : suggestions.slice(0, mostFixes)).map((suggestion, at) => {
		const action = new vscode.CodeAction(vscode.l10n.t('Change to “{0}”', suggestion), vscode.CodeActionKind.QuickFix);
		action.edit = new vscode.WorkspaceEdit();
		action.edit.replace(document.uri, place, quote ? JSON.stringify(suggestion) : flowText(suggestion));
		action.isPreferred = at === 0 && near.length > 0;
		action.diagnostics = diagnostics;
		return action;
	});
}

function itemOf(suggestion: Suggestion, at: number, document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem {
	const { label, insert, isSnippet, kind, detail, documentation, search, goesOn } = suggestion;
	const item = new vscode.CompletionItem(label, kinds[kind]);
	item.insertText = isSnippet ? new vscode.SnippetString(insert) : insert;
	item.range = rangeOf(document, suggestion);
	// the editor compares with what stands there already, its opening quote too
	const quote = /^["']/.exec(document.getText(item.range))?.[0] ?? '';
	item.filterText = `${quote}${label}${search ? ` ${search}` : ''}`;
	item.sortText = String(at).padStart(4, '0');
	item.detail = detail;
	item.documentation = documentation;
	if (goesOn) {
		item.command = { title: '', command: 'editor.action.triggerSuggest' };
	}
	// a completion must not reach over a line's end
	return item.range.isSingleLine ? item : Object.assign(item, { range: new vscode.Range(position, position) });
}

function rangeOf(document: vscode.TextDocument, { offset, length }: { offset: number; length: number }): vscode.Range {
	return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
