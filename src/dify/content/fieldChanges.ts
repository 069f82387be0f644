import { isRecord } from '#base/records/plainValues.ts';
import { toStableJson } from './contentHash.ts';
import type { FieldChange } from './differenceTypes.ts';

/**
 * Returns the fields that differ between two plain values, recursing into maps and into lists of equal length.
 * @param path path of the values; empty at the top
 */
export function findChangedFields(before: unknown, after: unknown, path: string): readonly FieldChange[] {
	if (toStableJson(before) === toStableJson(after)) {
		return [];
	}
	if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
		return before.flatMap((item, at) => findChangedFields(item, after[at], `${path}[${at}]`));
	}
	if (isRecord(before) && isRecord(after)) {
		const names = new Set([...Object.keys(before), ...Object.keys(after)]);
		return [...names].flatMap(name =>
			findChangedFields(getOwnValue(before, name), getOwnValue(after, name), path === '' ? name : `${path}.${name}`),
		);
	}
	return [{ path, before: toShownValue(before), after: toShownValue(after) }];
}

/** Converts a value for messages and JSON, which don't support bigints. */
function toShownValue(value: unknown): unknown {
	const isPlain = typeof value !== 'bigint' && (typeof value !== 'object' || value === null);
	return isPlain ? (value ?? undefined) : JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)));
}

function getOwnValue(map: Readonly<Record<string, unknown>>, name: string): unknown {
	return Object.hasOwn(map, name) ? map[name] : undefined;
}
