import { referencePattern } from '#agentFile/references.ts';
import type { Selector } from '../agentFile/agentTypes.ts';
import type { TemplatePart } from '../nodes/nodeType.ts';
import { toPlainText } from './textForms.ts';
import { TextLength } from './textLength.ts';
import type { VariablePool } from './variables.ts';

/** Splits a string into literal text and references. */
export function splitTemplate(text: string): readonly TemplatePart[] {
	const found: TemplatePart[] = [];
	let end = 0;
	for (const match of text.matchAll(referencePattern)) {
		if (match.index > end) {
			found.push({ text: text.slice(end, match.index) });
		}
		found.push({ selector: (match[1] as string).split('.') });
		end = match.index + match[0].length;
	}
	if (end < text.length) {
		found.push({ text: text.slice(end) });
	}
	return found;
}

/** Returns the selectors of all references in a string. */
export function findSelectors(text: string): readonly Selector[] {
	return text.includes('{{#') ? splitTemplate(text).flatMap(part => ('selector' in part ? [part.selector] : [])) : [];
}

/**
 * Replaces references by their values as text. A missing one is replaced by its inner text (case a03). @throws {NodeError} if the result
 * is too long
 */
export function resolveText(text: string, variables: VariablePool, form: (value: unknown) => string = toPlainText): string {
	return fillText(text, variables, form, new TextLength());
}

/** Fills in the references of a text of a node. */
export type TextResolver = (text: string) => string;

/** Returns a function that resolves several texts of one node and counts their values together: a file can have very many of them. */
export function createTextResolver(variables: VariablePool): TextResolver {
	const length = new TextLength();
	return text => fillText(text, variables, toPlainText, length);
}

function fillText(text: string, variables: VariablePool, form: (value: unknown) => string, length: TextLength): string {
	if (!text.includes('{{#')) {
		return text;
	}
	return text.replace(referencePattern, (_, inner: string) => {
		const value = variables.getExactValue(inner.split('.'));
		return length.add(value === undefined ? inner : form(value));
	});
}
