import { toFields } from '#base/records/plainValues.ts';
import type { JournalEntry } from './journalEntry.ts';

/** Values of a run by the node that output them (or `sys`), then by name. */
export type RunValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Returns the last outputs of every node of a run, and its system variables, as reported by its events. */
export async function readRunValues(entries: AsyncIterable<JournalEntry>): Promise<RunValues> {
	// names come from services and files and can be `__proto__` and the like
	const values = new Map<string, Readonly<Record<string, unknown>>>();
	for await (const entry of entries) {
		if (!('event' in entry)) {
			continue;
		}
		const { event } = entry.event;
		const data = toFields('data' in entry.event ? entry.event.data : undefined);
		if (event === 'workflow_started') {
			const system = Object.entries(toFields(data['inputs'])).filter(([name]) => name.startsWith('sys.'));
			if (system.length > 0) {
				values.set('sys', Object.fromEntries(system.map(([name, value]) => [name.slice('sys.'.length), value])));
			}
		} else if (/^(node_finished|iteration_completed|loop_completed)$/.test(event) && typeof data['node_id'] === 'string') {
			values.set(data['node_id'], toFields(data['outputs']));
		}
	}
	return Object.fromEntries(values);
}
