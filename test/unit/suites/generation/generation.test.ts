import assert from 'node:assert/strict';
import type { AgentVariable } from '#contract/agents.ts';
import { createInputRows, shrinkInputs } from '#suites/generation/inputRows.ts';
import { writeModelRows } from '#suites/generation/modelRows.ts';
import { DistinctTexts } from '#suites/generation/nearDuplicates.ts';
import { PersonalDataMasker } from '#suites/generation/personalData.ts';
import { type SampledRun, sampleRuns } from '#suites/generation/runSample.ts';

const createVariable = (variable: string, more: Partial<AgentVariable> = {}): AgentVariable => ({
	variable,
	label: variable,
	type: 'paragraph',
	required: true,
	...more,
});

describe('masking personal data', () => {
	const mask = (text: string) => new PersonalDataMasker().maskValue(text);

	for (const [text, masked] of [
		['Write to ana.li+x@example.co.uk.', 'Write to <EMAIL_1>.'],
		['<a@b.de>,c@d.e@f.g x@ @y.z h@i.j', '<<EMAIL_1>>,<EMAIL_2>@f.g x@ @y.z <EMAIL_3>'],
		['Call +49 30 1234567 or (030) 1234567', 'Call <PHONE_1> or <PHONE_2>'],
		['IBAN DE89 3704 0044 0532 0130 00', 'IBAN <IBAN_1>'],
		['card 4111 1111 1111 1111', 'card <CARD_1>'],
		['from 192.168.10.20 and 2001:db8::8a2e:370:7334', 'from <IP_1> and <IP_2>'],
		['key sk-abcdefghijklmnop1234', 'key <KEY_1>'],
	] as const) {
		it(`replaces ${masked}`, () => assert.equal(mask(text), masked));
	}

	for (const text of [
		'order 4111 1111 1111 1112',
		'version 1.2.3.400',
		'DE00 3704 0044 0532 0130 00',
		'on 2026-11-27 at 10:30:15',
		'17 of 2,500',
	]) {
		it(`keeps ${text}`, () => assert.equal(mask(text), text));
	}

	it('takes little time for long words, such as files in base64', () => {
		const word = 'a'.repeat(8_000_000);
		assert.equal(mask(`${word} and ana@example.com`), `${word} and <EMAIL_1>`);
		assert.equal(mask(`${word}@example.com`), `${word.slice(64)}<EMAIL_1>`);
	});

	it('gives the same value the same token, also in nested values', () => {
		const masker = new PersonalDataMasker();
		assert.deepEqual(masker.maskValue({ 'a@b.de': ['a@b.de', { n: 1, t: 'A@B.de and c@d.de' }] }), {
			'a@b.de': ['<EMAIL_1>', { n: 1, t: '<EMAIL_1> and <EMAIL_2>' }],
		});
		assert.equal(masker.count, 2);
	});
});

describe('distinct texts', () => {
	it('skip a text in which few words differ, and keep different ones', () => {
		const words = Array.from({ length: 60 }, (_, at) => `word${at}`);
		const texts = new DistinctTexts();
		assert.equal(texts.add(words.join(' ')), true);
		assert.equal(texts.add(`${words.join(' ')} please`), false);
		assert.equal(texts.add(words.join(', ').toUpperCase()), false);
		assert.equal(texts.add(words.with(20, 'x').with(40, 'y').with(50, 'z').join(' ')), true);
		assert.deepEqual(
			['refund', 'Refund!', 'return', ''].map(text => texts.add(text)),
			[true, false, true, true],
		);
	});
});

