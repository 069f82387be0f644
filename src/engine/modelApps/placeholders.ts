import { toPlainText } from '../variables/textForms.ts';
import { TextLength } from '../variables/textLength.ts';

/** Values for a prompt's special placeholders. A placeholder whose value is absent is left unchanged. */
interface SpecialTexts {
	readonly context?: string;
	readonly query?: string;
	readonly histories?: string;
}

const pattern = /\{\{(?:#(context|query|histories)#|([a-zA-Z_][a-zA-Z0-9_]{0,29}))\}\}/g;

/**
 * Fills `{{name}}` with inputs as text, and `{{#context#}}`, `{{#query#}}` and `{{#histories#}}`. Unknown placeholders are left unchanged.
 * Inserted text isn't scanned again, so a caller's text can't insert other values. Throws a `NodeError` if the text gets too long.
 */
export function fillPromptPlaceholders(template: string, inputs: Readonly<Record<string, unknown>>, special: SpecialTexts = {}): string {
	const length = new TextLength();
	return template.replace(pattern, (whole, name: keyof SpecialTexts | undefined, input: string | undefined) => {
		if (name !== undefined) {
			return length.add(special[name] ?? whole);
		}
		return length.add(input !== undefined && Object.hasOwn(inputs, input) ? toPlainText(inputs[input]) : whole);
	});
}

/** Returns the names of the inputs that a prompt has placeholders for. */
export function findInputNames(template: string): readonly string[] {
	return [...template.matchAll(pattern)].flatMap(([, , input]) => (input === undefined ? [] : [input]));
}
