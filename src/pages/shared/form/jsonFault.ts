const blank = /[ \t\r\n]*/y;
const text = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Returns the offset, in UTF-16 units, from which a text isn't valid JSON; `undefined` if it is valid. `JSON.parse` reports it only for
 * some errors, and the editor's parser would take a twentieth of the size budget of the chat page (the bench "webview code").
 */
export function findJsonError(json: string): number | undefined {
	let at = 0;
	const consumePattern = (pattern: RegExp): boolean => {
		pattern.lastIndex = at;
		const length = pattern.exec(json)?.[0].length;
		at += length ?? 0;
		return length !== undefined;
	};
	const consumeCharacter = (character: string): boolean => {
		const found = json[at] === character;
		at += found ? 1 : 0;
		return found;
	};
	/** Closing brackets of open objects and lists. */
	const open: string[] = [];
	let wanted: 'value' | 'first' | 'key' | 'more' = 'value';
	for (;;) {
		consumePattern(blank);
		const end = open.at(-1);
		if ((wanted === 'first' || wanted === 'more') && end !== undefined && consumeCharacter(end)) {
			open.pop();
			wanted = 'more';
		} else if (wanted === 'more') {
			if (end === undefined) {
				return at === json.length ? undefined : at;
			}
			if (!consumeCharacter(',')) {
				return at;
			}
			wanted = end === '}' ? 'key' : 'value';
		} else if (wanted === 'key' || (wanted === 'first' && end === '}')) {
			if (!consumePattern(text) || !consumePattern(blank) || !consumeCharacter(':')) {
				return at;
			}
			wanted = 'value';
		} else if (consumeCharacter('{') || consumeCharacter('[')) {
			open.push(json[at - 1] === '{' ? '}' : ']');
			wanted = 'first';
		} else if (consumePattern(text) || consumePattern(scalar)) {
			wanted = 'more';
		} else {
			return at;
		}
	}
}
