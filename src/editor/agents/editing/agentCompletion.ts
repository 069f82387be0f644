import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { listAgentSuggestions, type Suggestion } from '#agentFile/completion/agentSuggestions.ts';
import { selectSuggestions } from '#agentFile/completion/selectSuggestions.ts';
import type { AgentReadings } from '../files/agentReadings.ts';
import { isNewAgentFile } from '../files/isAgentFile.ts';
import { listSkeletons, readSkeleton } from '../files/skeletons.ts';
import type { AvailableModels } from './availableModels.ts';
import { toDocumentRange } from './rangeOf.ts';

const kinds: Readonly<Record<Suggestion['kind'], vscode.CompletionItemKind>> = {
	field: vscode.CompletionItemKind.Property,
	value: vscode.CompletionItemKind.EnumMember,
	node: vscode.CompletionItemKind.Reference,
	variable: vscode.CompletionItemKind.Variable,
	model: vscode.CompletionItemKind.Module,
	newNode: vscode.CompletionItemKind.Snippet,
};

/** Matches the text before the cursor if typing triggers completion: in a field name, a one-word value, a list item or a reference. */
const beginsWord = /^[ \t]*(- +)*["']?[\w-]*$|[:[,] *["']?[\w./-]*$|\{\{#[\w.]*$|\{ *\w*$/;

interface AgentCompletionParts {
	/** Extension folder, which contains the templates of new agents. */
	readonly extensionPath: string;
	readonly readings: AgentReadings;
	readonly schema: AgentSchema;
	readonly models: AvailableModels;
}

/** Completes fields, values, nodes, variables and models. In an empty file, it offers templates of whole agents. */
export class AgentCompletion implements vscode.CompletionItemProvider {
	readonly #parts: AgentCompletionParts;

	constructor(parts: AgentCompletionParts) {
		this.#parts = parts;
	}

	async provideCompletionItems(
		document: vscode.TextDocument,
		position: vscode.Position,
		token: vscode.CancellationToken,
		{ triggerCharacter }: vscode.CompletionContext,
	): Promise<vscode.CompletionList> {
		if (isNewAgentFile(document)) {
			return new vscode.CompletionList(await this.#createSkeletonItems(document));
		}
		const before = document.lineAt(position).text.slice(0, position.character);
		if (triggerCharacter && !beginsWord.test(before)) {
			return new vscode.CompletionList();
		}
		const { schema, models, readings } = this.#parts;
		const sources = { schema, models: await models.listModelNames(), t: vscode.l10n.t };
		const reading = await readings.readDocument(document);
		if (token.isCancellationRequested) {
			return new vscode.CompletionList();
		}
		const offset = document.offsetAt(position);
		const suggestions = listAgentSuggestions(reading, offset, sources);
		const typed = reading.text.slice(suggestions[0]?.offset ?? offset, offset).replace(/^["']/, '');
		const { shown, isIncomplete } = selectSuggestions(suggestions, typed);
		const items = shown.map((suggestion, at) => createCompletionItem(suggestion, at, document, position));
		return new vscode.CompletionList(items, isIncomplete);
	}

	/** Offers the agent templates for an empty file. */
	async #createSkeletonItems(document: vscode.TextDocument): Promise<vscode.CompletionItem[]> {
		const agent = path.posix.basename(document.uri.path).replace(/\.ya?ml$/, '');
		const whole = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
		return Promise.all(
			listSkeletons().map(async ({ name, label, detail }, at) => {
				const item = new vscode.CompletionItem({ label, description: detail }, vscode.CompletionItemKind.File);
				item.insertText = '';
				item.sortText = String(at);
				// use a text edit, because inserted text would be reindented
				item.additionalTextEdits = [vscode.TextEdit.replace(whole, await readSkeleton(this.#parts.extensionPath, name, agent))];
				return item;
			}),
		);
	}
}

function createCompletionItem(
	suggestion: Suggestion,
	at: number,
	document: vscode.TextDocument,
	position: vscode.Position,
): vscode.CompletionItem {
	const { label, insert, isSnippet, kind, detail, documentation, search, continues } = suggestion;
	const item = new vscode.CompletionItem(label, kinds[kind]);
	item.insertText = isSnippet ? new vscode.SnippetString(insert) : insert;
	item.range = toDocumentRange(document, suggestion);
	// the editor filters by the existing text, including its opening quote
	const quote = /^["']/.exec(document.getText(item.range))?.[0] ?? '';
	item.filterText = `${quote}${label}${search ? ` ${search}` : ''}`;
	item.sortText = String(at).padStart(4, '0');
	item.detail = detail;
	item.documentation = documentation;
	if (continues) {
		item.command = { title: '', command: 'editor.action.triggerSuggest' };
	}
	// the range of a completion must be on one line
	return item.range.isSingleLine ? item : Object.assign(item, { range: new vscode.Range(position, position) });
}
