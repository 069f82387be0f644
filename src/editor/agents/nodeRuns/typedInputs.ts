import * as vscode from 'vscode';
import type { AgentGraph, GraphNode } from '#agentFile/agentGraph.ts';
import { graphPath } from '#agentFile/agentGraph.ts';
import { scopesOf } from '#agentFile/agentVariables.ts';
import { referencesIn } from '#agentFile/names/referencesIn.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { valueAt } from '#agentFile/yamlTree.ts';
import { ownField } from '#base/records/ownField.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { RunValues } from '#runs/events/runValues.ts';
import { withoutLinks } from '../../platform/wording.ts';

/**
 * Values of all that a node refers to: those that are `known`, the others as the user types them one by one; `undefined` where they back out. What the
 * environment holds is not asked for.
 */
export async function typedInputs(
	text: string,
	graph: AgentGraph,
	node: GraphNode,
	known: RunValues = {},
): Promise<NonNullable<PartialRun['variables']> | undefined> {
	const path = [...graphPath, 'nodes', node.at, 'data'];
	const data = valueAt(new AgentReading(text).root, path);
	const scopes = scopesOf(graph, () => true);
	const values: Record<string, Record<string, unknown>> = {};
	for (const { selector } of data ? referencesIn(data, path, text) : []) {
		const [owner = '', name = ''] = selector;
		if (owner === 'env' || owner === node.id || values[owner]?.[name] !== undefined) {
			continue;
		}
		const recorded = ownField(ownField(known, owner) ?? {}, name);
		if (recorded !== undefined) {
			values[owner] = { ...values[owner], [name]: recorded };
			continue;
		}
		const type = scopes.find(({ id }) => id === owner)?.variables.find(each => each.name === name)?.type ?? '';
		const answer = await vscode.window.showInputBox({
			title: vscode.l10n.t('Run node {0}', node.title),
			prompt: withoutLinks(type ? vscode.l10n.t('{0}, {1}', `${owner}.${name}`, type) : `${owner}.${name}`),
			ignoreFocusOut: true,
			validateInput: given =>
				typedAs(given, type) === undefined ? withoutLinks(vscode.l10n.t('Expected JSON of the type {0}', type)) : undefined,
		});
		if (answer === undefined) {
			return undefined;
		}
		values[owner] = { ...values[owner], [name]: typedAs(answer, type) };
	}
	return values;
}

/** What was typed: a text as it is, anything else as JSON; `undefined` where it is none. */
function typedAs(given: string, type: string): unknown {
	if (type === '' || type === 'string' || type === 'secret') {
		return given;
	}
	return tryParseJson(given);
}
