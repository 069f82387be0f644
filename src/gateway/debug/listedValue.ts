import type { DebugVariable } from '#contract/debugAnswers.ts';
import { getFileName, isFileValue } from '#engine/variables/fileValue.ts';
import { isObjectValue } from '#engine/variables/objectValue.ts';
import { getSegmentType } from '#engine/variables/segmentType.ts';
import type { ValuePath } from './places.ts';

/** Maximum characters of a value's preview line, and of a text that is sent in full. */
const lineLength = 200;
const textLength = 100_000;
/** Maximum characters of a text that is sent in full within a list, because a response can have a thousand of them. */
const textInList = 2_000;
/** Maximum items and fields in the preview line of a list or object. */
const shownMembers = 10;

/**
 * Converts a value to a list entry.
 * @param value the value without secrets
 * @param path path for requesting its members
 */
export function toDebugVariable(
	name: string,
	value: unknown,
	{
		path,
		selector,
		settable = false,
		inList = false,
	}: { readonly path?: ValuePath; readonly selector?: ValuePath; readonly settable?: boolean; readonly inList?: boolean } = {},
): DebugVariable {
	const text = formatLine(value);
	return {
		name,
		text: text.length > lineLength ? `${text.slice(0, lineLength)}…` : text,
		type: value === undefined ? 'undefined' : getSegmentType(value),
		children: getMemberCount(value),
		...(path && { path }),
		...(selector && selector.length > 1 && { selector: selector.join('.') }),
		settable,
		...(typeof value === 'string' && !(inList && value.length > textInList) && { value: value.slice(0, textLength) }),
	};
}

/** Returns the number of keys or items of a value; 0 for a plain value. */
export function getMemberCount(value: unknown): number {
	return Array.isArray(value) ? value.length : isObjectValue(value) ? Object.keys(value).length : 0;
}

/** Returns the keys or indexes of a value, in order. */
export function getMembers(value: unknown, start: number, count: number): readonly (string | number)[] {
	if (Array.isArray(value)) {
		return Array.from({ length: Math.max(0, Math.min(count, value.length - start)) }, (_, at) => start + at);
	}
	return isObjectValue(value) ? Object.keys(value).slice(start, start + count) : [];
}

function formatLine(value: unknown, depth = 0): string {
	if (typeof value === 'string') {
		return JSON.stringify(value.slice(0, lineLength + 1));
	}
	if (Array.isArray(value)) {
		const items = depth > 1 ? [] : value.slice(0, shownMembers).map(item => formatLine(item, depth + 1));
		return `[${items.join(', ')}${items.length < value.length ? '…' : ''}]`;
	}
	if (isFileValue(value)) {
		return getFileName(value) || 'file';
	}
	if (isObjectValue(value)) {
		const names = Object.keys(value);
		const fields = depth > 1 ? [] : names.slice(0, shownMembers).map(name => `${name}: ${formatLine(value[name], depth + 1)}`);
		return `{${fields.join(', ')}${fields.length < names.length ? '…' : ''}}`;
	}
	return value === undefined ? 'undefined' : JSON.stringify(value);
}
