import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import { getNodeDetail } from '#pages/inspector/detail/nodeDetail.ts';
import { listVisibleRows } from '#pages/inspector/visibleRows.ts';
import { ChannelLines } from '#runs/channel/channelLines.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { formatPrice } from '#runs/events/priceText.ts';
import { addEntryCosts, type RunCosts } from '#runs/events/runCosts.ts';
import { Timeline } from '#runs/events/timeline.ts';
import { NodeValues } from '#runs/following/nodeValues.ts';
import { RunFollower } from '#runs/following/runFollower.ts';
import type { RunClient } from '#runs/following/runFollowerParts.ts';
import { RunForms } from '#runs/forms/runForms.ts';
import type { RunRecord } from '#runs/runTypes.ts';

const node = { id: 'n1', node_id: 'n', node_type: 'llm', title: 'N', index: 1, created_at: 1 };
const container = { id: 'i1', node_id: 'it', node_type: 'iteration', title: 'It', created_at: 1 };
const inside = { iteration_id: 'it', iteration_index: 0, loop_id: 'lo', loop_index: 0 };
const costs = { total_tokens: 1, total_price: 2, currency: 'USD', iteration_index: 0, error_strategy: 'fail-branch' };

/** A run with each kind of event. `fields` are those of the event itself, all others belong to `data`. */
const events: readonly { readonly event: string; readonly data?: object; readonly fields?: object }[] = [
	{ event: 'workflow_started', data: { id: 'r', created_at: 1, inputs: {} } },
	{ event: 'iteration_started', data: { ...container, metadata: { iteration_length: 2, loop_length: 2 } } },
	{ event: 'iteration_next', data: { ...container, index: 1 } },
	{ event: 'node_started', data: { ...node, ...inside, predecessor_node_id: 'p', inputs: {} } },
	{
		event: 'agent_log',
		data: { id: 'l', node_execution_id: 'n1', label: 'L', status: 'end', metadata: { total_tokens: 1, elapsed_time: 1 } },
	},
	{ event: 'reasoning_chunk', data: { node_id: 'n', reasoning: 'r' } },
	{ event: 'text_chunk', data: { text: 'a', from_variable_selector: ['n', 'text'] } },
	{ event: 'text_replace', data: { text: 'b' } },
	{ event: 'node_retry', data: { ...node, retry_index: 1, elapsed_time: 1, error: 'e', execution_metadata: costs } },
	{ event: 'variable_set', data: { selector: ['n', 'text'], value: 1, previous: 2, agent: 'a' } },
	{ event: 'human_input_required', data: { form_id: 'f', node_id: 'n', form_content: 'c', inputs: [], actions: [], expiration_time: 1 } },
	{ event: 'human_input_form_filled', data: { node_id: 'n', node_title: 'N', action_id: 'a', action_text: 'A' } },
	{
		event: 'node_finished',
		data: {
			...node,
			...inside,
			status: 'succeeded',
			elapsed_time: 1,
			saved_price: 1,
			total_tokens: 5,
			outputs: { text: 'a' },
			process_data: { prompts: [{ role: 'user', text: 'x' }], usage: {}, warnings: ['x'] },
			execution_metadata: costs,
		},
	},
	{ event: 'iteration_completed', data: { ...container, status: 'succeeded', elapsed_time: 1, total_tokens: 1, outputs: {} } },
	{ event: 'other', data: { title: 'x', status: 'y', error: 'z' } },
	{ event: 'workflow_finished', data: { status: 'succeeded', outputs: { a: 1 }, elapsed_time: 1, total_tokens: 1, total_steps: 1 } },
	{ event: 'error', fields: { code: 'c', message: 'm', status: 400 } },
];

/** Values that JSON can have in place of a number or a text, and that can't be converted to either. */
const hostileValues = [null, 'x', JSON.parse('{"toString":1,"valueOf":1}'), JSON.parse('[{"toString":1,"valueOf":1}]')];

