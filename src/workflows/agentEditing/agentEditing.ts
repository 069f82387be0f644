import * as vscode from 'vscode';
import { markdownText } from '../../common/wording.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { type AgentFault, agentFaults } from './agentFaults.ts';
import { agentHover } from './agentHover.ts';
import { AgentModels } from './agentModels.ts';
import { AgentSchema } from './agentSchema.ts';
import { agentSuggestions, type Suggestion } from './agentSuggestions.ts';
import { yamlTree } from './yamlTree.ts';

const kinds: Readonly<Record<Suggestion['kind'], vscode.CompletionItemKind>> = {
	field: vscode.CompletionItemKind.Property,
	value: vscode.CompletionItemKind.EnumMember,
	node: vscode.CompletionItemKind.Reference,
	variable: vscode.CompletionItemKind.Variable,
	model: vscode.CompletionItemKind.Module,
};

/** A line that ends in a field's name, a value of one word, an item of a list or a reference: only there typing asks for what can stand there. */
const beginsWord = /^[ \t]*(- +)*["']?[\w-]*$|[:[,] *["']?[\w./-]*$|\{\{#[\w.]*$|\{ *\w*$/;

/**
 * What the editor knows of agent files by itself, whether or not the gateway runs: completion, hovers and faults, by the schema that the
 * engine's own schemas make. A chunk of its own, loaded with the first agent file.
 */
export class AgentEditing implements vscode.CompletionItemProvider, vscode.HoverProvider {
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
