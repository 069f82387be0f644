import { getField } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { RecordingDrift } from '#contract/recordings/recordings.ts';
import type { EntryContent } from './entryText.ts';
import { findDifference } from './requestKey.ts';

/** Similarity of two texts from which they say the same. */
const leastSimilarity = 0.8;
/** Number of characters of texts that are compared. */
const comparedLength = 20_000;

/** Result of a comparison with a live reply. */
type Drift = Pick<RecordingDrift, 'outcome' | 'message'>;

const same: Drift = { outcome: 'same', message: '' };

/** Compares a recorded reply with a live one: errors, tool calls, the shape of JSON, and the similarity of other texts. */
export function compareReplies(recorded: EntryContent, live: EntryContent): Drift {
	if (live.error) {
		return recorded.error?.message === live.error.message ? same : { outcome: 'failed', message: live.error.message };
	}
	if (recorded.error) {
		return createChange(`It recorded the error '${recorded.error.message}', but the call succeeds now.`);
	}
	const [before, now] = [recorded.reply, live.reply];
	for (const [field, name] of [
		['status', 'status'],
		['calls', 'tool calls'],
	] as const) {
		const difference = findDifference(withoutIds(getField(before, field)), withoutIds(getField(now, field)));
		if (difference) {
			return createChange(`Other ${name}: recorded '${difference.recorded}', now '${difference.now}'.`);
		}
	}
	return compareTexts(toReplyText(before), toReplyText(now));
}

function compareTexts(before: string, now: string): Drift {
	const [oldValue, newValue] = [tryParseJson(before), tryParseJson(now)];
	if (typeof oldValue === 'object' && typeof newValue === 'object') {
		const difference = findDifference(toShape(oldValue), toShape(newValue));
		return difference
			? createChange(`Other JSON at '${difference.path}': recorded '${difference.recorded}', now '${difference.now}'.`)
			: same;
	}
	const similarity = measureSimilarity(before, now);
	const difference = similarity < leastSimilarity ? findDifference(before, now) : undefined;
	return difference
		? createChange(`Similarity ${similarity.toFixed(2)}: recorded '${difference.recorded}', now '${difference.now}'.`)
		: same;
}

function createChange(message: string): Drift {
	return { outcome: 'changed', message };
}

/** Returns the text of a model's reply or of an HTTP response, or other replies as JSON. */
function toReplyText(reply: unknown): string {
	const text = getField(reply, 'text') ?? getField(reply, 'body');
	return typeof text === 'string' ? text : (JSON.stringify(reply) ?? '');
}

/** Tool calls have new IDs each time. */
function withoutIds(calls: unknown): unknown {
	return Array.isArray(calls) ? calls.map(call => ({ name: getField(call, 'name'), input: getField(call, 'input') })) : calls;
}

/** Replaces values by their types, and lists by their first item. */
function toShape(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.slice(0, 1).map(toShape);
	}
	return typeof value === 'object' && value !== null
		? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toShape(field)]))
		: value === null
			? 'null'
			: typeof value;
}

/** Returns the share of pairs of neighboring characters that two texts have in common (Dice coefficient), in any script. */
function measureSimilarity(left: string, right: string): number {
	if (left === right) {
		return 1;
	}
	const pairs = countPairs(left);
	const others = countPairs(right);
	let [common, total] = [0, 0];
	for (const [pair, count] of pairs) {
		common += Math.min(count, others.get(pair) ?? 0);
		total += count;
	}
	for (const count of others.values()) {
		total += count;
	}
	return total === 0 ? 0 : (2 * common) / total;
}

function countPairs(text: string): ReadonlyMap<string, number> {
	const compared = text.slice(0, comparedLength).toLowerCase().replaceAll(/\s+/g, ' ');
	const pairs = new Map<string, number>();
	for (let at = 0; at + 1 < compared.length; at++) {
		const pair = compared.slice(at, at + 2);
		pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
	}
	return pairs;
}
