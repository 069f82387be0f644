/** Part of a log message: literal text or an expression. */
type MessagePart = { readonly text: string } | { readonly expression: string };

/** Splits a log message into literal text and the expressions in braces, which may be nested. An unclosed brace is literal text. */
export function parseLogMessage(message: string): readonly MessagePart[] {
	const parts: MessagePart[] = [];
	const closings = findClosingBraces(message);
	let text = '';
	for (let at = 0; at < message.length; at++) {
		const end = closings.get(at);
		if (end === undefined) {
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

/** Returns the position of the closing brace for each opening one. */
function findClosingBraces(message: string): ReadonlyMap<number, number> {
	const closings = new Map<number, number>();
	const open: number[] = [];
	for (let at = 0; at < message.length; at++) {
		if (message[at] === '{') {
			open.push(at);
		}
		const opened = message[at] === '}' ? open.pop() : undefined;
		if (opened !== undefined) {
			closings.set(opened, at);
		}
	}
	return closings;
}
