/** Piece of a log message: text as it is, or an expression. */
type MessagePart = { readonly text: string } | { readonly expression: string };

/** Splits a log message at its braces, which may be nested; one that is not closed is text. */
export function messageParts(message: string): readonly MessagePart[] {
	const parts: MessagePart[] = [];
	let text = '';
	for (let at = 0; at < message.length; at++) {
		const end = message[at] === '{' ? closing(message, at) : -1;
		if (end < 0) {
			text += message[at];
			continue;
		}
		const expression = message.slice(at + 1, end).trim();
		if (expression === '') {
			text += message.slice(at, end + 1);
		} else {
			parts.push({ text }, { expression });
			text = '';
		}
		at = end;
	}
	return [...parts, { text }].filter(part => !('text' in part) || part.text !== '');
}

function closing(message: string, open: number): number {
	let depth = 0;
	for (let at = open; at < message.length; at++) {
		depth += message[at] === '{' ? 1 : message[at] === '}' ? -1 : 0;
		if (depth === 0) {
			return at;
		}
	}
	return -1;
}
