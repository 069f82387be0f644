import { randomUUID } from 'node:crypto';
import type { ChatMessage } from '../../protocol/chat.ts';
import { timestampToMs } from '../../protocol/timestamps.ts';
import type { Turn } from './transcript.ts';

/**
 * The messages of a conversation as turns of one branch, oldest first. Services tell the newest first, with times of whole seconds: of messages of
 * one second the order in which they were told decides.
 */
export function turnsOfMessages(messages: readonly ChatMessage[], connection: string, model: string): Turn[] {
	const timed = messages.map(message => ({ message, at: timestampToMs(message.created_at) }));
	const first = timed[0]?.at ?? 0;
	const last = timed.at(-1)?.at ?? 0;
	const told = last > first ? timed : timed.reverse();
	const turns: Turn[] = [];
	let before = 0;
	// one without a time stays where it was told
	const placed = told.map(({ message, at = before }) => {
		before = at;
		return { message, at };
	});
	for (const { message, at } of placed.sort((a, b) => a.at - b.at)) {
		const { query, answer, conversation_id: conversationId } = message;
		const question: Turn = { id: randomUUID(), parent: turns.at(-1)?.id ?? null, role: 'user', parts: [{ kind: 'text', text: query }], at };
		const reply = { status: 'done', endpoint: 'agent', connection, model, conversationId } as const;
		turns.push(question, {
			id: randomUUID(),
			parent: question.id,
			role: 'assistant',
			parts: [{ kind: 'text', text: answer }],
			at,
			reply,
		});
	}
	return turns;
}
