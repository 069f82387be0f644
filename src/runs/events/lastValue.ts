import type { JournalEntry } from './journalEntry.ts';

/** Values in events that finish a node, iteration or loop, or start a run. */
interface ValuesData {
	readonly node_id?: unknown;
	readonly inputs?: unknown;
	readonly outputs?: unknown;
}

/**
 * Returns the last value of a reference in a run. A reference names a node's output or a variable of the run itself (`sys`), optionally
 * with keys into it. Returns `undefined` if there is no value; events don't report environment and conversation variables.
 */
export async function findLastValue(
	entries: AsyncIterable<JournalEntry>,
	[node = '', name = '', ...keys]: readonly string[],
): Promise<{ readonly value: unknown } | undefined> {
	let found: { readonly value: unknown } | undefined;
	for await (const entry of entries) {
		if ('event' in entry && 'data' in entry.event) {
			const { event } = entry.event;
			const data = (entry.event.data ?? {}) as ValuesData;
			const holder =
				node === 'sys' && event === 'workflow_started'
					? getOwnValue(data.inputs, `sys.${name}`)
					: data.node_id === node && /_(finished|completed)$/.test(event)
						? getOwnValue(data.outputs, name)
						: undefined;
			found = holder ?? found;
		}
	}
	return keys.reduce<{ readonly value: unknown } | undefined>((value, key) => value && getOwnValue(value.value, key), found);
}

function getOwnValue(value: unknown, key: string): { readonly value: unknown } | undefined {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
		? { value: (value as Record<string, unknown>)[key] }
		: undefined;
}
