import { hasTooManyJsonValues } from './jsonSize.ts';

/** Parses JSON. Returns `undefined` if the text isn't JSON, or has too many values. */
export function tryParseJson(text: string): unknown {
	try {
		return hasTooManyJsonValues(text) ? undefined : JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Pretty-prints JSON. Returns any other text unchanged. */
export function indentJson(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
