import assert from 'node:assert/strict';
import { getAppOffers } from '#editor/chat/apps/appOffers.ts';
import { findAppReply } from '#editor/chat/apps/appOfReply.ts';
import { fetchSpeech, transcribeAudio } from '#editor/chat/apps/audio.ts';
import { storeSuggestions } from '#editor/chat/apps/suggestions.ts';
import { formatVariable, parseVariable } from '#editor/chat/apps/variableText.ts';
import type { Connection, Connections } from '#editor/connections/connectionTypes.ts';
import { words } from '../endpoints/words.ts';
import { createChatWithReply, createFakeApp, createServiceError, dify } from './playedApp.ts';

describe('the features of an app', () => {
	it('come from the parameters, and only for Dify apps', () => {
		const parameters = {
			suggested_questions_after_answer: { enabled: true },
			speech_to_text: { enabled: 'yes' },
			text_to_speech: null,
			annotation_reply: { enabled: true },
		};
		const none = { suggests: false, hears: false, speaks: false, annotates: false };
		assert.deepEqual(getAppOffers(dify, 'support', parameters), {
			connection: { id: 'd', name: 'Dify' },
			model: 'support',
			...none,
			suggests: true,
			annotates: true,
		});
		assert.deepEqual(getAppOffers(dify, 'support', undefined), { connection: { id: 'd', name: 'Dify' }, model: 'support', ...none });
		assert.equal(getAppOffers({ ...dify, kind: 'built-in' } as Connection, 'support', parameters), undefined);
	});

	it('are available only for its own replies', () => {
		const { chat, reply } = createChatWithReply();
		const createConnections = (list: readonly Connection[]) => ({ list: () => list }) as unknown as Connections;
		assert.deepEqual(findAppReply(chat, reply.turn.id, createConnections([dify]), words), reply);
		assert.equal(findAppReply(chat, reply.turn.parent ?? '', createConnections([dify]), words), undefined);
		assert.equal(findAppReply(chat, reply.turn.id, createConnections([{ ...dify, kind: 'gateway' } as Connection]), words), undefined);
		assert.throws(
			() => findAppReply(chat, reply.turn.id, createConnections([]), words),
			/Connection 'Dify' of this reply no longer exists/,
		);
	});
});

describe('suggested questions after a reply', () => {
	it('are stored with it without duplicates, limited in number and length', async () => {
		const { chat, reply } = createChatWithReply();
		const questions = [' More? ', 'More?', '', 'x'.repeat(5000), ...Array.from({ length: 50 }, (_, n) => `Question ${n}`)];
		await storeSuggestions(chat, reply, createFakeApp({ getSuggestedQuestions: async () => questions }));
		const { suggested = [] } = reply.turn.reply ?? {};
		assert.deepEqual([suggested.length, suggested[0], suggested[1]?.length], [8, 'More?', 300]);
	});

	it('are not stored if they are turned off or another reply is streaming', async () => {
		const { chat, reply } = createChatWithReply();
		await storeSuggestions(
			chat,
			reply,
			createFakeApp({ getSuggestedQuestions: async () => Promise.reject(createServiceError(400, 'bad_request')) }),
		);
		assert.equal(reply.turn.reply?.suggested, undefined);
		chat.setReply(reply.turn, { ...reply.turn.reply!, status: 'streaming' });
		await storeSuggestions(chat, reply, createFakeApp({ getSuggestedQuestions: async () => ['More?'] }));
		assert.equal(reply.turn.reply?.suggested, undefined);
	});
});

describe('audio of an app', () => {
	it('is refused if it is not audio', async () => {
		const { reply } = createChatWithReply();
		const fetchSpeechOfType = (type: string) =>
			fetchSpeech(
				createFakeApp({
					convertTextToSpeech: async body => {
						assert.deepEqual(body, { user: 'ana', message_id: 'm1' });
						return { type, data: Buffer.from('ID3') };
					},
				}),
				reply,
				words,
			);
		assert.deepEqual(await fetchSpeechOfType('audio/mpeg'), { mimeType: 'audio/mpeg', data: 'SUQz' });
		await assert.rejects(fetchSpeechOfType('text/html'), { message: "'Dify' sent 'text/html' instead of audio." });
		await assert.rejects(fetchSpeechOfType('audio/x" onerror="y'), /instead of audio/);
		await assert.rejects(fetchSpeechOfType(''), /sent no audio/);
	});

	it('explains why the service refused a recording', async () => {
		const file = { name: 'talk.flac', data: Buffer.from('') };
		const transcribeRefusedFile = (error: Error) =>
			transcribeAudio(createFakeApp({ transcribeAudio: async () => Promise.reject(error) }), file, 'ana', 'Dify', words);
		await assert.rejects(
			transcribeRefusedFile(createServiceError(413, 'audio_too_large')),
			/^Problem: 'talk\.flac' is too large for 'Dify'/,
		);
		await assert.rejects(
			transcribeRefusedFile(createServiceError(415, 'unsupported_audio_type')),
			/'Dify' doesn't support files like 'talk\.flac'/,
		);
		await assert.rejects(
			transcribeRefusedFile(createServiceError(400, 'speech_to_text_disabled')),
			/Speech to text is turned off for the app on 'Dify'/,
		);
		await assert.rejects(transcribeRefusedFile(createServiceError(500, 'internal_server_error')), { name: 'ServiceError', status: 500 });
	});
});

describe('a variable in one line', () => {
	it('shows single-line strings unchanged, and other values as JSON', () => {
		for (const [value_type, value, line] of [
			['string', 'dark', 'dark'],
			['string', '"quoted"', '"quoted"'],
			['string', 'two\nlines', '"two\\nlines"'],
			['number', 5, '5'],
			['object', { a: [1] }, '{"a":[1]}'],
			['array[string]', null, 'null'],
		] as const) {
			assert.equal(formatVariable({ value_type, value }), line);
			assert.deepEqual(parseVariable({ value_type, value }, line), value);
		}
		assert.throws(() => parseVariable({ value_type: 'number', value: 5 }, 'five'), SyntaxError);
	});
});
