import type { AgentGraph, GraphNode } from '#agentFile/agentGraph.ts';
import { getField, getFieldText, getItems, isRecord, toFields } from '#base/records/plainValues.ts';
import type { EditedPrompt, PromptMessage, PromptSource } from '#pages/prompt/promptMessages.ts';
import { listReferences, matchTemplate } from '#pages/prompt/promptText.ts';
import type { RunValues } from '#runs/events/runValues.ts';
import { readFileParameters } from './promptParameters.ts';
import type { SentMessage } from './sentPrompt.ts';

type Role = PromptMessage['role'];

/** A message of a node's template. */
interface TemplateMessage {
	readonly role: Role;
	readonly text: string;
	readonly isJinja: boolean;
}

/** A node's prompt in a run: the messages as they were sent, and the values of other nodes. */
export interface NodeRun {
	readonly sent: readonly SentMessage[];
	readonly values: RunValues;
}

/** Returns the messages of an LLM node's `prompt_template`: a list, or a single prompt. */
export function readTemplate(data: unknown): readonly TemplateMessage[] {
	const template = getField(data, 'prompt_template');
	return (isRecord(template) ? [template] : getItems(data, 'prompt_template')).map(item => {
		const isJinja = getField(item, 'edition_type') === 'jinja2';
		const text = getFieldText(item, 'text');
		return { role: toRole(getFieldText(item, 'role')), text: (isJinja && getFieldText(item, 'jinja2_text')) || text, isJinja };
	});
}

/**
 * Creates the prompt of an LLM node: its template, with the values of a run. What the node doesn't have as a template with references
 * (Jinja, memory) is shown as it was sent.
 */
export function createNodePrompt(node: GraphNode, graph: AgentGraph, run?: NodeRun): EditedPrompt {
	const left = [...(run?.sent ?? [])];
	let values: ReadonlyMap<string, string> = new Map();
	const messages = readTemplate(node.data).map(({ role, text, isJinja }, at): PromptMessage => {
		const sent = left[0]?.role === role ? left[0] : undefined;
		const base = { at, role, text };
		if (isJinja) {
			left.splice(0, sent ? 1 : 0);
			return { id: `m${at}`, role, text: sent?.text ?? text, base, fixed: 'jinja' };
		}
		const matched = sent && matchTemplate(text, sent.text, values);
		values = matched ?? values;
		// a message that was empty in the run wasn't sent, and one that doesn't match was sent from another version of the file
		left.splice(0, sent && (matched || text.trim() !== '') ? 1 : 0);
		return { id: `m${at}`, role, text, base };
	});
	const others = left.map(({ role, text }, at): PromptMessage => ({ id: `s${at}`, role, text, fixed: 'sent' }));
	const variables = listReferences(messages).map(name => ({
		name,
		value: values.get(name) ?? toVariableText(findValue(name, graph, run?.values ?? {})),
	}));
	return {
		messages: [...messages, ...others],
		variables,
		parameters: readFileParameters(getField(getField(node.data, 'model'), 'completion_params')),
	};
}

/** Returns a text that differs once the file's prompt has changed. */
export function describeTemplate(node: GraphNode): Pick<PromptSource, 'parameters' | 'length'> {
	return {
		parameters: readFileParameters(getField(getField(node.data, 'model'), 'completion_params')),
		length: readTemplate(node.data).length,
	};
}

/** Creates a prompt from messages that were sent, if there is no template. */
export function createSentPrompt(sent: readonly SentMessage[], parameters: EditedPrompt['parameters'] = {}): EditedPrompt {
	return { messages: sent.map(({ role, text }, at) => ({ id: `m${at}`, role, text })), variables: [], parameters };
}

/** Returns the value of a reference in a run, or else its default in the file. */
function findValue(name: string, graph: AgentGraph, values: RunValues): unknown {
	const [owner = '', variable = '', ...keys] = name.split('.');
	const value = getField(getField(values, owner), variable);
	return keys.reduce<unknown>(getField, value ?? findDefault(owner, variable, graph));
}

function findDefault(owner: string, variable: string, { nodes, workflow }: AgentGraph): unknown {
	const lists: Readonly<Record<string, string>> = { env: 'environment_variables', conversation: 'conversation_variables' };
	const list = lists[owner];
	if (list !== undefined) {
		const found = getItems(workflow, list).find(each => getField(each, 'name') === variable);
		return getField(found, 'value_type') === 'secret' ? undefined : getField(found, 'value');
	}
	const start = nodes.find(({ id }) => id === owner);
	return getField(
		getItems(start?.data, 'variables').find(each => getField(each, 'variable') === variable),
		'default',
	);
}

/** Formats a value as the engine does for prompts, as far as that doesn't depend on Python. */
function toVariableText(value: unknown): string {
	return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}

function toRole(role: string): Role {
	return role === 'system' || role === 'assistant' ? role : 'user';
}

/** Returns the model of an LLM node; empty if it has none. */
export function getNodeModel(node: GraphNode): string {
	return getFieldText(toFields(node.data)['model'], 'name');
}
