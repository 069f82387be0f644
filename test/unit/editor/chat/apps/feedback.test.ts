import assert from 'node:assert/strict';
import { FeedbackSender } from '#editor/chat/apps/feedback.ts';
import { createChatWithReply, createFakeApp, createServiceError } from './playedApp.ts';

describe('feedback on a reply', () => {
	it('shows immediately, and is sent in the order it was given', async () => {
		const { chat, reply } = createChatWithReply();
		const sent: unknown[] = [];
		let answer: (() => void) | undefined;
		const app = createFakeApp({
			rateMessage: async (id, body) => {
				sent.push([id, body]);
				await new Promise<void>(resolve => {
					answer = resolve;
				});
			},
		});
		const sender = new FeedbackSender();
		const first = sender.sendRating(chat, reply, Promise.resolve(app), 'like');
		const second = sender.sendRating(chat, reply, Promise.resolve(app), 'dislike', 'Too short');
		assert.deepEqual(reply.turn.reply?.feedback, { rating: 'dislike', comment: 'Too short' });
		while (!answer) {
			await new Promise(setImmediate);
		}
		assert.deepEqual(sent, [['m1', { user: 'ana', rating: 'like' }]]);
		answer();
		await first;
		while (sent.length < 2) {
			await new Promise(setImmediate);
		}
		answer();
		await second;
		assert.deepEqual(sent[1], ['m1', { user: 'ana', rating: 'dislike', content: 'Too short' }]);
		assert.deepEqual(reply.turn.reply?.feedback, { rating: 'dislike', comment: 'Too short' });
	});

	it('is removed with its comment', async () => {
		const { chat, reply } = createChatWithReply();
		const sent: unknown[] = [];
		const app = Promise.resolve(createFakeApp({ rateMessage: async (_id, body) => void sent.push(body) }));
		const sender = new FeedbackSender();
		await sender.sendRating(chat, reply, app, 'like', 'Good');
		await sender.sendRating(chat, reply, app, null);
		assert.deepEqual(sent.at(-1), { user: 'ana', rating: null });
		assert.equal(Object.hasOwn(reply.turn.reply ?? {}, 'feedback'), false);
	});

	it('reverts if the service refuses it, unless the user changed it meanwhile', async () => {
		const { chat, reply } = createChatWithReply();
		const sender = new FeedbackSender();
		const taken = Promise.resolve(createFakeApp({ rateMessage: async () => undefined }));
		const refused = Promise.resolve(createFakeApp({ rateMessage: async () => Promise.reject(createServiceError(404, 'not_found')) }));
		await sender.sendRating(chat, reply, taken, 'like');
		await assert.rejects(sender.sendRating(chat, reply, refused, 'dislike'), { status: 404 });
		assert.deepEqual(reply.turn.reply?.feedback, { rating: 'like' });
		const failing = sender.sendRating(chat, reply, refused, 'dislike');
		const last = sender.sendRating(chat, reply, taken, null);
		await assert.rejects(failing);
		await last;
		assert.equal(reply.turn.reply?.feedback, undefined);
	});
});
