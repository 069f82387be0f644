import { randomUUID } from 'node:crypto';
import type { ChatMessage } from '#contract/chat.ts';
import { type Rating, ratings } from '#contract/dify/appFeatures.ts';
import { timestampToMs } from '#contract/timestamps.ts';
import type { ChatPart, Feedback, Transcript, Turn } from '#pages/chat/transcript/transcript.ts';
import { citationsOf, readAgentStep } from '../endpoints/agentMessage.ts';
import { storedFile } from '../endpoints/messageFile.ts';

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
		const { query, id: messageId, conversation_id: conversationId } = message;
		const asked: ChatPart[] = [...storedFiles(message, 'user'), { kind: 'text', text: query }];
		const question: Turn = { id: randomUUID(), parent: turns.at(-1)?.id ?? null, role: 'user', parts: asked, at };
		const feedback = feedbackOf(message);
		const reply = {
			status: 'done',
			endpoint: 'agent',
			connection,
			model,
			conversationId,
			...(messageId && { messageId }),
			...(feedback && { feedback }),
		} as const;
		turns.push(question, {
			id: randomUUID(),
			parent: question.id,
			role: 'assistant',
			parts: answeredParts(message),
			at,
			reply,
		});
	}
	return turns;
}

/** What was answered: the steps of an agent before it, its sources with it. */
function answeredParts(message: ChatMessage): ChatPart[] {
	const { answer, agent_thoughts: thoughts, retriever_resources: resources } = message;
	const steps = (Array.isArray(thoughts) ? thoughts : []).flatMap((thought): ChatPart[] => {
		const step = readAgentStep(thought);
		return step && step.tool !== '' ? [{ kind: 'step', ...step, text: answer.includes(step.text.trim()) ? '' : step.text }] : [];
	});
	const citations = citationsOf(resources);
	return [...steps, { kind: 'text', text: answer, ...(citations.length > 0 && { citations }) }, ...storedFiles(message, 'assistant')];
}

function feedbackOf({ feedback }: ChatMessage): Feedback | undefined {
	const rating = (feedback as { rating?: unknown } | null | undefined)?.rating;
	return ratings.includes(rating as Rating) ? { rating: rating as Rating } : undefined;
}

/** The files of a message: their bytes stay with the service. */
function storedFiles({ message_files: files }: ChatMessage, of: 'user' | 'assistant'): ChatPart[] {
	return (Array.isArray(files) ? files : []).flatMap(file => storedFile(file, of) ?? []);
}

/** ID of the conversation of the last reply, if it is this agent's and nothing came after it: a service can't go back in one. */
export function conversationToContinue(
	transcript: Transcript,
	turns: readonly Turn[],
	connection: string,
	model: string,
): string | undefined {
	const last = turns.findLast(turn => turn.reply?.conversationId !== undefined);
	const id = last?.reply?.conversationId;
	const isTheirs = last?.reply?.connection === connection && last.reply.model === model;
	const newest = transcript.turns.findLast(turn => turn.reply?.conversationId === id);
	return id !== undefined && isTheirs && newest === last ? id : undefined;
}
