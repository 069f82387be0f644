import { plainText } from '../variables/textForms.ts';
import { TextLength } from '../variables/textLength.ts';

/** What a prompt is filled with besides the inputs; what is absent is left as it is written. */
interface SpecialTexts {
	readonly context?: string;
	readonly query?: string;
	readonly histories?: string;
}

const pattern = /\{\{(?:#(context|query|histories)#|([a-zA-Z_][a-zA-Z0-9_]{0,29}))\}\}/g;

/**
 * Fills `{{name}}` with inputs as text, and `{{#context#}}`, `{{#query#}}` and `{{#histories#}}`; what is not known stays as it is. What is filled in is not
 * looked at again: a caller's text cannot bring other values in. Throws a `NodeError` if the text gets too long.
 */
export function fill(template: string, inputs: Readonly<Record<string, unknown>>, special: SpecialTexts = {}): string {
	const length = new TextLength();
	return template.replace(pattern, (whole, name: keyof SpecialTexts | undefined, input: string | undefined) => {
		if (name !== undefined) {
			return length.add(special[name] ?? whole);
		}
		return length.add(input !== undefined && Object.hasOwn(inputs, input) ? plainText(inputs[input]) : whole);
	});
}

/** Names of the inputs that a prompt has places for. */
export function inputsIn(template: string): readonly string[] {
	return [...template.matchAll(pattern)].flatMap(([, , input]) => (input === undefined ? [] : [input]));
}
