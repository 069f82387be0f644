import * as vscode from 'vscode';
import type { AgentGraph, GraphNode } from '#agentFile/agentGraph.ts';
import { graphPath } from '#agentFile/agentGraph.ts';
import { listVariableScopes } from '#agentFile/agentVariables.ts';
import { findReferences } from '#agentFile/names/referencesIn.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { findNodeAt } from '#agentFile/yamlTree.ts';
import { getOwnField } from '#base/records/ownField.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { RunValues } from '#runs/events/runValues.ts';
import { escapeLinks } from '../../platform/wording.ts';

/**
 * Returns values for all variables that a node refers to, except environment variables. Asks the user for each value that isn't in `known`.
 * Resolves to `undefined` if the user cancels.
 */
export async function askForNodeInputs(
	text: string,
	graph: AgentGraph,
	node: GraphNode,
	known: RunValues = {},
): Promise<NonNullable<PartialRun['variables']> | undefined> {
	const path = [...graphPath, 'nodes', node.at, 'data'];
	const data = findNodeAt(new AgentReading(text).root, path);
	const scopes = listVariableScopes(graph, () => true);
	const values: Record<string, Record<string, unknown>> = {};
	for (const { selector } of data ? findReferences(data, path, text) : []) {
		const [owner = '', name = ''] = selector;
		if (owner === 'env' || owner === node.id || values[owner]?.[name] !== undefined) {
			continue;
		}
		const recorded = getOwnField(getOwnField(known, owner) ?? {}, name);
		if (recorded !== undefined) {
			values[owner] = { ...values[owner], [name]: recorded };
			continue;
		}
		const type = scopes.find(({ id }) => id === owner)?.variables.find(each => each.name === name)?.type ?? '';
		const answer = await vscode.window.showInputBox({
			title: vscode.l10n.t("Run Node '{0}'", node.title),
			prompt: escapeLinks(type ? `${owner}.${name} (${type})` : `${owner}.${name}`),
			ignoreFocusOut: true,
			validateInput: given =>
				parseInputValue(given, type) === undefined ? escapeLinks(vscode.l10n.t("Enter a JSON value of type '{0}'.", type)) : undefined,
		});
		if (answer === undefined) {
			return undefined;
		}
		values[owner] = { ...values[owner], [name]: parseInputValue(answer, type) };
	}
	return values;
}

/** Parses a typed value as JSON, unless the type is a string. Returns `undefined` if it isn't valid. */
function parseInputValue(given: string, type: string): unknown {
	if (type === '' || type === 'string' || type === 'secret') {
		return given;
	}
	return tryParseJson(given);
}
