import assert from 'node:assert/strict';
import { createAgent, SuiteFixture } from './results/suiteFixture.ts';

describe('reading hostile suites', () => {
	let fixture: SuiteFixture;

	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	it('rejects thousands of unknown inputs, columns and run files within seconds', async () => {
		const createNames = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word}_with_a_long_name_number_${at}`);
		const many = [
			createAgent(
				'a',
				createNames('variable', 2000).map(variable => ({ variable, required: true })),
			),
		];
		const inputs = Object.fromEntries(createNames('varaible', 2000).map(name => [name, '']));
		fixture.writeFile('rows.csv', `${createNames('column', 2000).join(',')}\n${'1,'.repeat(1999)}1\n`);
		const templates = Object.fromEntries(createNames('colunm', 2000).map(name => [name, `{{${name}}}`]));
		for (let at = 0; at < 50; at++) {
			fixture.writeFile(`${at}.run.json`, { model: 'a', inputs: {} });
		}
		const hostile = [
			{ model: 'a', cases: [{ name: 'one', inputs }] },
			{ model: 'a', cases: Array.from({ length: 2000 }, (_, at) => ({ name: `case ${at}` })) },
			{ model: 'a', dataset: { file: 'rows.csv', inputs: templates } },
			{ model: 'a', cases: Array.from({ length: 30_000 }, (_, at) => ({ name: `case ${at}`, wrong: 1 })) },
			{ cases: Array.from({ length: 200 }, () => '*.run.json') },
		];
		for (const [at, content] of hostile.entries()) {
			// processor time, which doesn't grow on a busy machine
			const started = process.cpuUsage();
			const { suite, faults } = await fixture.readSuite(content, { agents: many });
			assert.equal(suite, undefined);
			assert.ok(faults.length >= 1000, `${at}: ${faults.length}`);
			assert.ok(faults.length <= 100_000 && faults.every(({ message }) => message.length < 10_000), String(at));
			const ms = process.cpuUsage(started).user / 1000;
			assert.ok(ms < 10_000, `${at}: ${Math.round(ms)} ms`);
		}
	}).timeout(120_000);

	it('repeats no long names in its problems, and fills no long template for names', async () => {
		const agents = [createAgent('a', [])];
		fixture.writeFile('rows.csv', `${'c'.repeat(100_000)}\n1\n`);
		const dataset = { file: 'rows.csv', name: '{{row}}'.repeat(1000), inputs: { a: '{{x}}', b: '{{y}}' } };
		const { faults } = await fixture.readSuite({ model: 'a', dataset }, { agents });
		assert.deepEqual(
			faults.map(({ message }) => message.length < 200),
			[true, true],
		);
		const { suite } = await fixture.readSuite({ model: 'a', dataset: { ...dataset, inputs: {} } }, { agents });
		assert.equal(suite?.dataset?.name.length, 1000);
	});

	it('excludes tens of thousands of combinations of a matrix within seconds', async () => {
		const createChoices = (word: string, value: object | string) =>
			Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${word}${at}`, value]));
		const others = Array.from({ length: 60_000 }, (_, at) => ({ models: `none${at}` }));
		const matrix = {
			models: createChoices('m', { '*': 'x' }),
			prompts: createChoices('p', {}),
			exclude: [...others, {}, ...Array.from({ length: 59 }, (_, at) => ({ prompts: `p${at + 1}` })), { models: 'm0', prompts: 'p0' }],
		};
		const started = process.cpuUsage();
		const { suite } = await fixture.readSuite({ model: 'a', matrix, cases: [{ name: 'one' }] }, { agents: [createAgent('a', [])] });
		const names = suite?.matrix?.variants.map(({ name }) => name);
		assert.deepEqual([names?.length, names?.[0], names?.at(-1)], [59, 'm1/p0', 'm59/p0']);
		const ms = process.cpuUsage(started).user / 1000;
		assert.ok(ms < 6000, `${Math.round(ms)} ms`);
	}).timeout(120_000);
});
