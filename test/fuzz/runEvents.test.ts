import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isTerminalEvent, type WorkflowEvent } from '#contract/events.ts';
import { ChannelLines } from '#runs/channel/channelLines.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { readNodeTimes } from '#runs/events/nodeTimes.ts';
import { readRunStory } from '#runs/events/runStory.ts';
import { Timeline } from '#runs/events/timeline.ts';
import { RunFollower } from '#runs/following/runFollower.ts';
import type { RunClient } from '#runs/following/runFollowerParts.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const kinds = [
	...['workflow_started', 'node_started', 'node_finished', 'node_retry', 'iteration_started', 'iteration_next', 'iteration_completed'],
	...['loop_started', 'loop_next', 'loop_completed', 'text_chunk', 'text_replace', 'workflow_finished', 'workflow_paused', 'error', 'ping'],
	...['tts_message', 'tts_message_end', 'never_heard_of', '__proto__', 'constructor'],
];
const fields = [
	...['id', 'node_id', 'node_type', 'title', 'index', 'status', 'error', 'elapsed_time', 'execution_metadata', 'outputs', 'inputs', 'text'],
	...[
		'metadata',
		'iteration_id',
		'iteration_index',
		'loop_id',
		'retry_index',
		'created_at',
		'total_tokens',
		'predecessor_node_id',
		'__proto__',
	],
];
const value = fc.oneof(
	fc.constantFrom<unknown>(null, 'n1', 'succeeded', 'failed', 'a\nb\u202ec', 'x'.repeat(10_000), 0, 1.5, -1, 1e308, [], {}, true),
	fc.jsonValue({ maxDepth: 2 }),
);
const data = fc.oneof({ weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...fields), value) }, { weight: 1, arbitrary: value });
/** Events with known names and any or missing content. */
const event = fc.record(
	{ event: fc.constantFrom(...kinds), task_id: value, workflow_run_id: value, data, code: value, message: value, audio: value },
	{ requiredKeys: ['event'] },
) as unknown as fc.Arbitrary<WorkflowEvent>;
const events = fc.array(event, { maxLength: 12 });
const createRecord = (): RunRecord =>
	({
		key: 'key-1',
		connectionId: 'c',
		agent: 'a',
		user: 'u',
		mode: 'streaming',
		inputsHash: '',
		startedAt: 0,
		status: 'running',
	}) as RunRecord;
const toJournalEntries = (all: readonly WorkflowEvent[]): JournalEntry[] => all.map((each, at) => ({ at, event: each }));

describe('run events with any or missing content', () => {
	it('become lines of the channel, rows with times, a transcript and a table', () =>
		fc.assert(
			fc.asyncProperty(events, async all => {
				const lines = new ChannelLines(createRecord, { connection: 'C', file: undefined });
				const timeline = new Timeline();
				for (const entry of toJournalEntries(all)) {
					for (const text of lines.formatEntry(entry)) {
						assert.equal(typeof ('line' in text ? text.line : text.text), 'string');
					}
					timeline.addEntry(entry);
				}
				timeline.endRun(all.length);
				for (const row of timeline.rows) {
					assert.equal(typeof row.title, 'string');
					assert.ok(Number.isFinite(row.start) && Number.isFinite(row.end), JSON.stringify(row));
				}
				await readRunStory(toJournalEntries(all));
				await readNodeTimes(
					(async function* () {
						yield* toJournalEntries(all);
					})(),
				);
			}),
			{ numRuns: fuzzRuns },
		));

	it('let a run end with a reported status', () =>
		fc.assert(
			fc.asyncProperty(events, async all => {
				const changes: Partial<RunRecord>[] = [];
				const entries: JournalEntry[] = [];
				const run = new RunFollower({
					connect: () =>
						Promise.resolve({
							async *streamWorkflow() {
								for (const each of all) {
									yield each;
									if (isTerminalEvent(each)) {
										return;
									}
								}
							},
							// biome-ignore lint/correctness/useYield: a service without replay
							async *followRun() {
								throw new Error('no replay');
							},
							getRun: () => Promise.reject(Object.assign(new Error('Unknown.'), { reason: 'not-found' })),
						} as unknown as RunClient),
					observer: { onEntry: entry => entries.push(entry), changeRecord: patch => changes.push(patch) },
					wait: () => Promise.resolve(),
				});
				await run.start({ model: 'm', inputs: {}, response_mode: 'streaming', user: 'u' });
				const end = all.findIndex(isTerminalEvent);
				assert.equal(entries.filter(entry => 'event' in entry).length, end < 0 ? all.length : end + 1);
				const last = changes.findLast(({ status }) => status !== undefined)?.status ?? '';
				assert.ok(['failed', 'paused', 'lost', getReportedStatus(all[end])].includes(last), last);
			}),
			{ numRuns: fuzzRuns },
		));
});

/** Returns the status in an event. A service may end a run with an unknown one. */
function getReportedStatus(each: WorkflowEvent | undefined): unknown {
	return (each as { data?: { status?: unknown } | null } | undefined)?.data?.status;
}
