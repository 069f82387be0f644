import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { acceptSnapshots, getSnapshotFile, SnapshotBook } from '#suites/results/snapshots.ts';
import { SuiteRunError } from '#suites/running/suiteRunError.ts';
import { RunningService } from '../../../support/services/runningService.ts';
import { getEndEvent, listResults, SuiteFixture } from './suiteFixture.ts';

describe('snapshots of suites', () => {
	let fixture: SuiteFixture;
	let service: RunningService;

	beforeEach(async () => {
		fixture = new SuiteFixture();
		service = new RunningService();
		await service.start();
	});
	afterEach(async () => {
		await fixture.close();
		await service.stop();
	});

	const readSnapshots = (suite: string): unknown => JSON.parse(fs.readFileSync(getSnapshotFile(suite), 'utf8'));

	for (const [suite, expected] of [
		['/a/one.suite.json', '/a/one.suite.snapshots.json'],
		['/a/one.json', '/a/one.suite.snapshots.json'],
		['/a/one.SUITE.JSON', '/a/one.suite.snapshots.json'],
		['/a/one.suite.jsonc', '/a/one.suite.jsonc.suite.snapshots.json'],
		['/a/tests', '/a/tests.suite.snapshots.json'],
	] as const) {
		it(`of ${suite} are in a separate file, never in the suite`, () => {
			assert.equal(getSnapshotFile(suite), expected);
		});
	}

	it("that can't be written are reported with the name of their file", async () => {
		const suite = fixture.writeFile('gone/one.suite.json', {});
		const book = await SnapshotBook.openBook(suite);
		book.acceptValue('one', 'text', 1);
		fs.rmSync(path.dirname(suite), { recursive: true });
		await assert.rejects(book.saveAccepted(), { message: `Couldn't write '${getSnapshotFile(suite)}': its folder doesn't exist.` });
	});

	it('are all kept if two batches accept them at the same time', async () => {
		const suite = fixture.writeFile('one.suite.json', {});
		await fs.promises.writeFile(getSnapshotFile(suite), JSON.stringify({ before: { text: 0 } }));
		const books = await Promise.all(Array.from({ length: 8 }, () => SnapshotBook.openBook(suite)));
		for (const [at, book] of books.entries()) {
			book.acceptValue(`case ${at}`, 'text', at);
			book.acceptValue('shared', `check ${at}`, at);
		}
		await Promise.all(books.map(book => book.saveAccepted()));
		const all = readSnapshots(suite) as Record<string, Record<string, number>>;
		assert.deepEqual(Object.keys(all), ['before', ...Array.from({ length: 8 }, (_, at) => `case ${at}`), 'shared']);
		assert.equal(Object.keys(all['shared']!).length, 8);
	});

	it('are all kept if two processes accept them at the same time', async function () {
		this.timeout(30_000);
		const suite = fixture.writeFile('one.suite.json', {});
		const code = `
			import { SnapshotBook } from '#suites/results/snapshots.ts';
			process.stdout.write('ready');
			process.stdin.once('data', async () => {
				for (let at = 0; at < 20; at++) {
					const book = await SnapshotBook.openBook(process.argv[1]);
					book.acceptValue(process.argv[2] + at, 'text', at);
					await book.saveAccepted();
				}
				process.exit();
			});`;
		const children = ['a', 'b'].map(name => spawn(process.execPath, ['--input-type=module', '-e', code, suite, name]));
		await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
		const ends = children.map(child => once(child, 'exit'));
		for (const { stdin } of children) {
			stdin.write('go');
		}
		assert.deepEqual(await Promise.all(ends), [
			[0, null],
			[0, null],
		]);
		assert.equal(Object.keys(readSnapshots(suite) as object).length, 40);
	});

	for (const hours of [-1, 1]) {
		it(`are written if a crash left a lock behind ${hours} h away by the clock, which may have been set`, async () => {
			const suite = fixture.writeFile('one.suite.json', {});
			const file = getSnapshotFile(suite);
			const real = path.join(fs.realpathSync(path.dirname(file)), path.basename(file));
			const name = createHash('sha256').update(real).digest('hex').slice(0, 32);
			const lock = path.join(os.tmpdir(), `agent-workbench-lock-${name}`);
			fs.mkdirSync(lock);
			const at = new Date(Date.now() + hours * 3_600_000);
			fs.utimesSync(lock, at, at);
			const book = await SnapshotBook.openBook(suite);
			book.acceptValue('one', 'text', 1);
			await book.saveAccepted();
			assert.deepEqual(readSnapshots(suite), { one: { text: 1 } });
			assert.ok(!fs.existsSync(lock));
		});
	}

	it('are not read through a link that leads out of the folder of the suite', async () => {
		const secrets = fixture.writeFile('elsewhere/secrets.json', { auths: { registry: 'TOPSECRET' } });
		const suite = fixture.writeFile('suites/one.suite.json', {});
		fs.symlinkSync(secrets, getSnapshotFile(suite));
		await assert.rejects(SnapshotBook.openBook(suite), { name: 'SnapshotFileError', message: /is a link to another folder/ });
	});

	it('can have names of built-in properties', async () => {
		const suite = fixture.writeFile('one.suite.json', {});
		const book = await SnapshotBook.openBook(suite);
		for (const name of ['__proto__', 'constructor', 'toString', '']) {
			assert.equal(book.get(name, '__proto__'), undefined);
			book.acceptValue(name, '__proto__', { name });
		}
		await book.saveAccepted();
		const again = await SnapshotBook.openBook(suite);
		for (const name of ['__proto__', 'constructor', 'toString', '']) {
			assert.deepEqual(again.get(name, '__proto__'), { value: { name } });
		}
	});

	for (const [what, content, expected] of [
		['no JSON', '<<<<<<< HEAD\n{}', /one\.suite\.snapshots\.json' isn't valid JSON \(.*\)\. Fix or delete the file\.$/s],
		[
			'a list',
			'["x"]',
			/one\.suite\.snapshots\.json' contains no snapshots\. Expected an object of test cases, each with an object of checks\.$/,
		],
		['texts for cases', '{"one": "x"}', /contains no snapshots/],
	] as const) {
		it(`in a file with ${what} stop the batch with a message, and stay unchanged`, async () => {
			const suite = await fixture.readValidSuite({ model: 'a', cases: [{ name: 'one', expect: [{ output: 'text', snapshot: true }] }] });
			await fs.promises.writeFile(getSnapshotFile(suite.file), content);
			await assert.rejects(
				fixture.runSuite(suite, fixture.createService(service.url), { update: true }),
				(error: unknown) => error instanceof SuiteRunError && error.reason === 'file' && expected.test(error.message),
			);
			await assert.rejects(acceptSnapshots(suite.file, []), expected);
			assert.equal(fs.readFileSync(getSnapshotFile(suite.file), 'utf8'), content);
			assert.equal(service.begun.length, 0);
		});
	}

	it('are accepted on resume if their batch was killed', async () => {
		const cases = ['one', 'two'].map(name => ({ name, expect: [{ output: 'text', snapshot: true }] }));
		const suite = await fixture.readValidSuite({ model: 'a', cases, concurrency: 1 });
		const connection = fixture.createService(service.url);
		await fixture.runSuite(suite, connection, { update: true });
		// the files of a killed process: the first result, half of the second, and no snapshots
		const lines = fs.readFileSync(fixture.resultFile, 'utf8').split('\n');
		fs.writeFileSync(fixture.resultFile, `${lines[0]}\n${lines[1]}\n${lines[2]!.slice(0, 40)}`);
		fs.rmSync(getSnapshotFile(suite.file));
		const rest = listResults(await fixture.runSuite(suite, connection, { update: true, resume: true }));
		assert.deepEqual(
			rest.map(({ name }) => name),
			['two'],
		);
		assert.deepEqual(readSnapshots(suite.file), { one: { text: 'hello' }, two: { text: 'hello' } });
	});

	it('of rows with the same name are kept apart, also on resume, and those of older files are read', async () => {
		fixture.writeFile('rows.csv', 'n,who\n1,same\n2,same\n3,other\n4,same #2\n');
		service.answer = ({ inputs }) => ({ outputs: { text: `n is ${inputs['n']}` } });
		const suite = await fixture.readValidSuite({
			model: 'a',
			dataset: { file: './rows.csv', name: '{{who}}', inputs: { n: '{{n}}' }, expect: [{ output: 'text', snapshot: true }] },
		});
		const connection = fixture.createService(service.url);
		fs.writeFileSync(getSnapshotFile(suite.file), JSON.stringify({ same: { text: 'n is 1' } }));
		assert.equal(listResults(await fixture.runSuite(suite, connection))[0]?.outcome, 'passed');
		await fixture.runSuite(suite, connection, { update: true });
		assert.equal(getEndEvent(await fixture.runSuite(suite, connection)).summary.passed, 4);
		const lines = fs.readFileSync(fixture.resultFile, 'utf8').split('\n');
		fs.writeFileSync(fixture.resultFile, `${lines.slice(0, 2).join('\n')}\n`);
		assert.equal(getEndEvent(await fixture.runSuite(suite, connection, { resume: true })).summary.passed, 4);
		fs.rmSync(getSnapshotFile(suite.file));
		await acceptSnapshots(suite.file, listResults(await fixture.runSuite(suite, connection)));
		assert.equal(getEndEvent(await fixture.runSuite(suite, connection)).summary.passed, 4);
	});
});
