import { tryParseJson } from '#base/text/json.ts';
import { fill } from '../../shared/fill.ts';
import type { FieldOf } from '../nodeForm/formTypes.ts';
import type { NodeFormStrings } from '../nodeForm/nodeFormStrings.ts';
import type { Reading } from './draftInput.ts';

/** A text as it is. A field that was never there does not come to be by being left empty. */
export function readText(text: string, { written, required }: { readonly written: boolean; readonly required: boolean }): Reading {
	return { value: text === '' && !written && !required ? undefined : text };
}

/** A number; nothing takes the field away, and a reference stays a text. */
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

/** Any one value: a text where the file has one, else what it reads as; nothing takes the field away. */
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

/** JSON; nothing takes the field away. */
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
