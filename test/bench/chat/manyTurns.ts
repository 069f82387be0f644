import { createTranscript, type Transcript, type Turn } from '../../../src/pages/chat/transcript/transcript.ts';
import { createReplyTokens } from './reply.ts';

/** Number of turns in the long transcript (budget "Chat"). */
export const turnCount = 1000;

/** Creates a chat of 1,000 turns; every other one is a reply of about 300 words with code. */
export function createLongTranscript(): Transcript {
	const text = createReplyTokens().slice(0, 400).join('');
	const turns = Array.from({ length: turnCount }, (_, index): Turn => {
		const parent = index === 0 ? null : `turn-${index - 1}`;
		const base = { id: `turn-${index}`, parent, at: index };
		return index % 2 === 0
			? { ...base, role: 'user', parts: [{ kind: 'text', text: `Question ${index}` }] }
			: {
					...base,
					role: 'assistant',
					parts: [{ kind: 'text', text: `Answer ${index}\n\n${text}` }],
					reply: { status: 'done', endpoint: 'messages', connection: 'Bench', model: 'bench', durationMs: 1000, firstTokenMs: 100 },
				};
	});
	return {
		...createTranscript('many-turns', undefined, 0),
		title: 'A thousand turns',
		connectionId: 'bench',
		turns,
		leaf: `turn-${turnCount - 1}`,
	};
}
