import type { ReplyFacts, Transcript, Turn } from '#pages/chat/transcript/transcript.ts';

/**
 * How the rest of a cut reply can be asked for. `prefill`: the endpoint takes what came as the beginning of the model's turn and goes on
 * with it. `message`: only a message of the user can ask for more.
 */
export type Continuation = 'prefill' | 'message';

/** Reasons of C, D, E and of OpenAI's protocol that say that more would have come (wire facts 2.1, 3 and 4.1). */
const cutReasons = new Set(['max_tokens', 'MAX_TOKENS', 'length', 'pause_turn']);

/** How the chat's last reply can go on, as the chat is set now; undefined where it is whole, or nothing of it came. */
export function continuationOf(transcript: Transcript): Continuation | undefined {
	const turn = transcript.turns.findLast(t => t.id === transcript.leaf);
	const { reply } = turn ?? {};
	if (!turn || !reply || !isCut(reply) || !hasBegun(turn, reply)) {
		return undefined;
	}
	switch (transcript.endpoint) {
		case 'completions':
			return 'prefill';
		case 'messages':
			return takesPrefill(transcript, turn, reply) ? 'prefill' : 'message';
		case 'content':
		case 'chatCompletions':
			return 'message';
		case 'agent':
			// an agent that runs once for each message knows nothing of the last one
			return reply.conversationId === undefined ? undefined : 'message';
	}
}

function isCut({ status, finish }: ReplyFacts): boolean {
	return status === 'done' ? cutReasons.has(finish?.reason ?? '') : status !== 'streaming';
}

/** A call that was cut in the middle of its input cannot go on. */
function hasBegun({ parts }: Turn, { finish }: ReplyFacts): boolean {
	const last = parts.at(-1);
	return finish?.reason === 'pause_turn' ? last !== undefined : last?.kind === 'text' && last.text.trim() !== '';
}

/** With thinking on, C takes no beginning; and some models take none at all, which they said then. */
function takesPrefill({ settings }: Transcript, turn: Turn, { problem, finish }: ReplyFacts): boolean {
	if (finish?.reason === 'pause_turn') {
		return true;
	}
	const thinking = settings.messages?.['thinking'] as { type?: unknown } | undefined;
	const thinks = (thinking !== undefined && thinking.type !== 'disabled') || turn.parts.some(part => part.kind === 'thinking');
	return !thinks && problem?.reason !== 'no-prefill';
}
