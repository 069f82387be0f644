import { tryParseJson } from '#base/text/json.ts';
import { fill } from '../../shared/fill.ts';
import type { FieldOf } from '../nodeForm/formTypes.ts';
import type { NodeFormStrings } from '../nodeForm/nodeFormStrings.ts';
import type { Reading } from './draftInput.ts';

/** Reads a text. Leaving an optional field empty doesn't add it to the file. */
export function readText(text: string, { written, required }: { readonly written: boolean; readonly required: boolean }): Reading {
	return { value: text === '' && !written && !required ? undefined : text };
}

/** Reads a number or a reference. An empty text removes the field. */
export function readNumber(text: string, { whole, least }: Pick<FieldOf<'number'>, 'whole' | 'least'>, strings: NodeFormStrings): Reading {
	const trimmed = text.trim();
	if (trimmed === '') {
		return { value: undefined };
	}
	if (/^\{\{#.*#\}\}$/.test(trimmed)) {
		return { value: trimmed };
	}
	const number = Number(trimmed);
	if (!Number.isFinite(number)) {
		return { problem: strings.noNumber };
	}
	if (whole && !Number.isInteger(number)) {
		return { problem: strings.noWhole };
	}
	return least !== undefined && number < least ? { problem: fill(strings.tooSmall, least) } : { value: number };
}

/** Reads any value. A string in the file stays a string. An empty text removes the field. */
export function readValue(text: string, isText: boolean): Reading {
	if (text === '') {
		return { value: undefined };
	}
	if (!isText && /^(true|false|-?(0|[1-9]\d*)(\.\d+)?)$/.test(text)) {
		return { value: JSON.parse(text) };
	}
	const value = isText || !/^[{[]/.test(text) ? undefined : tryParseJson(text);
	return { value: value ?? text };
}

/** Reads JSON. An empty text removes the field. */
export function readJson(text: string, strings: NodeFormStrings): Reading {
	if (text.trim() === '') {
		return { value: undefined };
	}
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		return { problem: fill(strings.noJson, (error as Error).message) };
	}
}
