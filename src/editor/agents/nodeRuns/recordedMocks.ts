import { isEvent } from '#contract/events.ts';
import type { Mock } from '#contract/mocks.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';

/** Returns a node's results in a run as mocks, one for each attempt in order. Each has the outputs or the error. */
export async function readRecordedMocks(entries: AsyncIterable<JournalEntry>, node: string): Promise<Mock[]> {
	const mocks: Mock[] = [];
	let container: unknown;
	for await (const entry of entries) {
		const event = 'event' in entry ? entry.event : undefined;
		if (!event || !isNodeEndEvent(event) || event.data.node_id !== node) {
			continue;
		}
		const {
			outputs,
			status = 'succeeded',
			error,
		} = event.data as {
			readonly outputs?: Record<string, unknown> | null;
			readonly status?: string;
			readonly error?: string | null;
		};
		const { id } = event.data;
		if (isEvent(event, 'node_finished') && id !== undefined && id === container) {
			// this execution was already recorded by its `iteration_completed` or `loop_completed`
			continue;
		}
		container = isEvent(event, 'iteration_completed') || isEvent(event, 'loop_completed') ? id : undefined;
		// each failed attempt gets a separate mock
		if (status === 'failed' || status === 'exception' || isEvent(event, 'node_retry')) {
			mocks.push({ error: error ?? '' });
		} else if (outputs) {
			mocks.push({ outputs });
		}
	}
	return mocks;
}

function isNodeEndEvent(event: Extract<JournalEntry, { event: unknown }>['event']) {
	return (
		isEvent(event, 'node_finished') ||
		isEvent(event, 'node_retry') ||
		isEvent(event, 'iteration_completed') ||
		isEvent(event, 'loop_completed')
	);
}
