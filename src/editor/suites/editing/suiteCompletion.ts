import { readFile } from 'node:fs/promises';
import { getLocation, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { type AgentGraph, readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { getFieldText, getItems } from '#base/records/plainValues.ts';
import { findProperty } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import type { RunFileService } from '../../runs/files/runFileService.ts';

/** Kinds of values that the schema can't enumerate. */
type CompletionKind = 'agent' | 'input' | 'node' | 'output';

/** Completes values that the JSON schema can't complete: agents, and the agent's inputs, nodes and outputs. */
export class SuiteCompletion implements vscode.CompletionItemProvider {
	readonly #runFiles: RunFileService;

	constructor(runFiles: RunFileService) {
		this.#runFiles = runFiles;
	}

	async provideCompletionItems(
		document: vscode.TextDocument,
		position: vscode.Position,
		_token: vscode.CancellationToken,
		{ triggerKind }: vscode.CompletionContext,
	): Promise<vscode.CompletionItem[]> {
		const text = document.getText();
		const offset = document.offsetAt(position);
		const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
		const wanted = getCompletionKind(path, isAtPropertyKey);
		if (!wanted) {
			return [];
		}
		// only wait for the service to start if the user explicitly requests completions
		const asked = triggerKind === vscode.CompletionTriggerKind.Invoke;
		const connection = this.#runFiles.getConnection(document.uri);
		const agents = (await (asked ? this.#runFiles.loadAgents(connection) : this.#runFiles.getKnownAgents(connection))) ?? [];
		const agent = findAgent(agents, String(findProperty(parseTree(text), 'model')?.value ?? ''));
		const inside = previousNode && offset >= previousNode.offset && offset <= previousNode.offset + previousNode.length;
		const range = inside
			? new vscode.Range(document.positionAt(previousNode.offset), document.positionAt(previousNode.offset + previousNode.length))
			: (document.getWordRangeAtPosition(position, /[\w.-]+/) ?? new vscode.Range(position, position));
		return (await listCandidates(wanted, agents, agent)).map(({ name, detail }) => {
			const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Value);
			item.insertText = JSON.stringify(name);
			item.filterText = item.insertText;
			item.detail = detail;
			item.range = range;
			// sort before the suggestions of the JSON schema
			item.sortText = `0${name}`;
			return item;
		});
	}
}

function getCompletionKind(path: readonly (string | number)[], isKey: boolean): CompletionKind | undefined {
	const last = path.at(-1);
	const [parent, grandparent] = [path.at(-2), path.at(-3)];
	if (isKey) {
		return parent === 'inputs' && path.length <= 4 ? 'input' : parent === 'mocks' ? 'node' : undefined;
	}
	if (path.length === 1 && last === 'model') {
		return 'agent';
	}
	const isInChecks = path.includes('expect');
	if (isInChecks && (last === 'node' || (grandparent === 'nodes' && ['ran', 'skipped', 'order'].includes(String(parent))))) {
		return 'node';
	}
	return isInChecks && last === 'output' ? 'output' : undefined;
}

async function listCandidates(
	wanted: CompletionKind,
	agents: readonly AgentSummary[],
	agent: AgentSummary | undefined,
): Promise<readonly { readonly name: string; readonly detail: string }[]> {
	switch (wanted) {
		case 'agent':
			return agents.map(({ name, description }) => ({ name, detail: description }));
		case 'input':
			return (agent?.variables ?? []).map(({ variable, type }) => ({ name: variable, detail: type }));
		case 'node':
			return (await readGraph(agent)).nodes.map(({ id, title, type }) => ({ name: id, detail: `${title} · ${type}` }));
		case 'output':
			return listOutputs(await readGraph(agent));
	}
}

/** Reads the graph of an agent. Returns an empty graph if the agent has no local file. */
async function readGraph(agent: AgentSummary | undefined): Promise<AgentGraph> {
	const text = agent?.file ? await readFile(agent.file, 'utf8').catch(() => '') : '';
	return readAgentGraph(new AgentText(text).content);
}

/** Returns the outputs of a graph: those of its end nodes, or `answer` for a chat agent. */
function listOutputs({ nodes }: AgentGraph): readonly { readonly name: string; readonly detail: string }[] {
	const names = nodes.flatMap(({ type, title, data }) =>
		type === 'answer'
			? [{ name: 'answer', detail: title }]
			: type === 'end'
				? getItems(data, 'outputs').map(output => ({ name: getFieldText(output, 'variable'), detail: title }))
				: [],
	);
	return [...new Map(names.map(each => [each.name, each])).values()];
}
