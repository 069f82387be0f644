import type { AgentVariable } from '../protocol/agents.ts';

/**
 * What a user typed as the value of a variable, of the type that the variable takes; `value` is undefined where nothing was typed. `wrong` where it
 * is none of that type, or is missing though required.
 */
export function typedValue({ type, required, max_length: most }: AgentVariable, text: string): { readonly value: unknown } | 'wrong' {
	if (text === '') {
		return required ? 'wrong' : { value: undefined };
	}
	switch (type) {
		case 'number':
			return text.trim() !== '' && Number.isFinite(Number(text)) ? { value: Number(text) } : 'wrong';
		case 'checkbox':
			return { value: text === 'true' };
		case 'json_object': {
			const value = parsed(text);
			return typeof value === 'object' && value !== null && !Array.isArray(value) ? { value } : 'wrong';
		}
		default:
			// services count code points
			return most && [...text].length > most ? 'wrong' : { value: text };
	}
}

/** A variable's default as a user would type it. */
export function typedText(value: unknown): string {
	if (value === undefined || value === null) {
		return '';
	}
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
