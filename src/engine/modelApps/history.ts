import type { ChatContext, ModelMessage } from '../run/engineTypes.ts';

type History = ChatContext['history'];

/** Tokens that a model takes where nothing says how many. */
const usualContext = 128_000;
/** Tokens that are kept for the reply where the app does not say how many it may have. */
const usualReply = 4_096;
/** Tokens that a message costs besides its text. */
const perMessage = 4;

/** Tokens that earlier turns may have together, beside messages that have to be sent. */
export function roomBeside(messages: readonly ModelMessage[], context = usualContext, reply = usualReply): number {
	const texts = messages.map(textOf).filter(text => text !== '');
	return Math.max(0, context - reply - texts.reduce((sum, text) => sum + tokensOf(text), 0));
}

/** The last turns that have room, whole: a question goes with its answer. */
export function fitting(history: History, room: number): History {
	let from = history.length;
	let left = room;
	while (from > 0) {
		const start = turnStart(history, from);
		left -= history.slice(start, from).reduce((sum, { text }) => sum + tokensOf(text), 0);
		if (left < 0) {
			break;
		}
		from = start;
	}
	return history.slice(from);
}

/** Earlier turns as messages. */
export function historyMessages(history: History): readonly ModelMessage[] {
	return history.map(({ role, text }) => ({ role, content: text }));
}

/** Turns as text for a prompt, a message a line, each after the name of who said it. */
export function historyText(history: History, user: string, assistant: string): string {
	return history.map(({ role, text }) => `${role === 'user' ? user : assistant}: ${text}`).join('\n');
}

/** Where the turn begins that ends before `end`. */
function turnStart(history: History, end: number): number {
	let start = end - 1;
	while (start > 0 && history[start]?.role !== 'user') {
		start--;
	}
	return start;
}

/** An estimate that is rather too high: models count in pieces of their own. */
function tokensOf(text: string): number {
	return Math.ceil(Buffer.byteLength(text) / 3) + perMessage;
}

function textOf({ content }: ModelMessage): string {
	return typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '')).join('');
}
