import { isDeepStrictEqual } from 'node:util';
import type { WorkflowEvent } from '#contract/events.ts';
import type { DslCase, RecordedEvent } from './caseFile.ts';

/** Returns the first difference between the recorded events and the events of a run; `undefined` if there is none. */
export function findEventDifference(
	{ order, tags, olderTexts }: DslCase,
	recorded: readonly RecordedEvent[],
	events: readonly WorkflowEvent[],
): string | undefined {
	const isComparedEvent = ({ event }: { readonly event: string }) => !(olderTexts && event === 'text_chunk');
	const expected = recorded.filter(isComparedEvent).map(event => removeLooseValues(event, tags));
	const flat = events.filter(isComparedEvent).flatMap(flattenEvent);
	return order === 'exact' ? findExactDifference(expected, flat, tags) : findPartialDifference(expected, flat, tags);
}

function findExactDifference(
	expected: readonly RecordedEvent[],
	actual: readonly RecordedEvent[],
	tags: ReadonlySet<string>,
): string | undefined {
	for (const [index, event] of expected.entries()) {
		const found = actual[index];
		const chosen = found && removeLooseValues(pickRecordedFields(found, event), tags);
		if (!isDeepStrictEqual(chosen, event)) {
			return `event ${index + 1}: expected ${JSON.stringify(event)}, got ${JSON.stringify(chosen ?? null)}`;
		}
	}
	const extra = actual[expected.length];
	return extra && `event ${expected.length + 1}: expected none, got ${JSON.stringify(extra)}`;
}

/** Requires the same events, text in order, each node started before it finishes and after its predecessor, and iterations in order. */
function findPartialDifference(
	expected: readonly RecordedEvent[],
	actual: readonly RecordedEvent[],
	tags: ReadonlySet<string>,
): string | undefined {
	const left = [...actual];
	for (const event of expected) {
		const index = left.findIndex(candidate => isDeepStrictEqual(removeLooseValues(pickRecordedFields(candidate, event), tags), event));
		if (index < 0) {
			const same = left.find(candidate => candidate.event === event.event && candidate.node_id === event.node_id);
			return `missing ${JSON.stringify(event)}${same ? `, nearest is ${JSON.stringify(pickRecordedFields(same, event))}` : ''}`;
		}
		left.splice(index, 1);
	}
	if (left[0]) {
		return `not recorded: ${JSON.stringify(left[0])}`;
	}
	return findTextDifference(expected, actual) ?? findStartDifference(actual) ?? findIterationDifference(actual);
}

function findTextDifference(expected: readonly RecordedEvent[], actual: readonly RecordedEvent[]): string | undefined {
	const listMessageTexts = (events: readonly RecordedEvent[]) =>
		events.filter(({ event }) => event === 'text_chunk').map(event => event['text']);
	return isDeepStrictEqual(listMessageTexts(expected), listMessageTexts(actual))
		? undefined
		: `text: expected ${JSON.stringify(listMessageTexts(expected))}, got ${JSON.stringify(listMessageTexts(actual))}`;
}

function findStartDifference(actual: readonly RecordedEvent[]): string | undefined {
	const getNodeKey = (id: unknown, event: RecordedEvent) => [id, event['iteration_index'], event['loop_index']].join('/');
	const started = new Set<string>();
	const ended = new Set<string>();
	for (const event of actual) {
		const id = getNodeKey(event.node_id, event);
		const predecessor = event['predecessor_node_id'];
		if (event.event.endsWith('_started')) {
			// the predecessor of an iteration's first node may have no events
			if (predecessor && !String(predecessor).endsWith('start') && !ended.has(getNodeKey(predecessor, event))) {
				return `${event.node_id} started before ${predecessor} ended`;
			}
			started.add(id);
		} else if (event.event === 'node_finished' || event.event.endsWith('_completed')) {
			if (event.event === 'node_finished' && !started.has(id)) {
				return `${event.node_id} ended before it started`;
			}
			ended.add(id);
		}
	}
	return undefined;
}

function findIterationDifference(actual: readonly RecordedEvent[]): string | undefined {
	const last = new Map<unknown, number>();
	for (const event of actual) {
		if (event.event === 'iteration_next' || event.event === 'loop_next') {
			const index = Number(event['index']);
			if (index <= (last.get(event['id']) ?? -1)) {
				return `round ${index} of ${event.node_id} comes after round ${last.get(event['id'])}`;
			}
			last.set(event['id'], index);
		}
	}
	return undefined;
}

/** Converts an event to its recorded form. The recorder omits answered forms. */
function flattenEvent(event: WorkflowEvent): RecordedEvent[] {
	const data = 'data' in event ? (event.data as Readonly<Record<string, unknown>>) : {};
	switch (event.event as string) {
		case 'human_input_form_filled':
		case 'human_input_form_timeout':
			return [];
		case 'workflow_paused':
			return [{ ...data, event: event.event, nodes: data['paused_nodes'] }];
		case 'workflow_started':
			return [{ ...data, event: data['reason'] === 'resumption' ? 'workflow_resumed' : event.event }];
		default:
			return [{ ...data, event: event.event }];
	}
}

/** Picks the recorded fields. */
function pickRecordedFields(event: RecordedEvent, like: RecordedEvent): RecordedEvent {
	return Object.fromEntries(
		Object.keys(like).flatMap(field => (field in event ? [[field, event[field]]] : [])),
	) as unknown as RecordedEvent;
}

/** Removes values that may differ because of a tag, such as the messages of Python's exceptions. */
function removeLooseValues(event: RecordedEvent, tags: ReadonlySet<string>): RecordedEvent {
	const changed: Record<string, unknown> = { ...event };
	if (tags.has('python-error-text') && typeof event['error'] === 'string') {
		changed['error'] = '(an error)';
	}
	const outputs = event['outputs'] as Readonly<Record<string, unknown>> | undefined;
	if (tags.has('python-error-text') && typeof outputs?.['error_message'] === 'string') {
		changed['outputs'] = { ...outputs, error_message: '(an error)' };
	}
	return changed as unknown as RecordedEvent;
}
