import { cutText } from '#base/text/cutText.ts';
import type { VariableSetEvent } from '#contract/debugging.ts';

/** Longest value that is told, in UTF-16 units. */
const longest = 200;

/** What was set by hand in a debugger, as an assignment on one line. */
export function setText({ selector, value, agent }: Partial<Pick<VariableSetEvent['data'], 'selector' | 'value' | 'agent'>>): string {
	const name = `${typeof agent === 'string' ? `${agent} › ` : ''}${Array.isArray(selector) ? selector.join('.') : ''}`;
	return `${name} = ${cutText(JSON.stringify(value) ?? 'null', longest)}`;
}
