import { getItems, toFields } from '#base/records/plainValues.ts';
import { cutText } from '#base/text/cutText.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import type { NodeDetail } from '../inspectorMessages.ts';
import { readConversation } from './conversationDetail.ts';
import { getWrittenParts } from './writtenDetail.ts';

/** Maximum length of a shown part, in UTF-16 units. The run record has the rest. */
const longestPart = 400_000;

/** The last value of each part that the entries of a node contain. */
export interface NodeRecord {
	readonly inputs: unknown;
	readonly processData: unknown;
	readonly outputs: unknown;
	readonly error: unknown;
	readonly metadata: unknown;
}

function readNode(entries: readonly JournalEntry[]): NodeRecord {
	const last: Record<string, unknown> = {};
	for (const entry of entries) {
		const data = 'event' in entry && 'data' in entry.event ? entry.event.data : undefined;
		if (typeof data === 'object' && data !== null) {
			for (const [field, value] of Object.entries(data)) {
				if (value !== null && value !== undefined) {
					last[field] = value;
				}
			}
		}
	}
	const isLog = entries.some(entry => 'event' in entry && entry.event.event === 'agent_log');
	const set = entries.findLast(entry => 'event' in entry && entry.event.event === 'variable_set');
	return {
		inputs: last['inputs'],
		processData: last['process_data'],
		error: last['error'],
		outputs: isLog ? last['data'] : set ? readVariableChange(set) : last['outputs'],
		metadata: isLog ? last['metadata'] : last['execution_metadata'],
	};
}

function readVariableChange(entry: JournalEntry): unknown {
	const { value, previous } = toFields('event' in entry && 'data' in entry.event ? entry.event.data : undefined);
	return { value, previous };
}

/**
 * Returns the details of a node for the page.
 * @param thinking the thinking of the node's model, if events contained it
 * @param data the node's `data` in its agent file, if there is one
 */
export function getNodeDetail(entries: readonly JournalEntry[], thinking: string, data?: unknown): NodeDetail {
	const recorded = readNode(entries);
	const { inputs, processData, outputs, error, metadata } = recorded;
	const parts = {
		inputs,
		processData,
		outputs,
		thinking: thinking || undefined,
		error: error || undefined,
		metadata,
		raw: entries.length === 0 ? undefined : formatRawEntries(entries),
	};
	const conversation = readConversation(processData, outputs);
	const shownParts = Object.fromEntries(
		Object.entries(parts).flatMap(([part, value]) =>
			value === undefined || isEmptyValue(value) ? [] : [[part, formatDetailValue(value)]],
		),
	);
	const written = data === undefined ? undefined : getWrittenParts(data, recorded);
	const warnings = getItems(processData, 'warnings').filter(each => typeof each === 'string');
	return {
		...shownParts,
		...(conversation && { conversation }),
		...(written && { written }),
		...(warnings.length > 0 && { warnings }),
	};
}

/** Formats entries as a JSON list up to the limit: a row can have thousands of entries, and formatting all of them would take seconds. */
function formatRawEntries(entries: readonly JournalEntry[]): string {
	let text = '';
	for (const entry of entries) {
		if (text.length > longestPart) {
			break;
		}
		text += `${text === '' ? '' : ',\n'}${JSON.stringify(toRawEntry(entry), undefined, 2).replaceAll(/^/gm, '  ')}`;
	}
	return `[\n${text}\n]`;
}

function toRawEntry(entry: JournalEntry): unknown {
	const at = new Date(entry.at).toISOString();
	return 'event' in entry ? { at, ...entry.event } : { ...entry, at };
}

function isEmptyValue(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function formatDetailValue(value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
	return cutText(text, longestPart);
}
