import type { ConversationVariable } from '#contract/dify/appFeatures.ts';

type Valued = Pick<ConversationVariable, 'value' | 'value_type'>;

/** Formats a variable's value on one line: single-line strings without changes, everything else as JSON. */
export function formatVariable({ value, value_type }: Valued): string {
	return typeof value === 'string' && value_type === 'string' && fitsInputBox(value) ? value : (JSON.stringify(value) ?? 'null');
}

/** Parses an edited result of {@link formatVariable}. Throws a SyntaxError if JSON is expected but the line isn't valid JSON. */
export function parseVariable(variable: Valued, line: string): unknown {
	const isText = variable.value_type === 'string' && !(typeof variable.value === 'string' && !fitsInputBox(variable.value));
	return isText ? line : JSON.parse(line);
}

/** True if a single-line input box can show the text unchanged. */
function fitsInputBox(text: string): boolean {
	return !/[\r\n\t]/.test(text);
}
