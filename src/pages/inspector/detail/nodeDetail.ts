import { itemsOf } from '#base/records/plainValues.ts';
import { cutText } from '#base/text/cutText.ts';
import type { VariableSetEvent } from '#contract/debugging.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import type { NodeDetail } from '../inspectorMessages.ts';
import { conversationOf } from './conversationDetail.ts';
import { writtenOf } from './writtenDetail.ts';

/** More of a part is not shown, in UTF-16 units; the run's record has it. */
const longestPart = 400_000;

/** What the entries of a node tell of it: the last word on each part, as it came. */
export interface ToldOfNode {
	readonly inputs: unknown;
	readonly processData: unknown;
	readonly outputs: unknown;
	readonly error: unknown;
	readonly metadata: unknown;
}

/** What the entries of one node tell of it. */
function toldOf(entries: readonly JournalEntry[]): ToldOfNode {
	const told: Record<string, unknown> = {};
	for (const entry of entries) {
		const data = 'event' in entry && 'data' in entry.event ? entry.event.data : undefined;
		if (typeof data === 'object' && data !== null) {
			for (const [field, value] of Object.entries(data)) {
				if (value !== null && value !== undefined) {
					told[field] = value;
				}
			}
		}
	}
	const isLog = entries.some(entry => 'event' in entry && entry.event.event === 'agent_log');
	const set = entries.findLast(entry => 'event' in entry && entry.event.event === 'variable_set');
	return {
		inputs: told['inputs'],
		processData: told['process_data'],
		error: told['error'],
		outputs: isLog ? told['data'] : set ? setValues(set) : told['outputs'],
		metadata: isLog ? told['metadata'] : told['execution_metadata'],
	};
}

/** What somebody has set by hand, and what was there before. */
function setValues(entry: JournalEntry): unknown {
	const { value, previous } = ('event' in entry && 'data' in entry.event ? entry.event.data : {}) as Partial<VariableSetEvent['data']>;
	return { value, previous };
}

/**
 * What the page shows of a node. `thinking`: what its model thought, where events told; `data`: what its agent file says of it, where there is one.
 */
export function nodeDetail(entries: readonly JournalEntry[], thinking: string, data?: unknown): NodeDetail {
	const told = toldOf(entries);
	const { inputs, processData, outputs, error, metadata } = told;
	const parts = {
		inputs,
		processData,
		outputs,
		thinking: thinking || undefined,
		error: error || undefined,
		metadata,
		raw: entries.map(rawOf),
	};
	const conversation = conversationOf(processData, outputs);
	const shownParts = Object.fromEntries(
		Object.entries(parts).flatMap(([part, value]) => (value === undefined || isEmpty(value) ? [] : [[part, shown(value)]])),
	);
	const written = data === undefined ? undefined : writtenOf(data, told);
	const warnings = itemsOf(processData, 'warnings').filter(each => typeof each === 'string');
	return {
		...shownParts,
		...(conversation && { conversation }),
		...(written && { written }),
		...(warnings.length > 0 && { warnings }),
	};
}

function rawOf(entry: JournalEntry): unknown {
	const at = new Date(entry.at).toISOString();
	return 'event' in entry ? { at, ...entry.event } : { ...entry, at };
}

function isEmpty(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function shown(value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
	return cutText(text, longestPart);
}
