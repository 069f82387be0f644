import { cutText } from '#base/text/cutText.ts';
import type { VariableSetEvent } from '#contract/debugging.ts';

/** Maximum length of a value in UTF-16 units. */
const longest = 200;

/** Formats a variable set in a debugger as an assignment on one line. */
export function formatVariableSet({
	selector,
	value,
	agent,
}: Partial<Pick<VariableSetEvent['data'], 'selector' | 'value' | 'agent'>>): string {
	const name = `${typeof agent === 'string' ? `${agent} › ` : ''}${Array.isArray(selector) ? selector.filter(each => typeof each === 'string').join('.') : ''}`;
	return `${name} = ${cutText(JSON.stringify(value) ?? 'null', longest)}`;
}
