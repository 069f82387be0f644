/** Maximum number of values and opening brackets in JSON from services: parsing more of them takes seconds, and gigabytes for empty objects. */
const mostTokens = 4_000_000;

const [comma, bracket, brace] = [...',[{'].map(character => character.charCodeAt(0));

/** True if JSON has so many values that parsing it could block the process or fill its memory. Long strings don't count. */
export function hasTooManyJsonValues(text: string, most = mostTokens): boolean {
	let tokens = 0;
	for (let at = 0; text.length > most && at < text.length; ) {
		const quote = text.indexOf('"', at);
		const end = quote < 0 ? text.length : quote;
		for (; at < end; at++) {
			const code = text.charCodeAt(at);
			if ((code === comma || code === bracket || code === brace) && ++tokens > most) {
				return true;
			}
		}
		at = quote < 0 ? end : findStringEnd(text, quote + 1);
	}
	return false;
}

/** Returns the position after the closing quote of a string whose content starts at `from`. */
function findStringEnd(text: string, from: number): number {
	for (let start = from; ; ) {
		const quote = text.indexOf('"', start);
		if (quote < 0) {
			return text.length;
		}
		let escapes = 0;
		while (quote - 1 - escapes >= from && text[quote - 1 - escapes] === '\\') {
			escapes++;
		}
		if (escapes % 2 === 0) {
			return quote + 1;
		}
		start = quote + 1;
	}
}
