/** Maximum number of values and opening brackets in JSON from services: parsing more of them takes seconds, and gigabytes for empty objects. */
const mostTokens = 4_000_000;

const [comma, bracket, brace, quote, backslash] = [...',[{"\\'].map(character => character.charCodeAt(0));

/** True if JSON has so many values that parsing it could block the process or fill its memory. Long strings don't count. */
export function hasTooManyJsonValues(text: string, most = mostTokens): boolean {
	let tokens = 0;
	for (let at = 0; text.length > most && at < text.length; at++) {
		const code = text.charCodeAt(at);
		if ((code === comma || code === bracket || code === brace) && ++tokens > most) {
			return true;
		}
		if (code === quote) {
			for (at++; at < text.length && text.charCodeAt(at) !== quote; at++) {
				at += text.charCodeAt(at) === backslash ? 1 : 0;
			}
		}
	}
	return false;
}