describe('rows from runs', () => {
	const createRun = (id: number, text: string, more: Partial<SampledRun> = {}): SampledRun => ({
		id: `r${id}`,
		status: 'succeeded',
		path: ['start', 'end'],
		inputs: { text },
		outputs: { answer: `re: ${text}` },
		...more,
	});
	const runs = [
		...Array.from({ length: 50 }, (_, at) => createRun(at, `usual question number ${at} about something`)),
		createRun(60, 'a failed one', { status: 'failed' }),
		createRun(61, 'a rare one', { path: ['start', 'other', 'end'] }),
		createRun(62, 'with a file', { inputs: { document: { transfer_method: 'local_file' } } }),
	];

	it('have failures and rare paths first, and are the same for the same seed', async () => {
		const options = { count: 5, seed: 's', expect: false };
		const { rows, strata, withFiles } = await sampleRuns(runs, options);
		assert.deepEqual([rows.length, rows[0]!['$name'], rows[1]!['$name'], strata, withFiles], [5, 'run r60', 'run r61', 3, 1]);
		assert.deepEqual((await sampleRuns(runs, options)).rows, rows);
		assert.notDeepEqual((await sampleRuns(runs, { ...options, seed: 't' })).rows, rows);
	});

	it('skip near-duplicates, mask personal data with the same tokens in inputs and expected values, and have the message of a chat', async () => {
		const chat = { 'sys.query': 'I am ana@example.com', 'sys.user_id': 'u', name: 'Ana' };
		const sample = await sampleRuns(
			[
				createRun(1, '', { inputs: chat, outputs: { answer: 'Hello ana@example.com' } }),
				createRun(2, '', { inputs: { ...chat, 'sys.query': 'I am ANA@example.com' } }),
			],
			{ count: 5, seed: 's', expect: true },
		);
		assert.deepEqual([sample.rows.length, sample.duplicates, sample.masked], [1, 1, 1]);
		const { $name: _, ...row } = sample.rows[0]!;
		assert.deepEqual(Object.keys(row), ['$status', 'query', 'name', 'expect:answer']);
		assert.match(JSON.stringify(row), /"query":"I am <EMAIL_1>"/);
	});
});

describe('rows from the inputs of an agent', () => {
	const variables = [
		createVariable('text', { max_length: 20 }),
		createVariable('note', { required: false }),
		createVariable('count', { type: 'number' }),
		createVariable('kind', { type: 'select', options: ['a', 'b'] }),
		createVariable('ok', { type: 'checkbox' }),
		createVariable('more', { type: 'json_object' }),
	];

	it('fit the variables, reach their bounds, and are the same for the same seed', () => {
		const rows = createInputRows(variables, 300, 's');
		const texts = rows.map(({ text }) => String(text));
		const notes = rows.map(({ note }) => note);
		assert.ok(texts.every(text => text.trim() !== '' && [...text].length <= 20));
		assert.ok(
			rows.every(
				({ count, kind, ok, more }) =>
					Number.isFinite(count) && /^[ab]$/.test(String(kind)) && typeof ok === 'boolean' && typeof more === 'object',
			),
		);
		assert.ok(texts.some(text => [...text].length === 20));
		assert.ok(notes.includes(undefined) && notes.includes('') && notes.some(note => String(note).length === 5_000));
		assert.deepEqual(createInputRows(variables, 300, 's'), rows);
		assert.notDeepEqual(createInputRows(variables, 300, 't'), rows);
	});

	it('become as simple as possible while they still fail', async () => {
		let runs = 0;
		const shrunk = await shrinkInputs(
			{ text: `${'long '.repeat(200)}☠${' more'.repeat(200)}`, note: 'x', count: 4711 },
			variables,
			async ({ text, count }) => {
				runs++;
				return String(text).includes('☠') && Number(count) > 100;
			},
		);
		assert.deepEqual([shrunk['text'], shrunk['note']], ['☠', undefined]);
		assert.ok(Number(shrunk['count']) > 100 && Number(shrunk['count']) <= 200, String(shrunk['count']));
		assert.ok(runs <= 60, String(runs));
	});
});

describe('rows from a model', () => {
	const schema = { agent: 'support', description: 'Answers', variables: [createVariable('text', { max_length: 5 })], hasQuery: true };
	const createReply = (rows: unknown) => ({
		content: [{ type: 'tool_use', id: 't', name: 'rows', input: { rows } }],
		usage: { input_tokens: 5, output_tokens: 5 },
	});

	it('are those that fit the inputs, each once, and end when the model has no new ones', async () => {
		const good = { query: 'Hi', text: 'one' };
		const replies = [
			[good, good, { query: 'Hi' }, { query: 'Hi', text: 'too long' }, { query: 'Hi', text: 'two', other: 1 }, 'x'],
			[{ query: 'Bye', text: 'two' }],
			[good],
			'nothing',
		];
		const asked: string[] = [];
		const made = await writeModelRows(schema, { model: 'm', count: 5 }, async body => {
			asked.push(JSON.stringify(body.messages));
			return createReply(replies[asked.length - 1]) as never;
		});
		assert.deepEqual(made, {
			rows: [
				{ $name: 'generated 1', $generated: 'm', ...good },
				{ $name: 'generated 2', $generated: 'm', query: 'Bye', text: 'two' },
			],
			unfit: 4,
			tokens: 40,
		});
		assert.match(asked[1]!, /Rows that exist already.*one/);
	});
});
