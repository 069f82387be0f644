import type { ConversationVariable } from '#contract/dify/appFeatures.ts';

type Valued = Pick<ConversationVariable, 'value' | 'value_type'>;

/** A variable's value in one line: a text of one line as it is, all else as JSON. */
export function variableText({ value, value_type }: Valued): string {
	return typeof value === 'string' && value_type === 'string' && isPlain(value) ? value : (JSON.stringify(value) ?? 'null');
}

/** The value that such a line says. Throws a SyntaxError for what is no JSON where that is expected. */
export function editedValue(variable: Valued, line: string): unknown {
	const isText = variable.value_type === 'string' && !(typeof variable.value === 'string' && !isPlain(variable.value));
	return isText ? line : JSON.parse(line);
}

/** Whether a text means the same in a box of one line. */
function isPlain(text: string): boolean {
	return !/[\r\n\t]/.test(text);
}
