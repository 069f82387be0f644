import assert from 'node:assert/strict';
import fs from 'node:fs';
import { hashConfiguration } from '#base/files/contentHash.ts';
import { readDependencies } from '#suites/running/dependencies.ts';
import { SuiteFixture } from '../results/suiteFixture.ts';

describe("dependencies of a suite's results", () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	it('change with the content of files that cases, defaults, run files and rows name, and with snapshots', async () => {
		for (const name of ['case.md', 'default.md', 'runs/run.md', 'row.md', 'templated.md', 'other.md']) {
			fixture.writeFile(name, 'before');
		}
		fixture.writeFile('runs/a.run.json', { model: 'a', inputs: { text: { $file: './run.md' } } });
		fixture.writeFile('rows.jsonl', JSON.stringify({ text: { $file: './row.md' } }));
		fixture.writeFile('rows.csv', 'name\ntemplated\n');
		const parts = {
			model: 'a',
			defaults: { inputs: { text: { $file: `\${workspaceFolder}/default.md` } } },
			cases: [{ name: 'one', inputs: { more: { $file: './case.md' } } }, './runs/a.run.json'],
		};
		const suites = [
			await fixture.readValidSuite({ ...parts, dataset: { file: './rows.jsonl' } }),
			await fixture.readValidSuite({ ...parts, dataset: { file: './rows.csv', inputs: { text: { $file: '{{name}}.md' } } } }),
		];
		const source = { workspaceFolder: fixture.folder, askInput: async () => undefined, environment: undefined };
		const readAllDependencies = () => Promise.all(suites.map(suite => readDependencies(suite, source)));
		let before = await readAllDependencies();
		assert.deepEqual(await readAllDependencies(), before);
		for (const [name, first, second] of [
			['case.md', true, true],
			['default.md', true, true],
			['runs/run.md', true, true],
			['row.md', true, false],
			['templated.md', false, true],
			['other.md', false, false],
		] as const) {
			fixture.writeFile(name, 'after');
			const now = await readAllDependencies();
			assert.deepEqual(
				now.map(({ files }, at) => files !== before[at]!.files),
				[first, second],
				name,
			);
			before = now;
		}
		fixture.writeFile('one.suite.snapshots.json', {});
		assert.notEqual((await readAllDependencies())[0]!.snapshots, before[0]!.snapshots);
	});

	it('change with the content of the dataset, even if its size and time stay the same', async () => {
		const file = fixture.writeFile('rows.csv', 'n\n1\n');
		const at = new Date(1_700_000_000_000);
		fs.utimesSync(file, at, at);
		const suite = await fixture.readValidSuite({ model: 'a', dataset: { file: './rows.csv' } });
		const source = { workspaceFolder: fixture.folder, askInput: async () => undefined, environment: undefined };
		const before = await readDependencies(suite, source);
		assert.deepEqual(await readDependencies(suite, source), before);
		fixture.writeFile('rows.csv', 'n\n2\n');
		fs.utimesSync(file, at, at);
		const again = await fixture.readValidSuite({ model: 'a', dataset: { file: './rows.csv' } });
		assert.equal(again.fingerprint, suite.fingerprint);
		assert.notEqual((await readDependencies(again, source)).dataset, before.dataset);
	});

	it('change with the environment variables that requests of cases and run files name', async () => {
		fixture.writeFile('runs/a.run.json', { model: 'a', inputs: { text: `\${env:OF_RUN}` } });
		const suite = await fixture.readValidSuite({
			model: 'a',
			defaults: { inputs: { tone: `\${env:OF_DEFAULTS}` } },
			cases: [{ name: 'one', inputs: { list: [`a \${env:OF_CASE}`] } }, './runs/a.run.json'],
		});
		const values: Record<string, string> = { OF_RUN: 'a', OF_DEFAULTS: 'b', OF_CASE: 'c', OTHER: 'd' };
		const source = { workspaceFolder: fixture.folder, askInput: async () => undefined, environment: (name: string) => values[name] };
		const read = async () => (await readDependencies(suite, source)).environment;
		let before = await read();
		assert.equal(await read(), before);
		for (const [name, changes] of [
			['OF_RUN', true],
			['OF_DEFAULTS', true],
			['OF_CASE', true],
			['OTHER', false],
		] as const) {
			values[name] += '!';
			const now = await read();
			assert.equal(now !== before, changes, name);
			before = now;
		}
	});

	it('are the names of the keys of a configuration, in any order', () => {
		assert.equal(hashConfiguration('{}', ['a', 'b']), hashConfiguration('{}', ['b', 'a']));
		assert.notEqual(hashConfiguration('{}', ['a']), hashConfiguration('{}', ['b']));
		assert.notEqual(hashConfiguration('{}', []), hashConfiguration('{ }', []));
	});
});
