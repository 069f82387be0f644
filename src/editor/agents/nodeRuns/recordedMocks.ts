import { isEvent } from '#contract/events.ts';
import type { Mock } from '#contract/mocks.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';

/** What a node did in a run, an entry for each attempt, in that order: what it put out, or how it failed. */
export async function recordedMocks(entries: AsyncIterable<JournalEntry>, node: string): Promise<Mock[]> {
	const mocks: Mock[] = [];
	let container: unknown;
	for await (const entry of entries) {
		const event = 'event' in entry ? entry.event : undefined;
		if (!event || !isEnd(event) || event.data.node_id !== node) {
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
			// one whose strategy went on tells its end twice
			continue;
		}
		container = isEvent(event, 'iteration_completed') || isEvent(event, 'loop_completed') ? id : undefined;
		// what is tried again takes an entry of its own
		if (status === 'failed' || status === 'exception' || isEvent(event, 'node_retry')) {
			mocks.push({ error: error ?? '' });
		} else if (outputs) {
			mocks.push({ outputs });
		}
	}
	return mocks;
}

function isEnd(event: Extract<JournalEntry, { event: unknown }>['event']) {
	return (
		isEvent(event, 'node_finished') ||
		isEvent(event, 'node_retry') ||
		isEvent(event, 'iteration_completed') ||
		isEvent(event, 'loop_completed')
	);
}
