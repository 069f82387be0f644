import { referencePattern } from '#agentFile/references.ts';
import type { PromptMessage, VariableValue } from './promptMessages.ts';

/** The text of a node's context in its prompt. It's a variable like others here, named `context`. */
const contextMark = '{{#context#}}';

/** A piece of a template: plain text, or the name of a reference. */
type Piece = { readonly text: string } | { readonly name: string };

/** Splits a template at its references. */
export function splitReferences(template: string): readonly Piece[] {
	return template
		.split(contextMark)
		.flatMap((part, at) => [...(at === 0 ? [] : [{ name: 'context' }]), ...splitSelectors(part)])
		.filter(piece => 'name' in piece || piece.text !== '');
}

function splitSelectors(template: string): readonly Piece[] {
	// the pattern has one group, so that every second part is a reference
	return template.split(referencePattern).map((part, at) => (at % 2 === 0 ? { text: part } : { name: part }));
}

/** Returns the names of all references in the messages, in order. Messages that are shown as sent contain none. */
export function listReferences(messages: readonly PromptMessage[]): readonly string[] {
	const pieces = messages.flatMap(({ text, fixed }) => (fixed ? [] : splitReferences(text)));
	return [...new Set(pieces.flatMap(piece => ('name' in piece ? [piece.name] : [])))];
}

/** Replaces references by their values. References without a value stay. */
export function fillReferences(template: string, variables: readonly VariableValue[]): string {
	const values = new Map(variables.map(({ name, value }) => [name, value]));
	return splitReferences(template)
		.map(piece => ('text' in piece ? piece.text : (values.get(piece.name) ?? `{{#${piece.name}#}}`)))
		.join('');
}

/**
 * Finds the values that a template's references had in a text that was made from it. Returns undefined if the text wasn't. Values that
 * can't be told apart, because nothing is between them, go to the last one. `known`: values from other messages of the prompt.
 */
export function matchTemplate(
	template: string,
	sent: string,
	known: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> | undefined {
	const pieces = splitReferences(template);
	const found = new Map(known);
	let at = 0;
	for (const [index, piece] of pieces.entries()) {
		const text = 'text' in piece ? piece.text : found.get(piece.name);
		if (text !== undefined) {
			if (!sent.startsWith(text, at)) {
				return undefined;
			}
			at += text.length;
		} else if ('name' in piece) {
			const end = findValueEnd(pieces, index, sent, at, found);
			if (end < at) {
				return undefined;
			}
			found.set(piece.name, sent.slice(at, end));
			at = end;
		}
	}
	return at === sent.length ? found : undefined;
}

/** Returns the end of the value at an offset: where the next known piece begins. -1 if it doesn't occur. */
function findValueEnd(pieces: readonly Piece[], index: number, sent: string, at: number, found: ReadonlyMap<string, string>): number {
	const next = pieces[index + 1];
	if (!next) {
		return sent.length;
	}
	const text = 'text' in next ? next.text : found.get(next.name);
	if (text === undefined) {
		return at;
	}
	return index + 2 === pieces.length ? (sent.endsWith(text) ? sent.length - text.length : -1) : sent.indexOf(text, at);
}
