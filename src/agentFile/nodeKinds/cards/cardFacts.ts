import { fieldOf, itemsOf, textOf } from '#base/records/plainValues.ts';
import type { CardFact, KindData } from '../nodeKind.ts';

/** Creates a line of a card; none for empty text. */
export function createFact(text: string, head?: string): readonly CardFact[] {
	return text.trim() === '' ? [] : [{ text, ...(head === undefined ? {} : { head }) }];
}

export function createModelFact(data: KindData): readonly CardFact[] {
	return createFact(textOf(fieldOf(data, 'model'), 'name'));
}

/** Creates a line for each named item of a list. */
export function createNamedFacts(data: KindData, list: string, name: string): readonly CardFact[] {
	return itemsOf(data, list).flatMap(each => createFact(textOf(each, name)));
}

export function createInputFacts(data: KindData): readonly CardFact[] {
	return itemsOf(data, 'variables').flatMap(each =>
		createFact(textOf(each, 'type') || textOf(each, 'value_type'), textOf(each, 'variable') || textOf(each, 'name')),
	);
}

export function getFirstLine(text: string): string {
	return text.slice(0, 1000).trimStart().split('\n', 1)[0] ?? '';
}
