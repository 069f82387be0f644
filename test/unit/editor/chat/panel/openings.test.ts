import assert from 'node:assert/strict';
import type { AgentParameters } from '#contract/agents.ts';
import { Openings } from '#editor/chat/panel/openings.ts';
import type { Chat } from '#editor/chat/transcripts/chat.ts';

/** A chat as far as openings look at it; `shown` resolves when it was told to show itself again. */
function chatWith(transcript: object): { readonly chat: Chat; readonly shown: Promise<void> } {
	const { promise, resolve } = Promise.withResolvers<void>();
	const whole = { endpoint: 'agent', connectionId: 'c', models: { agent: 'guide' }, settings: {}, turns: [], ...transcript };
	return { chat: { transcript: whole, refresh: resolve } as unknown as Chat, shown: promise };
}

const parameters: AgentParameters = {
	opening_statement: 'Hello {{name}}, {{who}}, {{__proto__}}!',
	suggested_questions: ['Why?', ''],
	user_input_form: [{ 'text-input': { variable: 'name', default: 'you' } as never }],
};

describe('what an agent begins a chat with', () => {
	it('is asked for once, shown when it is there, and filled with the inputs of the chat', async () => {
		let asked = 0;
		const openings = new Openings(async () => {
			asked++;
			return parameters;
		});
		const { chat, shown } = chatWith({});
		assert.equal(openings.getOpening(chat), undefined);
		await shown;
		assert.deepEqual(openings.getOpening(chat), { statement: 'Hello you, {{who}}, {{__proto__}}!', questions: ['Why?'] });
		Object.assign(chat.transcript.settings, { agent: { inputs: { name: 'Ana', who: 7 } } });
		assert.equal(openings.getOpening(chat)?.statement, 'Hello Ana, 7, {{__proto__}}!');
		assert.equal(asked, 1);
	});

	it('is nothing once something was said, for models, and for agents that say nothing', async () => {
		const openings = new Openings(async () => parameters);
		for (const transcript of [{ turns: [{}] }, { endpoint: 'messages' }, { models: {} }]) {
			assert.equal(openings.getOpening(chatWith(transcript).chat), undefined);
		}
		for (const odd of [{}, { opening_statement: 3, suggested_questions: 'x', user_input_form: [null] }]) {
			const silent = new Openings(async () => odd as AgentParameters);
			const { chat, shown } = chatWith({});
			silent.getOpening(chat);
			await shown;
			assert.equal(silent.getOpening(chat), undefined);
		}
	});

	it('is asked for again where the service was not there', async () => {
		const answers: (AgentParameters | undefined)[] = [undefined, parameters];
		const openings = new Openings(async () => answers.shift());
		const { chat, shown } = chatWith({});
		assert.equal(openings.getOpening(chat), undefined);
		await Promise.resolve();
		await Promise.resolve();
		assert.equal(openings.getOpening(chat), undefined);
		await shown;
		assert.ok(openings.getOpening(chat));
	});
});
