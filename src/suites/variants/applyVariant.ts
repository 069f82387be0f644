import type { GraphNode } from '#agentFile/agentGraph.ts';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText, type Path } from '#agentFile/agentText.ts';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import { applyChanges, type TextChange } from '#agentFile/writing/textChanges.ts';
import { getField, getFieldText, getItems, isRecord } from '#base/records/plainValues.ts';
import type { Translate } from '#base/text/localization.ts';
import type { SuiteVariant } from '../suite.ts';

/** Applies to all nodes that call a model. */
export const everyNode = '*';

/** A variant that can't be made from an agent or a request. The message is shown to the user. */
export class VariantFault extends Error {
	override readonly name = 'VariantFault';
}

/** The changes of a variant, with the content of its prompt files. */
export type VariantChanges = Pick<SuiteVariant, 'models' | 'parameters'> & { readonly prompts: Readonly<Record<string, string>> };

/** A field to set in the data of a node. */
interface FieldChange {
	readonly node: string;
	readonly path: Path;
	readonly value: unknown;
}

/** Applies the changes of a variant to the text of an agent. All else keeps its bytes. Throws a {@link VariantFault}. */
export function applyVariant(text: string, changes: VariantChanges, t: Translate): string {
	return applyChanges(text, createVariantEdits(text, changes, t));
}

/** Returns the changes of a variant as the smallest edits of the text of an agent. Throws a {@link VariantFault}. */
export function createVariantEdits(text: string, changes: VariantChanges, t: Translate): readonly TextChange[] {
	const { nodes } = readAgentGraph(new AgentText(text).content);
	const fields = [
		...listModelChanges(nodes, changes, t),
		...listParameterChanges(nodes, changes, t),
		...listPromptChanges(nodes, changes, t),
	];
	// one operation for all, because each reads the whole text
	const result = applyOperation(text, { do: 'editFields', edits: fields.map(field => ({ do: 'set', ...field })) }, t);
	if ('refused' in result) {
		throw new VariantFault(result.refused);
	}
	return result.changes;
}

function listModelChanges(nodes: readonly GraphNode[], { models }: VariantChanges, t: Translate): FieldChange[] {
	return selectModelNodes(nodes, models, t).flatMap(({ node, path, value }) => {
		const { provider, name } = typeof value === 'string' ? { name: value } : value;
		const holder = readPath(node.data, path);
		// agent nodes name the model `model`, or `name` in older files
		const key = isRecord(holder) && 'model' in holder ? 'model' : 'name';
		return [
			{ node: node.id, path: [...path, key], value: name },
			...(provider === undefined ? [] : [{ node: node.id, path: [...path, 'provider'], value: provider }]),
		];
	});
}

function listParameterChanges(nodes: readonly GraphNode[], { parameters }: VariantChanges, t: Translate): FieldChange[] {
	return selectModelNodes(nodes, parameters, t).flatMap(({ node, path, value }) =>
		Object.entries(value).map(([name, each]) => ({
			node: node.id,
			path: [...path, 'completion_params', name],
			value: each === null ? undefined : each,
		})),
	);
}

/** Finds the model of each node that a variant changes. Entries of single nodes replace those of all nodes. */
function selectModelNodes<Value>(nodes: readonly GraphNode[], entries: Readonly<Record<string, Value>>, t: Translate) {
	const named = Object.keys(entries).filter(id => id !== everyNode);
	for (const id of named) {
		if (!nodes.some(node => node.id === id)) {
			throw new VariantFault(t("The agent has no node '{0}'.", id));
		}
		if (nodes.every(node => node.id !== id || !findModelPath(node))) {
			throw new VariantFault(t("'{0}' doesn't call a model.", id));
		}
	}
	const chosen = nodes.flatMap(node => {
		const path = findModelPath(node);
		const value = named.includes(node.id) ? entries[node.id] : entries[everyNode];
		return path && value !== undefined ? [{ node, path, value }] : [];
	});
	if (chosen.length === 0 && Object.keys(entries).length > 0) {
		throw new VariantFault(t('No node of the agent calls a model.'));
	}
	return chosen;
}

/** Returns the path of a node's model in its data. */
function findModelPath({ type, data }: GraphNode): Path | undefined {
	const path = type === 'agent' ? ['agent_parameters', 'model', 'value'] : ['model'];
	return isRecord(readPath(data, path)) ? path : undefined;
}

function listPromptChanges(nodes: readonly GraphNode[], { prompts }: VariantChanges, t: Translate): FieldChange[] {
	return Object.entries(prompts).map(([key, value]) => {
		const { node: id, role } = splitPromptKey(key);
		const node = nodes.find(each => each.id === id);
		if (!node) {
			throw new VariantFault(t("The agent has no node '{0}'.", id));
		}
		const path = findPromptPath(node, role);
		if (!path) {
			throw new VariantFault(t("'{0}' has no prompt '{1}'.", id, role));
		}
		return { node: id, path, value };
	});
}

/** Splits the name of a prompt, `NODE.ROLE`. Node IDs can contain periods. */
export function splitPromptKey(key: string): { readonly node: string; readonly role: string } {
	const at = key.lastIndexOf('.');
	return { node: key.slice(0, Math.max(0, at)), role: key.slice(at + 1) };
}

/** Returns the path of a prompt: the last message with this role, a single prompt, or the instruction of other nodes. */
function findPromptPath({ type, data }: GraphNode, role: string): Path | undefined {
	if (type === 'agent') {
		return isRecord(readPath(data, ['agent_parameters', role])) ? ['agent_parameters', role, 'value'] : undefined;
	}
	const messages = getItems(data, 'prompt_template');
	const last = messages.findLastIndex(message => getFieldText(message, 'role') === role);
	if (last >= 0) {
		return ['prompt_template', last, getTextField(messages[last])];
	}
	if (role === 'prompt' && isRecord(getField(data, 'prompt_template'))) {
		return ['prompt_template', getTextField(getField(data, 'prompt_template'))];
	}
	return role.startsWith('instruction') && typeof getField(data, role) === 'string' ? [role] : undefined;
}

const getTextField = (message: unknown) => (getFieldText(message, 'edition_type') === 'jinja2' ? 'jinja2_text' : 'text');

const readPath = (value: unknown, path: Path): unknown => path.reduce((holder: unknown, name) => getField(holder, String(name)), value);
