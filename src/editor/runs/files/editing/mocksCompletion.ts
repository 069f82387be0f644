import type { Location } from 'jsonc-parser';
import * as vscode from 'vscode';
import { type AgentGraph, getOutputHandles } from '#agentFile/agentGraph.ts';
import { listVariableScopes } from '#agentFile/agentVariables.ts';

/** Creates completions inside `mocks`: the agent's nodes with their outputs, names of outputs, and output handles of branching nodes. */
export function createMockCompletions(
	{ path, isAtPropertyKey, previousNode }: Location,
	graph: AgentGraph,
	given: readonly string[],
	item: (label: string, insert: string, kind: vscode.CompletionItemKind) => vscode.CompletionItem,
): vscode.CompletionItem[] {
	const [, id = ''] = path;
	// an entry is one mock or a list of them
	const [field, name] = path.slice(typeof path[2] === 'number' ? 3 : 2);
	const hasValue = previousNode?.parent?.type === 'property' && previousNode.parent.children?.[1] !== undefined;
	const variables = listVariableScopes(graph, () => true);
	const getOutputVariables = (node: unknown) => variables.find(scope => scope.id === node)?.variables ?? [];
	if (path.length === 2 && isAtPropertyKey) {
		return graph.nodes
			.filter(node => node.id === id || !given.includes(node.id))
			.map(node => {
				const completion = item(node.id, JSON.stringify(node.id), vscode.CompletionItemKind.Module);
				completion.detail = node.title === node.id ? node.type : `${node.title} · ${node.type}`;
				if (!hasValue) {
					const outputs = getOutputVariables(node.id).slice(0, 1);
					const inner = outputs.map(each => `"${each.name}": \${1:${each.type === 'string' ? '""' : 'null'}}`).join(', ');
					completion.insertText = new vscode.SnippetString(
						`${JSON.stringify(node.id).replace(/[\\$}]/g, '\\$&')}: { "outputs": { ${inner || '$1'} } }`,
					);
				}
				return completion;
			});
	}
	if (field === 'outputs' && name !== undefined && isAtPropertyKey) {
		return getOutputVariables(id).map(variable => {
			const completion = item(variable.name, JSON.stringify(variable.name), vscode.CompletionItemKind.Property);
			completion.detail = variable.type;
			return completion;
		});
	}
	const node = field === 'handle' && !isAtPropertyKey ? graph.nodes.find(each => each.id === id) : undefined;
	return node ? getOutputHandles(node).map(handle => item(handle, JSON.stringify(handle), vscode.CompletionItemKind.EnumMember)) : [];
}
