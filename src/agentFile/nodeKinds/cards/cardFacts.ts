import { fieldOf, itemsOf, textOf } from '#base/records/plainValues.ts';
import type { CardFact, KindData } from '../nodeKind.ts';

/** Creates a line of a card; none for empty text. */
export function fact(text: string, head?: string): readonly CardFact[] {
	return text.trim() === '' ? [] : [{ text, ...(head === undefined ? {} : { head }) }];
}

export function modelFact(data: KindData): readonly CardFact[] {
	return fact(textOf(fieldOf(data, 'model'), 'name'));
}

/** Creates a line for each named item of a list. */
export function namedFacts(data: KindData, list: string, name: string): readonly CardFact[] {
	return itemsOf(data, list).flatMap(each => fact(textOf(each, name)));
}

export function inputFacts(data: KindData): readonly CardFact[] {
	return itemsOf(data, 'variables').flatMap(each =>
		fact(textOf(each, 'type') || textOf(each, 'value_type'), textOf(each, 'variable') || textOf(each, 'name')),
	);
}

export function firstLine(text: string): string {
	return text.slice(0, 1000).trimStart().split('\n', 1)[0] ?? '';
}
