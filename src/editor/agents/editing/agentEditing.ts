import path from 'node:path';
import * as vscode from 'vscode';
import { type AgentDiagnostic, agentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { CleanItems } from '#agentFile/checks/cleanItems.ts';
import { agentSuggestions, type Suggestion } from '#agentFile/completion/agentSuggestions.ts';
import { agentHover } from '#agentFile/hovers/agentHover.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { scalarText } from '#agentFile/scalarText.ts';
import { closest } from '#base/text/closestNames.ts';
import { cutValue } from '#base/text/cutValue.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { agoText, markdownText } from '../../platform/wording.ts';
import { AgentReadings } from '../files/agentReadings.ts';
import { isNewAgentFile } from '../files/isAgentFile.ts';
import { skeletons, skeletonText } from '../files/skeletons.ts';
import type { LastValues } from '../lastRuns/lastValues.ts';
import { type NodeText, nodeTexts } from '../lastRuns/nodeTexts.ts';
import { AgentNavigation } from '../navigation/agentNavigation.ts';
import { AvailableModels } from './agentModels.ts';
import { enterRules } from './enterRules.ts';

const kinds: Readonly<Record<Suggestion['kind'], vscode.CompletionItemKind>> = {
	field: vscode.CompletionItemKind.Property,
	value: vscode.CompletionItemKind.EnumMember,
	node: vscode.CompletionItemKind.Reference,
	variable: vscode.CompletionItemKind.Variable,
	model: vscode.CompletionItemKind.Module,
	newNode: vscode.CompletionItemKind.Snippet,
};

/** Values that are offered where none is near what stands there. */
const mostFixes = 8;
/** Characters of a value that a hover shows. */
const longestValue = 600;
/** A line that ends in a field's name, a value of one word, an item of a list or a reference: only there typing asks for what can stand there. */
const beginsWord = /^[ \t]*(- +)*["']?[\w-]*$|[:[,] *["']?[\w./-]*$|\{\{#[\w.]*$|\{ *\w*$/;

/**
 * What the editor knows of agent files by itself, whether or not the gateway runs: completion, hovers, faults and what mends them, by the schema that the
 * engine's own schemas make. A chunk of its own, loaded with the first agent file.
 */
export class AgentEditing implements vscode.CompletionItemProvider, vscode.HoverProvider, vscode.CodeActionProvider {
	/** What stands in the files: for the graph too. */
	readonly readings = new AgentReadings();
	readonly navigation = new AgentNavigation(this.readings);
	/** How lines go on, for all YAML: the editor asks for that by language, not by file. */
	readonly enterRules = enterRules(vscode.IndentAction.None);
	readonly #schema: AgentSchema;
	readonly #models: AvailableModels;
	readonly #lastValues: LastValues;
	readonly #extensionPath: string;
	readonly #faults = new WeakMap<AgentReading, readonly AgentDiagnostic[]>();
	readonly #clean = new CleanItems();

	/** @param extensionPath folder of the extension, which has the schema */
	constructor(extensionPath: string, connections: Connections, lastValues: LastValues, log: vscode.LogOutputChannel) {
		this.#lastValues = lastValues;
		this.#schema = AgentSchema.load(extensionPath);
		this.#models = new AvailableModels(connections, log);
		this.#extensionPath = extensionPath;
	}

	/** The nodes of a file, or of a text that no document has, by their IDs. */
	async nodeTexts(file: vscode.TextDocument | string): Promise<ReadonlyMap<string, NodeText>> {
		return nodeTexts(typeof file === 'string' ? new AgentReading(file) : await this.readings.ready(file));
	}

	/** What is wrong with a file as far as its text tells by itself, in the order of the text. Problems, quick fixes and forms ask for the same one after the other. */
	async faults(document: vscode.TextDocument): Promise<readonly AgentDiagnostic[]> {
		const reading = await this.readings.ready(document);
		const faults = this.#faults.get(reading) ?? agentFaults(reading, this.#schema, vscode.l10n.t, this.#clean);
		this.#faults.set(reading, faults);
		return faults;
	}

	/** Names of models that agents can ask for. */
	models(): Promise<readonly string[]> {
		return this.#models.names();
	}

	async provideCompletionItems(
		document: vscode.TextDocument,
		position: vscode.Position,
		token: vscode.CancellationToken,
		{ triggerCharacter }: vscode.CompletionContext,
	): Promise<vscode.CompletionItem[]> {
		if (isNewAgentFile(document)) {
			return this.#skeletons(document);
		}
		const before = document.lineAt(position).text.slice(0, position.character);
		if (triggerCharacter && !beginsWord.test(before)) {
			return [];
		}
		const sources = { schema: this.#schema, models: await this.#models.names() };
		const reading = await this.readings.ready(document);
		if (token.isCancellationRequested) {
			return [];
		}
		const suggestions = agentSuggestions(reading, document.offsetAt(position), sources);
		return suggestions.map((suggestion, at) => itemOf(suggestion, at, document, position));
	}

	/** Whole agents, for a file that has nothing yet. */
	async #skeletons(document: vscode.TextDocument): Promise<vscode.CompletionItem[]> {
		const agent = path.posix.basename(document.uri.path).replace(/\.ya?ml$/, '');
		const whole = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
		return Promise.all(
			skeletons().map(async ({ name, label, detail }, at) => {
				const item = new vscode.CompletionItem({ label, description: detail }, vscode.CompletionItemKind.File);
				item.insertText = '';
				item.sortText = String(at);
				// what is inserted would be indented anew
				item.additionalTextEdits = [vscode.TextEdit.replace(whole, await skeletonText(this.#extensionPath, name, agent))];
				return item;
			}),
		);
	}

	/** For what is misspelt: what may be meant, nearest first. */
	async provideCodeActions(
		document: vscode.TextDocument,
		range: vscode.Range,
		context: vscode.CodeActionContext,
	): Promise<vscode.CodeAction[]> {
		const faults = await this.faults(document);
		return faults.flatMap(fault => {
			const place = rangeOf(document, fault);
			const diagnostics = context.diagnostics.filter(each => each.code === fault.code && each.range.intersection(place));
			return range.intersection(place) ? fixesOf(document, fault, place, diagnostics) : [];
		});
	}

	async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
		const found = agentHover(await this.readings.ready(document), document.offsetAt(position), this.#schema, vscode.l10n.t);
		if (!found) {
			return undefined;
		}
		const head = [`**${markdownText(found.name)}**`, ...found.facts.map(markdownText)].join(' · ');
		const text = new vscode.MarkdownString([head, ...found.lines.map(markdownText)].join('\n\n'));
		const last = found.selector && (await this.#lastValues.of(document.uri, found.selector));
		if (last) {
			const value = cutValue(last.value, longestValue);
			text.appendMarkdown(`\n\n${markdownText(vscode.l10n.t('Last value, {0}:', agoText(last.record.startedAt)))}\n`);
			text.appendCodeblock(
				typeof value === 'string' ? value : JSON.stringify(value, undefined, 2),
				typeof value === 'string' ? 'text' : 'json',
			);
		}
		return new vscode.Hover(text, rangeOf(document, found));
	}
}

function fixesOf(
	document: vscode.TextDocument,
	{ suggestions = [] }: AgentDiagnostic,
	place: vscode.Range,
	diagnostics: vscode.Diagnostic[],
): vscode.CodeAction[] {
	const found = document.getText(place);
	const quote = /^["']/.exec(found)?.[0];
	const near = closest(found.replaceAll(/["']/g, ''), suggestions);
	return (near.length > 0 ? near : suggestions.slice(0, mostFixes)).map((suggestion, at) => {
		const action = new vscode.CodeAction(vscode.l10n.t('Change to “{0}”', suggestion), vscode.CodeActionKind.QuickFix);
		action.edit = new vscode.WorkspaceEdit();
		action.edit.replace(document.uri, place, quote ? JSON.stringify(suggestion) : scalarText(suggestion, true));
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
