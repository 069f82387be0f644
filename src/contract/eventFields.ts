import { isRecord } from '#base/records/plainValues.ts';

/** Type of a field, if present and not null. `number` is any value that isn't an object, because some services send strings. */
type FieldType = 'string' | 'number' | 'object' | 'list';

/** Fields inside `execution_metadata` and `metadata`. */
const innerFields: readonly (readonly [name: string, type: FieldType])[] = [
	['total_tokens', 'number'],
	['total_price', 'number'],
	['currency', 'string'],
	['elapsed_time', 'number'],
	['iteration_index', 'number'],
	['loop_index', 'number'],
	['iteration_length', 'number'],
	['loop_length', 'number'],
];

const node: Readonly<Record<string, FieldType>> = {
	id: 'string',
	node_id: 'string',
	node_type: 'string',
	title: 'string',
	predecessor_node_id: 'string',
	iteration_id: 'string',
	loop_id: 'string',
	status: 'string',
	error: 'string',
	execution_metadata: 'object',
	outputs: 'object',
	metadata: 'object',
	index: 'number',
	iteration_index: 'number',
	loop_index: 'number',
	elapsed_time: 'number',
	total_tokens: 'number',
	saved_price: 'number',
	retry_index: 'number',
};

/** Fields used from the data of each kind of event. */
const dataFields: ReadonlyMap<string, readonly (readonly [name: string, type: FieldType])[]> = toFieldMap([
	['workflow_started', {}],
	['node_started', node],
	['node_finished', node],
	['node_retry', node],
	...['iteration', 'loop'].flatMap(name => ['started', 'next', 'completed'].map(part => [`${name}_${part}`, node] as const)),
	[
		'agent_log',
		{
			id: 'string',
			node_execution_id: 'string',
			parent_id: 'string',
			label: 'string',
			status: 'string',
			error: 'string',
			data: 'object',
			metadata: 'object',
		},
	],
	['text_chunk', { text: 'string' }],
	['text_replace', { text: 'string' }],
	['reasoning_chunk', { reasoning: 'string', node_id: 'string' }],
	[
		'human_input_required',
		{
			form_id: 'string',
			node_id: 'string',
			node_title: 'string',
			form_content: 'string',
			inputs: 'list',
			actions: 'list',
			form_token: 'string',
			resolved_default_values: 'object',
		},
	],
	[
		'human_input_form_filled',
		{ node_id: 'string', node_title: 'string', rendered_content: 'string', action_id: 'string', action_text: 'string' },
	],
	['human_input_form_timeout', { node_id: 'string', node_title: 'string' }],
	['workflow_paused', { paused_nodes: 'list', reasons: 'list', outputs: 'object' }],
	[
		'workflow_finished',
		{ status: 'string', outputs: 'object', error: 'string', elapsed_time: 'number', total_tokens: 'number', total_steps: 'number' },
	],
]);

/** Required string field of each event without data. */
const ownFields: ReadonlyMap<string, string> = new Map([
	['error', 'message'],
	['tts_message', 'audio'],
]);

/** Required string fields in the data of each event. */
const needed: ReadonlyMap<string, readonly string[]> = new Map([
	['agent_log', ['id', 'label', 'status']],
	['text_chunk', ['text']],
	['text_replace', ['text']],
	['reasoning_chunk', ['reasoning', 'node_id']],
	['human_input_required', ['node_id', 'form_content']],
	['human_input_form_filled', ['node_id']],
	['human_input_form_timeout', ['node_id']],
	['workflow_finished', ['status']],
]);

/**
 * True if an event of a known kind has the fields that its readers use. Services and journals aren't trusted, so other events are shown as
 * unknown.
 */
export function isReadableEvent(event: { readonly event: string }): boolean {
	const fields = dataFields.get(event.event);
	if (fields === undefined) {
		const needs = ownFields.get(event.event);
		const { [needs ?? '']: text, code, status } = event as Record<string, unknown>;
		return needs === undefined || (typeof text === 'string' && isOfFieldType(code, 'number') && isOfFieldType(status, 'number'));
	}
	const { data } = event as { data?: unknown };
	if (!isRecord(data)) {
		return false;
	}
	return (
		(needed.get(event.event) ?? []).every(name => typeof data[name] === 'string') &&
		fields.every(([name, type]) => isOfFieldType(data[name], type)) &&
		hasReadableFields(data['execution_metadata']) &&
		hasReadableFields(data['metadata'])
	);
}

function hasReadableFields(metadata: unknown): boolean {
	return !isRecord(metadata) || innerFields.every(([name, type]) => isOfFieldType(metadata[name], type));
}

/** Converts objects to lists, which are faster to iterate for each event. */
function toFieldMap(kinds: readonly (readonly [event: string, fields: Readonly<Record<string, FieldType>>])[]) {
	return new Map(kinds.map(([event, fields]) => [event, Object.entries(fields)]));
}

function isOfFieldType(value: unknown, type: FieldType): boolean {
	if (value === undefined || value === null) {
		return true;
	}
	return type === 'number' ? typeof value !== 'object' : type === 'list' ? Array.isArray(value) : typeof value === type;
}

/** Returns the selector of the value that a chunk of text is from; `undefined` if the service names none. */
export function getTextSelector({
	from_variable_selector: selector,
}: {
	readonly from_variable_selector?: unknown;
}): readonly string[] | undefined {
	return Array.isArray(selector) && selector.every(each => typeof each === 'string') ? selector : undefined;
}
