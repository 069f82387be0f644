import type { ChatContext, ModelMessage } from '../run/engineTypes.ts';

type History = ChatContext['history'];

/** Default context size of a model in tokens. */
const usualContext = 128_000;
/** Tokens reserved for the reply if the app doesn't limit it. */
const usualReply = 4_096;
/** Tokens that a message costs in addition to its text. */
const perMessage = 4;

/** Returns how many tokens remain for earlier turns after the messages that must be sent. */
export function getRemainingTokens(messages: readonly ModelMessage[], context = usualContext, reply = usualReply): number {
	const texts = messages.map(getMessageText).filter(text => text !== '');
	return Math.max(0, context - reply - texts.reduce((sum, text) => sum + estimateTokens(text), 0));
}

/** Returns the most recent turns that fit into `room` tokens. Turns aren't split: a question stays with its answer. */
export function fitHistory(history: History, room: number): History {
	let from = history.length;
	let left = room;
	while (from > 0) {
		const start = findTurnStart(history, from);
		left -= history.slice(start, from).reduce((sum, { text }) => sum + estimateTokens(text), 0);
		if (left < 0) {
			break;
		}
		from = start;
	}
	return history.slice(from);
}

/** Converts earlier turns to messages. */
export function toHistoryMessages(history: History): readonly ModelMessage[] {
	return history.map(({ role, text }) => ({ role, content: text }));
}

/** Formats turns as text for a prompt, one message per line, each prefixed with its speaker. */
export function formatHistory(history: History, user: string, assistant: string): string {
	return history.map(({ role, text }) => `${role === 'user' ? user : assistant}: ${text}`).join('\n');
}

/** Returns the start of the turn that ends before `end`. */
function findTurnStart(history: History, end: number): number {
	let start = end - 1;
	while (start > 0 && history[start]?.role !== 'user') {
		start--;
	}
	return start;
}

/** Estimates tokens, erring on the high side, because every model has a different tokenizer. */
function estimateTokens(text: string): number {
	return Math.ceil(Buffer.byteLength(text) / 3) + perMessage;
}

function getMessageText({ content }: ModelMessage): string {
	return typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '')).join('');
}
