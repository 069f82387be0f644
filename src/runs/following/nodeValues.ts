import { isRecord, toFields } from '#base/records/plainValues.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import type { TimelineRow } from '../events/timeline.ts';
import { formatValuesOnOneLine } from './readableValue.ts';

/** One-line previews of the outputs of a run's nodes, by node ID. If a node ran several times, that of its last execution. */
export class NodeValues {
	readonly #values = new Map<string, string>();
	readonly #changed = new Set<string>();

	/** Processes a journal entry. `row` is the row of its node after the entry. */
	addEntry(entry: JournalEntry, row: TimelineRow | undefined): void {
		const { outputs } = toFields('event' in entry && 'data' in entry.event ? entry.event.data : undefined);
		if (row?.nodeId !== undefined && row.end !== undefined && isRecord(outputs)) {
			this.#values.set(row.nodeId, formatNodeOutputs(outputs));
			this.#changed.add(row.nodeId);
		}
	}

	get(node: string): string | undefined {
		return this.#values.get(node);
	}

	get all(): readonly (readonly [node: string, value: string])[] {
		return [...this.#values];
	}

	/** Returns the values that were set since the last call. */
	takeChangedValues(): readonly (readonly [node: string, value: string])[] {
		const changed = [...this.#changed].map(node => [node, this.#values.get(node) ?? ''] as const);
		this.#changed.clear();
		return changed;
	}
}

/** Formats the outputs of a node on one line: the text of a model, else all values that aren't empty. System variables are left out. */
export function formatNodeOutputs(outputs: Readonly<Record<string, unknown>>): string {
	const { text } = outputs;
	if (typeof text === 'string' && text.trim() !== '') {
		return formatValuesOnOneLine({ text });
	}
	return formatValuesOnOneLine(
		Object.fromEntries(Object.entries(outputs).filter(([name, value]) => !name.startsWith('sys.') && !isEmptyValue(value))),
	);
}

function isEmptyValue(value: unknown): boolean {
	return value === '' || value === undefined || (typeof value === 'object' && (value === null || Object.keys(value).length === 0));
}
