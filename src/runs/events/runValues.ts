import { fieldsOf } from '#base/records/plainValues.ts';
import type { JournalEntry } from './journalEntry.ts';

/** Values of a run by the node that put them out (or `sys`), then by name. */
export type RunValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What every node of a run put out last, and what the system gave it, out of what is told of the run. */
export async function runValues(entries: AsyncIterable<JournalEntry>): Promise<RunValues> {
	// names come from services and files: none of them may be an object's own
	const values = new Map<string, Readonly<Record<string, unknown>>>();
	for await (const entry of entries) {
		if (!('event' in entry)) {
			continue;
		}
		const { event } = entry.event;
		const data = fieldsOf('data' in entry.event ? entry.event.data : undefined);
		if (event === 'workflow_started') {
			const system = Object.entries(fieldsOf(data['inputs'])).filter(([name]) => name.startsWith('sys.'));
			if (system.length > 0) {
				values.set('sys', Object.fromEntries(system.map(([name, value]) => [name.slice('sys.'.length), value])));
			}
		} else if (/^(node_finished|iteration_completed|loop_completed)$/.test(event) && typeof data['node_id'] === 'string') {
			values.set(data['node_id'], fieldsOf(data['outputs']));
		}
	}
	return Object.fromEntries(values);
}
