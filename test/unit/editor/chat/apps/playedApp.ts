import type { AppFeatures } from '#client/appFeatures.ts';
import type { ReplyOfApp } from '#editor/chat/apps/appOfReply.ts';
import { Chat } from '#editor/chat/transcripts/chat.ts';
import type { TranscriptStore } from '#editor/chat/transcripts/transcriptStore.ts';
import type { Connection } from '#editor/connections/connectionTypes.ts';
import { createTranscript, type ReplyFacts } from '#pages/chat/transcript/transcript.ts';

export const dify = { id: 'd', name: 'Dify', kind: 'dify', user: 'ana' } as Connection;

/** Creates a chat with one reply of a Dify app. */
export function createChatWithReply(): { chat: Chat; reply: ReplyOfApp } {
	const store = {
		saveTranscript: async () => undefined,
		saveTranscriptSync: () => undefined,
		delete: async () => undefined,
	} as unknown as TranscriptStore;
	const chat = new Chat(store, createTranscript('a'), () => undefined);
	const of: ReplyFacts & { messageId: string } = {
		status: 'done',
		endpoint: 'agent',
		connection: 'Dify',
		model: 'support',
		messageId: 'm1',
	};
	const question = chat.addTurn('user', null, [{ kind: 'text', text: 'How long?' }]);
	const turn = chat.addTurn('assistant', question.id, [{ kind: 'text', text: '28 days' }], of);
	return { chat, reply: { turn, reply: of, connection: dify, user: 'ana' } };
}

/** Creates an app with the given methods. */
export function createFakeApp(app: Partial<AppFeatures>): AppFeatures {
	return app as AppFeatures;
}

/** Creates an error like the client's. */
export function createServiceError(status: number, code: string): Error {
	return Object.assign(new Error(`The service responded with status ${status} (${code}).`), {
		name: 'ServiceError',
		reason: 'invalid-request',
		status,
		code,
	});
}
