import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { getLocation, type Location, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { resolveInside } from '#base/files/fileScope.ts';
import { findProperty, listProperties } from '#base/text/textFaults.ts';
import type { AgentSummary, AgentTrigger, AgentVariable } from '#contract/agents.ts';
import { describeExpected, findAgent } from '#runs/request/agentCheck.ts';
import { getTrigger, selectTrigger } from '#runs/request/agentTrigger.ts';
import { createPlaceholder } from '#runs/request/inputPlaceholder.ts';
import { getFileScope } from '../../../platform/fileScopes.ts';
import { isRunFilePath } from '../../../platform/names.ts';
import type { RunFileService } from '../runFileService.ts';
import { createMockCompletions } from './mocksCompletion.ts';

/**
 * Completes values in run files that the JSON schema doesn't know: the agents of the connection, the agent's variables with values,
 * options, and local files.
 */
export class RunFileCompletion implements vscode.CompletionItemProvider {
	readonly #files: RunFileService;

	constructor(files: RunFileService) {
		this.#files = files;
	}

	async provideCompletionItems(
		document: vscode.TextDocument,
		position: vscode.Position,
		_token: vscode.CancellationToken,
		{ triggerKind }: vscode.CompletionContext,
	): Promise<vscode.CompletionItem[]> {
		const text = document.getText();
		const location = getLocation(text, document.offsetAt(position));
		const [top, name, inner] = location.path;
		if (inner === '$file' && !location.isAtPropertyKey) {
			return createFileItems(document, position, location);
		}
		// only start the service, which takes time, if the user explicitly requests completions
		const isExplicit = triggerKind === vscode.CompletionTriggerKind.Invoke;
		const connection = this.#files.getConnection(document.uri);
		const agents = await (isExplicit ? this.#files.loadAgents(connection) : this.#files.getKnownAgents(connection));
		if (top === 'model' && location.path.length === 1 && !location.isAtPropertyKey) {
			return (agents ?? []).map(agent => createAgentItem(agent, getReplacedRange(document, position, location)));
		}
		const root = parseTree(text);
		const listed = findAgent(agents ?? [], String(findProperty(root, 'model')?.value ?? ''));
		if (top === 'trigger' && location.path.length === 1 && !location.isAtPropertyKey) {
			return (listed?.triggers ?? []).map(trigger => createTriggerItem(trigger, getReplacedRange(document, position, location)));
		}
		if (top === 'mocks') {
			const graph = await this.#files.readGraph(document, agents);
			const given = listProperties(findProperty(root, 'mocks')).map(property => property.name);
			const range = getReplacedRange(document, position, location);
			return graph
				? createMockCompletions(location, graph, given, (label, insert, kind) => createCompletionItem(label, insert, range, kind))
				: [];
		}
		const agent = listed && selectTrigger(listed, getTrigger(root));
		if (top !== 'inputs' || location.path.length !== 2 || !agent) {
			return [];
		}
		if (location.isAtPropertyKey) {
			const given = listProperties(findProperty(root, 'inputs')).map(property => property.name);
			const free = agent.variables.filter(({ variable }) => variable === name || !given.includes(variable));
			const hasValue = location.previousNode?.parent?.children?.[1] !== undefined;
			return free.map(variable => createVariableItem(variable, getReplacedRange(document, position, location), hasValue));
		}
		const variable = agent.variables.find(each => each.variable === name);
		return variable ? createValueItems(variable, getReplacedRange(document, position, location)) : [];
	}
}

/** Returns the range that a completion replaces: the value or word at the cursor, or an empty range. */
function getReplacedRange(document: vscode.TextDocument, position: vscode.Position, { previousNode }: Location): vscode.Range {
	const offset = document.offsetAt(position);
	const inside = previousNode && offset >= previousNode.offset && offset <= previousNode.offset + previousNode.length;
	return inside
		? new vscode.Range(document.positionAt(previousNode.offset), document.positionAt(previousNode.offset + previousNode.length))
		: (document.getWordRangeAtPosition(position, /[\w.-]+/) ?? new vscode.Range(position, position));
}

function createCompletionItem(label: string, insert: string, range: vscode.Range, kind: vscode.CompletionItemKind): vscode.CompletionItem {
	const completion = new vscode.CompletionItem(label, kind);
	completion.insertText = insert;
	completion.filterText = insert;
	completion.range = range;
	// sort before the suggestions of the JSON schema
	completion.sortText = `0${label}`;
	return completion;
}

function createAgentItem(agent: AgentSummary, range: vscode.Range): vscode.CompletionItem {
	const completion = createCompletionItem(agent.name, JSON.stringify(agent.name), range, vscode.CompletionItemKind.Module);
	completion.detail = agent.error ? vscode.l10n.t("can't run") : agent.published ? '' : vscode.l10n.t('not published');
	completion.documentation = agent.error ?? agent.description;
	return completion;
}

function createTriggerItem({ id, title, type }: AgentTrigger, range: vscode.Range): vscode.CompletionItem {
	const completion = createCompletionItem(id, JSON.stringify(id), range, vscode.CompletionItemKind.EnumMember);
	completion.detail = title;
	completion.documentation = type;
	return completion;
}

function createVariableItem(variable: AgentVariable, range: vscode.Range, hasValue: boolean): vscode.CompletionItem {
	const key = JSON.stringify(variable.variable);
	const completion = createCompletionItem(variable.variable, key, range, vscode.CompletionItemKind.Property);
	if (!hasValue) {
		const value = JSON.stringify(createPlaceholder(variable));
		const editable = value === '""' ? '"$1"' : `\${1:${value.replace(/[\\$}]/g, '\\$&')}}`;
		completion.insertText = new vscode.SnippetString(`${key.replace(/[\\$}]/g, '\\$&')}: ${editable}`);
	}
	completion.detail = variable.required
		? vscode.l10n.t({ message: '{0}, required', args: [variable.type], comment: ['{0} is the type of an input'] })
		: variable.type;
	completion.documentation = variable.label || describeExpected(variable, vscode.l10n.t);
	completion.sortText = `${variable.required ? '0' : '1'}${variable.variable}`;
	return completion;
}

function createValueItems(variable: AgentVariable, range: vscode.Range): vscode.CompletionItem[] {
	const values: unknown[] = variable.type === 'checkbox' ? [true, false] : variable.type === 'select' ? (variable.options ?? []) : [];
	if (variable.default !== undefined && variable.default !== null && variable.default !== '' && !values.includes(variable.default)) {
		values.unshift(variable.default);
	}
	const items = values.map(value => createCompletionItem(String(value), JSON.stringify(value), range, vscode.CompletionItemKind.Value));
	if (['text-input', 'paragraph', 'file'].includes(variable.type)) {
		const local = createCompletionItem('{ "$file": … }', '{ "$file": "./" }', range, vscode.CompletionItemKind.File);
		local.insertText = new vscode.SnippetString('{ "\\$file": "./$1" }');
		local.filterText = '"$file"';
		local.documentation = vscode.l10n.t('A file in this workspace');
		local.command = { title: '', command: 'editor.action.triggerSuggest' };
		items.push(local);
	}
	return items;
}

/** Lists the folder that a reference points into. Returns an empty list if the folder is outside the workspace folder. */
async function listFolder(reference: string, uri: vscode.Uri): Promise<Dirent[]> {
	try {
		return await readdir(resolveInside(reference, getFileScope(uri)), { withFileTypes: true });
	} catch {
		return [];
	}
}

async function createFileItems(
	document: vscode.TextDocument,
	position: vscode.Position,
	location: Location,
): Promise<vscode.CompletionItem[]> {
	const range = getReplacedRange(document, position, location);
	const typed = typeof location.previousNode?.value === 'string' ? location.previousNode.value : '';
	const parent = typed.slice(0, typed.lastIndexOf('/') + 1) || './';
	const entries = await listFolder(parent, document.uri);
	return entries
		.filter(entry => !entry.name.startsWith('.') && !isRunFilePath(entry.name))
		.map(entry => {
			const isFolder = entry.isDirectory();
			const value = JSON.stringify(`${parent}${entry.name}${isFolder ? '/' : ''}`);
			return createCompletionItem(entry.name, value, range, isFolder ? vscode.CompletionItemKind.Folder : vscode.CompletionItemKind.File);
		});
}
