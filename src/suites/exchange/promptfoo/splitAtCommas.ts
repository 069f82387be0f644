/** Splits a text at commas, as promptfoo does: parts are trimmed, and can be in quotes. An open quote makes the whole text invalid. */
export function splitAtCommas(text: string): readonly string[] {
	const parts: string[] = [];
	for (let at = 0; at < text.length; at++) {
		if (text[at] === ',' || text[at]!.trim() === '') {
			continue;
		}
		if (text[at] !== '"') {
			const comma = text.indexOf(',', at);
			const end = comma < 0 ? text.length : comma;
			parts.push(text.slice(at, end).trim());
			at = end;
			continue;
		}
		let part = '';
		for (at++; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at++) {
			const isEscaped = text[at] === '"' || (text[at] === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\'));
			at += Number(isEscaped);
			part += text[at];
		}
		if (at >= text.length) {
			return [];
		}
		parts.push(part);
	}
	return parts;
}
