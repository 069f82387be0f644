import { limitReasons } from '#pages/chat/transcript/limitReasons.ts';
import type { ReplyFacts, Transcript, Turn } from '#pages/chat/transcript/transcript.ts';

/**
 * How to get the rest of a cut reply. `prefill`: the endpoint accepts the partial reply as the start of the model's turn and continues it.
 * `message`: a new user message must ask for more.
 */
export type Continuation = 'prefill' | 'message';

/** Finish reasons that mean that the reply was cut. */
const cutReasons = new Set([...limitReasons, 'pause_turn']);

/** Returns how the chat's last reply can continue with the current settings, or undefined if the reply is complete or empty. */
export function getContinuation(transcript: Transcript): Continuation | undefined {
	const turn = transcript.turns.findLast(t => t.id === transcript.leaf);
	const { reply } = turn ?? {};
	if (!turn || !reply || !isCutReply(reply) || !hasContentToContinue(turn, reply)) {
		return undefined;
	}
	switch (transcript.endpoint) {
		case 'completions':
			return 'prefill';
		case 'messages':
			return supportsPrefill(transcript, turn, reply) ? 'prefill' : 'message';
		case 'content':
		case 'chatCompletions':
			return 'message';
		case 'agent':
			// an agent without a conversation can't continue, because it doesn't remember earlier messages
			return reply.conversationId === undefined ? undefined : 'message';
	}
}

function isCutReply({ status, finish }: ReplyFacts): boolean {
	return status === 'done' ? cutReasons.has(finish?.reason ?? '') : status !== 'streaming';
}

/** True if the reply has content that can be continued. A reply that was cut in the middle of a tool call can't. */
function hasContentToContinue({ parts }: Turn, { finish }: ReplyFacts): boolean {
	const last = parts.at(-1);
	return finish?.reason === 'pause_turn' ? last !== undefined : last?.kind === 'text' && last.text.trim() !== '';
}

/** Anthropic's protocol accepts no prefill while thinking is on. Some models never accept one, and fail with the reason `no-prefill`. */
function supportsPrefill({ settings }: Transcript, turn: Turn, { problem, finish }: ReplyFacts): boolean {
	if (finish?.reason === 'pause_turn') {
		return true;
	}
	const thinking = settings.messages?.['thinking'] as { type?: unknown } | undefined;
	const thinks = (thinking !== undefined && thinking.type !== 'disabled') || turn.parts.some(part => part.kind === 'thinking');
	return !thinks && problem?.reason !== 'no-prefill';
}
