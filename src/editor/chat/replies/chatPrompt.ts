import { isReplyFrom } from '#pages/chat/transcript/replyOrigin.ts';
import type { Transcript } from '#pages/chat/transcript/transcript.ts';
import { getActivePath } from '#pages/chat/transcript/turnTree.ts';
import { joinTextParts } from '#pages/chat/turns/shownText.ts';
import type { PromptAnswer, PromptColumn, PromptMessage } from '#pages/prompt/promptMessages.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import { toPlainText } from '../endpoints/endpoint.ts';

/** The messages of a chat up to a reply, for the prompt playground. `target` and `answer`: the reply, and the model that gave it. */
export interface ChatPrompt {
	readonly turn: string;
	readonly title: string;
	readonly messages: readonly Pick<PromptMessage, 'role' | 'text'>[];
	/** The chat's settings for the model's endpoint. */
	readonly settings: Readonly<Record<string, unknown>>;
	readonly target: Omit<PromptColumn, 'id' | 'answer'> | undefined;
	readonly answer: PromptAnswer | undefined;
}

/** Returns the messages that a reply answers, as text, and the reply. Attached images are only named. */
export function createChatPrompt(transcript: Transcript, turnId: string, connections: readonly Connection[]): ChatPrompt {
	const path = getActivePath(transcript, turnId);
	const last = path.at(-1);
	const reply = last?.role === 'assistant' ? last.reply : undefined;
	const asked = last?.role === 'assistant' ? path.slice(0, -1) : path;
	const connection = reply && connections.find(each => isReplyFrom(reply, each));
	const { system, title, settings } = transcript;
	return {
		turn: turnId,
		title,
		messages: [
			...(system.trim() ? [{ role: 'system' as const, text: system }] : []),
			...asked.map(turn => ({ role: turn.role, text: toPlainText(turn) })).filter(({ text }) => text !== ''),
		],
		settings: (reply && settings[reply.endpoint]) ?? {},
		target:
			reply?.model && connection
				? { connectionId: connection.id, connection: connection.name, endpoint: reply.endpoint, model: reply.model }
				: undefined,
		answer: last && reply && reply.status !== 'streaming' ? { text: joinTextParts(last.parts), reply } : undefined,
	};
}
