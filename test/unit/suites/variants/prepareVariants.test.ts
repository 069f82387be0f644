import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { prepareVariants, type VariantService } from '#suites/variants/prepareVariants.ts';
import { createAgent, SuiteFixture } from '../results/suiteFixture.ts';

const createText = (prompt: string) => `kind: app
app: { name: ask, mode: workflow }
workflow:
  graph:
    nodes:
      - id: ask
        data: { type: llm, title: Ask, model: { provider: any, name: haiku, mode: chat }, prompt_template: [{ role: system, text: ${prompt} }] }
    edges: []
`;

describe('the variants of a suite', () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	/** Reads a suite of one case with these fields, and prepares its variants. */
	async function prepare(fields: object, parts: Partial<VariantService> = {}) {
		const file = fixture.writeFile('agents/ask.yml', createText('new'));
		const agents = [{ ...createAgent('ask'), file }];
		const target = 'chat' in fields ? {} : { model: 'ask' };
		const suite = await fixture.readValidSuite({ ...target, cases: [{ name: 'a' }], ...fields }, { agents });
		const readPublished = async () => ({ workflow_id: 'w', source: createText('published') });
		return prepareVariants(suite, { name: 'local', agents, isBuiltIn: true, readPublished, ...parts }, fillPlaceholders);
	}

	it('start from the current text, the published one, another file and a revision of the file', async () => {
		fixture.writeFile('agents/ask.yml', createText('old'));
		fixture.writeFile('other.yml', createText('other'));
		const git = (...args: string[]) => execFileSync('git', ['-C', fixture.folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
		git('init', '-q');
		git('add', '.');
		git('commit', '-qm', 'old');
		const prepared = await prepare({
			matrix: { agent: { now: 'current', live: 'published', other: './other.yml', old: 'git:HEAD' } },
		});
		assert.deepEqual(
			prepared.map(({ name, source }) => [name, /text: (\w+)/.exec(source!)![1]]),
			[
				['now', 'new'],
				['live', 'published'],
				['other', 'other'],
				['old', 'old'],
			],
		);
		await assert.rejects(
			prepare({ matrix: { agent: { now: 'current', gone: 'git:--help' } } }),
			/Couldn't make the variant 'gone'\. Couldn't read the revision '--help' of 'ask\.yml'\. /,
		);
	});

	it('have prompts from files, which must be inside the workspace folder', async () => {
		fixture.writeFile('short.md', 'short');
		const prompts = { now: {}, short: { 'ask.system': { $file: './short.md' } } };
		const [, short] = await prepare({ matrix: { prompts } });
		assert.match(short!.source!, /text: short/);
		await assert.rejects(
			prepare({ matrix: { prompts: { ...prompts, out: { 'ask.system': { $file: '../../../etc/passwd' } } } } }),
			/Couldn't make the variant 'out'\. .* is outside the workspace folder/,
		);
	});

	it('change the model, parameters and system prompt of a request', async () => {
		const chat = { endpoint: 'messages', model: 'haiku', system: 'a', max_tokens: 5, messages: [] };
		const prepared = await prepare({
			chat,
			variants: [
				{ name: 'now' },
				{ name: 'b', models: { '*': 'opus' }, parameters: { '*': { max_tokens: null, top_k: 1 } }, prompts: { system: 'b' } },
			],
		});
		assert.deepEqual(prepared[0]?.target, {
			kind: 'chat',
			endpoint: 'messages',
			model: 'haiku',
			body: { system: 'a', max_tokens: 5, messages: [] },
		});
		assert.deepEqual(prepared[1]?.target, {
			kind: 'chat',
			endpoint: 'messages',
			model: 'opus',
			body: { system: 'b', top_k: 1, messages: [] },
		});
		await assert.rejects(prepare({ chat, variants: [{ name: 'now' }, { name: 'b', models: { ask: 'opus' } }] }), /'ask' needs an agent/);
		await assert.rejects(prepare({ chat, variants: [{ name: 'now' }, { name: 'b', prompts: { user: 'x' } }] }), /no prompt 'user'/);
		const asked = { ...chat, messages: ['user', 'assistant', 'user', 'assistant'].map((role, at) => ({ role, content: String(at) })) };
		const [, replaced] = await prepare({ chat: asked, variants: [{ name: 'now' }, { name: 'b', prompts: { user: 'x', system: '' } }] });
		const { messages, ...body } = (replaced!.target as unknown as { body: { messages: { content: string }[] } }).body;
		assert.deepEqual([messages.map(({ content }) => content).join(''), 'system' in body], ['01x3', false]);
		await assert.rejects(prepare({ chat, variants: [{ name: 'now' }, { name: 'b', prompts: { other: 'x' } }] }), /no prompt 'other'/);
	});

	it('need the built-in gateway, the file and a published version', async () => {
		const matrix = { agent: { now: 'current', live: 'published' } };
		await assert.rejects(prepare({ matrix }, { isBuiltIn: false }), /'local' can't run variants of agents/);
		await assert.rejects(prepare({ matrix }, { agents: [createAgent('ask')] }), /'ask' has no file on this machine/);
		await assert.rejects(
			prepare({ matrix }, { readPublished: async () => ({ workflow_id: null, source: null }) }),
			/'ask' isn't published/,
		);
	});
});

describe('a suite with variants', () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	const cases = [{ name: 'a' }];

	it('combines the choices of all axes, without excluded combinations', async () => {
		const { matrix } = await fixture.readValidSuite({
			model: 'ask',
			cases,
			matrix: {
				models: { small: { '*': 'haiku' }, large: { '*': 'opus' } },
				prompts: { now: {}, short: { 'ask.system': 'Be short.' } },
				exclude: [{ models: 'large', prompts: 'short' }],
			},
			baseline: 'large/now',
		});
		assert.deepEqual(
			matrix?.variants.map(({ name }) => name),
			['small/now', 'small/short', 'large/now'],
		);
		assert.equal(matrix?.baseline, 'large/now');
		assert.deepEqual(JSON.parse(JSON.stringify(matrix?.variants[1])), {
			name: 'small/short',
			agent: 'current',
			models: { '*': 'haiku' },
			parameters: {},
			prompts: { 'ask.system': 'Be short.' },
		});
	});

	for (const [what, fields, message] of [
		['one variant', { variants: [{ name: 'a' }] }, 'The number of variants is 1. Expected from 2 to 64.'],
		[
			'both fields',
			{ matrix: { agent: { a: 'current', b: 'current' } }, variants: [] },
			"The suite has both 'matrix' and 'variants'. Use only one of them.",
		],
		['two variants of one name', { variants: [{ name: 'a' }, { name: 'a' }] }, "Two variants are named 'a'."],
		['an unknown baseline', { variants: [{ name: 'a' }, { name: 'b' }], baseline: 'c' }, "No variant is named 'c'. Expected one of a, b."],
		[
			'4,096 combinations',
			{
				matrix: Object.fromEntries(
					['models', 'prompts'].map(axis => [axis, Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`v${at}`, {}]))]),
				),
			},
			'The number of variants is 4096. Expected from 2 to 64.',
		],
	] as const) {
		it(`reports ${what}`, async () => {
			const { faults } = await fixture.readSuite({ model: 'ask', cases, ...fields });
			assert.deepEqual(
				faults.map(fault => fault.message),
				[message],
			);
		});
	}

	it('reports nodes that the agent does not have', async () => {
		const file = fixture.writeFile('agents/ask.yml', createText('new'));
		const { faults } = await fixture.readSuite(
			{ model: 'ask', cases, variants: [{ name: 'a' }, { name: 'b', models: { gone: 'x' }, prompts: { 'lost.system': '' } }] },
			{ agents: [{ ...createAgent('ask'), file }] },
		);
		assert.deepEqual(
			faults.map(({ message }) => message),
			["The agent has no node 'gone'. Expected one of ask.", "The agent has no node 'lost'. Expected one of ask."],
		);
	});
});
