/** The value of a JSON text; `undefined` if the text isn't JSON. */
export function tryParseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** JSON over several lines; any other text stays as it is. */
export function indentJson(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
