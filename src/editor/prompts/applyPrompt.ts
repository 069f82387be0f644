import type { GraphNode } from '#agentFile/agentGraph.ts';
import type { FieldOperation } from '#agentFile/edits/graphOperations.ts';
import { getField, isDeepEqual, isRecord, toFields } from '#base/records/plainValues.ts';
import type { EditedPrompt, PromptMessage, PromptParameters, PromptSource } from '#pages/prompt/promptMessages.ts';
import { readTemplate } from './nodePrompt.ts';
import { fileNames, readFileParameters } from './promptParameters.ts';

/** Values to write back to a node. */
interface AppliedPrompt {
	readonly prompt: EditedPrompt;
	/** The prompt's source as it was read. */
	readonly source: PromptSource;
	readonly model: string;
}

/**
 * Plans the edits that write messages, model and parameters back to an LLM node. Only what the user changed is written. Returns undefined
 * if the node's messages changed in the file since they were read.
 */
export function planPromptEdits(node: GraphNode, applied: AppliedPrompt): readonly FieldOperation[] | undefined {
	const messageEdits = planMessageEdits(node, applied);
	return messageEdits && [...messageEdits, ...planModelEdits(node, applied)];
}

/** Returns the messages that are written to the file, in order: those of its template, and added ones. */
function listWrittenMessages({ messages }: EditedPrompt): readonly PromptMessage[] {
	return messages.filter(({ base, fixed }) => base !== undefined || fixed === undefined);
}

/** Returns the messages' bases once the prompt is written, by message ID. */
export function getBasesAfterwards(prompt: EditedPrompt): Readonly<Record<string, PromptMessage['base']>> {
	return Object.fromEntries(
		listWrittenMessages(prompt).map(({ id, role, text, base, fixed }, at) => [id, { at, role, text: fixed && base ? base.text : text }]),
	);
}

function planMessageEdits(node: GraphNode, { prompt, source }: AppliedPrompt): readonly FieldOperation[] | undefined {
	const current = readTemplate(node.data);
	const written = listWrittenMessages(prompt);
	const isSame = ({ base }: PromptMessage) =>
		base === undefined || (current[base.at]?.text === base.text && current[base.at]?.role === base.role);
	if (current.length !== (source.length ?? current.length) || !written.every(isSame)) {
		return undefined;
	}
	const template = toFields(node.data)['prompt_template'];
	if (isRecord(template) || (written.length === current.length && written.every(({ base }, at) => base?.at === at))) {
		return written.flatMap(message => planTextEdits(node.id, message, isRecord(template)));
	}
	const items = Array.isArray(template) ? (template as unknown[]) : [];
	const value = written.map(({ role, text, base, fixed }) => {
		const item = base && items[base.at];
		return item === undefined ? { role, text } : { ...toFields(item), ...(role !== base?.role && { role }), ...(!fixed && { text }) };
	});
	return [{ do: 'set', node: node.id, path: ['prompt_template'], value }];
}

/** `isSingle`: the template is a single prompt instead of a list. */
function planTextEdits(node: string, { role, text, base, fixed }: PromptMessage, isSingle: boolean): readonly FieldOperation[] {
	if (!base) {
		return [];
	}
	const path = isSingle ? ['prompt_template'] : ['prompt_template', base.at];
	return [
		...(role === base.role ? [] : [{ do: 'set' as const, node, path: [...path, 'role'], value: role }]),
		...(fixed || text === base.text ? [] : [{ do: 'set' as const, node, path: [...path, 'text'], value: text }]),
	];
}

function planModelEdits(node: GraphNode, { prompt, source, model }: AppliedPrompt): readonly FieldOperation[] {
	const current = toFields(toFields(node.data)['model']);
	const given = toFields(current['completion_params']);
	const names = Object.keys(fileNames) as (keyof PromptParameters)[];
	const parameters = names.flatMap((name): FieldOperation[] => {
		const value = prompt.parameters[name];
		if (isDeepEqual(value, source.parameters?.[name]) || isDeepEqual(value, readFileParameters(given)[name])) {
			return [];
		}
		const written = fileNames[name].find(each => getField(given, each) !== undefined) ?? fileNames[name][0] ?? name;
		return [{ do: 'set', node: node.id, path: ['model', 'completion_params', written], value }];
	});
	return [
		...(model === current['name'] ? [] : [{ do: 'set' as const, node: node.id, path: ['model', 'name'], value: model }]),
		...parameters,
	];
}
