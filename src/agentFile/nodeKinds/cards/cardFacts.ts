import { getField, getFieldText, getItems } from '#base/records/plainValues.ts';
import type { CardFact, KindData } from '../nodeKind.ts';

/** Creates a line of a card; none for empty text. */
export function createFact(text: string, head?: string): readonly CardFact[] {
	return text.trim() === '' ? [] : [{ text, ...(head === undefined ? {} : { head }) }];
}

export function createModelFact(data: KindData): readonly CardFact[] {
	return createFact(getFieldText(getField(data, 'model'), 'name'));
}

/** Creates a line for each named item of a list. */
export function createNamedFacts(data: KindData, list: string, name: string): readonly CardFact[] {
	return getItems(data, list).flatMap(each => createFact(getFieldText(each, name)));
}

export function createInputFacts(data: KindData): readonly CardFact[] {
	return getItems(data, 'variables').flatMap(each =>
		createFact(
			getFieldText(each, 'type') || getFieldText(each, 'value_type'),
			getFieldText(each, 'variable') || getFieldText(each, 'name'),
		),
	);
}

export function getFirstLine(text: string): string {
	return text.slice(0, 1000).trimStart().split('\n', 1)[0] ?? '';
}
