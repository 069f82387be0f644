import assert from 'node:assert/strict';
import type { AgentParameters } from '#contract/agents.ts';
import { Openings } from '#editor/chat/panel/openings.ts';
import type { Chat } from '#editor/chat/transcripts/chat.ts';

/** Creates a fake chat. `shown` resolves when the chat refreshes. */
function createChatWith(transcript: object): { readonly chat: Chat; readonly shown: Promise<void> } {
	const { promise, resolve } = Promise.withResolvers<void>();
	const whole = { endpoint: 'agent', connectionId: 'c', models: { agent: 'guide' }, settings: {}, turns: [], ...transcript };
	return { chat: { transcript: whole, refreshViews: resolve } as unknown as Chat, shown: promise };
}

const parameters: AgentParameters = {
	opening_statement: 'Hello {{name}}, {{who}}, {{__proto__}}!',
	suggested_questions: ['Why?', ''],
	user_input_form: [{ 'text-input': { variable: 'name', default: 'you' } as never }],
};

describe('the opening of an agent', () => {
	it('is fetched once, shown when available, and filled with the inputs of the chat', async () => {
		let asked = 0;
		const openings = new Openings(async () => {
			asked++;
			return parameters;
		});
		const { chat, shown } = createChatWith({});
		assert.equal(openings.getOpening(chat), undefined);
		await shown;
		assert.deepEqual(openings.getOpening(chat), { statement: 'Hello you, {{who}}, {{__proto__}}!', questions: ['Why?'] });
		Object.assign(chat.transcript.settings, { agent: { inputs: { name: 'Ana', who: 7 } } });
		assert.equal(openings.getOpening(chat)?.statement, 'Hello Ana, 7, {{__proto__}}!');
		assert.equal(asked, 1);
	});

	it('is empty for chats with messages, for models, and for agents without one', async () => {
		const openings = new Openings(async () => parameters);
		for (const transcript of [{ turns: [{}] }, { endpoint: 'messages' }, { models: {} }]) {
			assert.equal(openings.getOpening(createChatWith(transcript).chat), undefined);
		}
		for (const odd of [{}, { opening_statement: 3, suggested_questions: 'x', user_input_form: [null] }]) {
			const silent = new Openings(async () => odd as AgentParameters);
			const { chat, shown } = createChatWith({});
			silent.getOpening(chat);
			await shown;
			assert.equal(silent.getOpening(chat), undefined);
		}
	});

	it('is fetched again after the agents have changed, and shown as before until then', async () => {
		const createParameters = (variable: string) => ({ user_input_form: [{ 'text-input': { variable, label: variable } as never }] });
		const answers: (AgentParameters | undefined)[] = [createParameters('before'), createParameters('now'), undefined];
		const openings = new Openings(async () => answers.shift());
		const { chat, shown } = createChatWith({});
		const listNames = () => openings.getInputFields(chat)?.map(({ name }) => name);
		listNames();
		await shown;
		assert.deepEqual(listNames(), ['before']);
		openings.expire();
		assert.deepEqual(listNames(), ['before']);
		await openings.waitForParameters(chat);
		await Promise.resolve();
		assert.deepEqual(listNames(), ['now']);
		openings.expire();
		await openings.waitForParameters(chat);
		await Promise.resolve();
		assert.deepEqual(listNames(), ['now'], 'while the service is not ready');
	});

	it('is fetched again if the service was not available', async () => {
		const answers: (AgentParameters | undefined)[] = [undefined, parameters];
		const openings = new Openings(async () => answers.shift());
		const { chat, shown } = createChatWith({});
		assert.equal(openings.getOpening(chat), undefined);
		await Promise.resolve();
		await Promise.resolve();
		assert.equal(openings.getOpening(chat), undefined);
		await shown;
		assert.ok(openings.getOpening(chat));
	});
});
