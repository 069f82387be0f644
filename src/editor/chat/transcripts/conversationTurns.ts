import { randomUUID } from 'node:crypto';
import type { ChatMessage } from '#contract/chat.ts';
import { type Rating, ratings } from '#contract/dify/appFeatures.ts';
import { toTimestampMs } from '#contract/timestamps.ts';
import { isReplyFrom } from '#pages/chat/transcript/replyOrigin.ts';
import type { ChatPart, Feedback, Transcript, Turn } from '#pages/chat/transcript/transcript.ts';
import { readAgentStep, readCitations } from '../endpoints/agentMessage.ts';
import { parseMessageFile } from '../endpoints/messageFile.ts';

/**
 * Converts the messages of a conversation to turns of one branch, oldest first. Services list the newest first, with times in seconds.
 * Messages of the same second keep their relative order in the list.
 */
export function convertMessages(messages: readonly ChatMessage[], connection: string, model: string, connectionId?: string): Turn[] {
	const timed = messages.map(message => ({ message, at: toTimestampMs(message.created_at) }));
	const first = timed[0]?.at ?? 0;
	const last = timed.at(-1)?.at ?? 0;
	const listed = last > first ? timed : timed.reverse();
	const turns: Turn[] = [];
	let before = 0;
	// a message without a time keeps its position in the list
	const placed = listed.map(({ message, at = before }) => {
		before = at;
		return { message, at };
	});
	for (const { message, at } of placed.sort((a, b) => a.at - b.at)) {
		const { query, id: messageId, conversation_id: conversationId } = message;
		const asked: ChatPart[] = [...createFileParts(message, 'user'), { kind: 'text', text: query }];
		const question: Turn = { id: randomUUID(), parent: turns.at(-1)?.id ?? null, role: 'user', parts: asked, at };
		const feedback = getFeedback(message);
		const reply = {
			status: 'done',
			endpoint: 'agent',
			connection,
			...(connectionId !== undefined && { connectionId }),
			model,
			conversationId,
			...(messageId && { messageId }),
			...(feedback && { feedback }),
		} as const;
		turns.push(question, {
			id: randomUUID(),
			parent: question.id,
			role: 'assistant',
			parts: createReplyParts(message),
			at,
			reply,
		});
	}
	return turns;
}

/** Returns the parts of a reply: the agent's steps, the text with its sources, and files. */
function createReplyParts(message: ChatMessage): ChatPart[] {
	const { answer, agent_thoughts: thoughts, retriever_resources: resources } = message;
	const steps = (Array.isArray(thoughts) ? thoughts : []).flatMap((thought): ChatPart[] => {
		const step = readAgentStep(thought);
		return step && step.tool !== '' ? [{ kind: 'step', ...step, text: answer.includes(step.text.trim()) ? '' : step.text }] : [];
	});
	const citations = readCitations(resources);
	return [...steps, { kind: 'text', text: answer, ...(citations.length > 0 && { citations }) }, ...createFileParts(message, 'assistant')];
}

function getFeedback({ feedback }: ChatMessage): Feedback | undefined {
	const rating = (feedback as { rating?: unknown } | null | undefined)?.rating;
	return ratings.includes(rating as Rating) ? { rating: rating as Rating } : undefined;
}

/** Returns references to a message's files. Their content stays on the service. */
function createFileParts({ message_files: files }: ChatMessage, of: 'user' | 'assistant'): ChatPart[] {
	return (Array.isArray(files) ? files : []).flatMap(file => parseMessageFile(file, of) ?? []);
}

/**
 * Returns the conversation of the last reply, if the reply is from this agent and is the conversation's newest: services can't go back in
 * a conversation.
 */
export function findConversationToContinue(
	transcript: Transcript,
	turns: readonly Turn[],
	connection: { readonly id: string; readonly name: string },
	model: string,
): string | undefined {
	const last = turns.findLast(turn => turn.reply?.conversationId !== undefined);
	const id = last?.reply?.conversationId;
	const isTheirs = last?.reply && isReplyFrom(last.reply, connection) && last.reply.model === model;
	const newest = transcript.turns.findLast(turn => turn.reply?.conversationId === id);
	return id !== undefined && isTheirs && newest === last ? id : undefined;
}