function* listPaths(value: object, path: readonly string[] = []): Generator<readonly string[]> {
	for (const [name, inner] of Object.entries(value)) {
		yield [...path, name];
		if (typeof inner === 'object' && inner !== null) {
			yield* listPaths(inner, [...path, name]);
		}
	}
}

function replaceAt(value: object, [name = '', ...rest]: readonly string[], by: unknown): object {
	const copy = structuredClone(value) as Record<string, unknown>;
	copy[name] = rest.length === 0 ? by : replaceAt(copy[name] as object, rest, by);
	return copy;
}

/** Yields runs in which one field of one event has a hostile value. */
function* listHostileRuns(): Generator<{ readonly name: string; readonly run: readonly WorkflowEvent[] }> {
	const whole = events.map(({ event, data, fields }) => ({ event, task_id: 't', workflow_run_id: 'r', ...(data && { data }), ...fields }));
	for (const [at, { event, data, fields }] of events.entries()) {
		for (const path of listPaths({ ...(data && { data }), ...fields })) {
			for (const value of hostileValues) {
				const run = whole.with(at, replaceAt(whole[at] ?? {}, path, value) as (typeof whole)[number]);
				yield { name: `${event}: ${path.join('.')} = ${JSON.stringify(value)}`, run: run as unknown as WorkflowEvent[] };
			}
		}
	}
}

const createRecord = () => ({ key: 'k', agent: 'a', mode: 'streaming', user: 'u', status: 'succeeded' }) as RunRecord;

describe('a service that sends a value of the wrong type in any field of an event', () => {
	it("doesn't end the reading of its run", () => {
		for (const { name, run } of listHostileRuns()) {
			assert.doesNotThrow(() => readRun(run), name);
		}
	});

	it("doesn't end the following of its run", async () => {
		for (const { name, run } of listHostileRuns()) {
			const changes: Partial<RunRecord>[] = [];
			const received: JournalEntry[] = [];
			const follower = new RunFollower({
				connect: async () =>
					({
						async *streamWorkflow() {
							yield* run.slice(0, -1);
						},
						// biome-ignore lint/correctness/useYield: a service without replay
						async *followRun() {
							throw new Error('no replay');
						},
						getRun: () => Promise.reject(Object.assign(new Error('Unknown.'), { reason: 'not-found' })),
					}) as unknown as RunClient,
				observer: { onEntry: entry => received.push(entry), changeRecord: patch => changes.push(patch) },
				wait: () => Promise.resolve(),
			});
			await follower.start({ model: 'm', inputs: {}, response_mode: 'streaming', user: 'u' });
			assert.equal(received.filter(entry => 'event' in entry).length, run.length - 1, name);
			const { status } = changes.findLast(change => change.status !== undefined) ?? {};
			assert.ok(status === 'succeeded' || status === 'lost' || status === 'x', `${name}: ${status}`);
		}
	});
});

/** Reads a run as the output channel, the inspector and the run history do. */
function readRun(run: readonly WorkflowEvent[]): void {
	const lines = new ChannelLines(createRecord, { connection: 'C', file: undefined });
	const [timeline, values, forms] = [new Timeline(), new NodeValues(), new RunForms()];
	const entries = run.map((event, at): JournalEntry => ({ at, event }));
	let sum: RunCosts | undefined;
	for (const entry of entries) {
		lines.formatEntry(entry);
		values.addEntry(entry, timeline.addEntry(entry));
		forms.applyEntry(entry);
		sum = addEntryCosts(sum, entry);
	}
	timeline.endRun(entries.length);
	formatPrice(sum?.paid ?? 0, sum?.currency);
	listVisibleRows(timeline.rows, new Set(), 'n');
	for (const { id, price = 0, currency } of timeline.rows) {
		formatPrice(price, currency);
		getNodeDetail(
			timeline.getEntryIndexes(id).flatMap(at => entries[at] ?? []),
			timeline.getThoughts(id),
		);
	}
}
