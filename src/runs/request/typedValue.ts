import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { AgentVariable } from '#contract/agents.ts';

/**
 * Converts typed text to a value of the variable's type; `value` is undefined if nothing was typed. Returns `wrong` if the text isn't valid
 * for that type, or is required but missing.
 */
export function parseTypedValue(variable: AgentVariable, text: string): { readonly value: unknown } | 'wrong' {
	const { type, required } = variable;
	if (text === '') {
		return required ? 'wrong' : { value: undefined };
	}
	switch (type) {
		case 'number':
			return text.trim() !== '' && Number.isFinite(Number(text)) ? { value: Number(text) } : 'wrong';
		case 'checkbox':
			return { value: text === 'true' };
		case 'json_object': {
			const value = tryParseJson(text);
			return isRecord(value) ? { value } : 'wrong';
		}
		default: {
			const most = getTextLimit(variable);
			// services count code points
			return most !== undefined && [...text].length > most ? 'wrong' : { value: text };
		}
	}
}

/** Returns a variable's length limit. Exports have a `max_length` on every select too, which services don't check. */
export function getTextLimit({ type, max_length: most }: AgentVariable): number | undefined {
	return most && (type === 'text-input' || type === 'paragraph') ? most : undefined;
}

/** Formats a variable's default as a user would type it. */
export function formatTypedText(value: unknown): string {
	if (value === undefined || value === null) {
		return '';
	}
	return typeof value === 'string' ? value : JSON.stringify(value);
}
