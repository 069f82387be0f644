import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { SuiteRunError } from '#suites/running/suiteRunError.ts';
import { closeServers, getServerUrl, listenOnLoopback } from '../support/services/loopback.ts';
import { RunningService } from '../support/services/runningService.ts';
import { getEndEvent, listResults, SuiteFixture } from '../unit/suites/results/suiteFixture.ts';
import { patienceMs } from './support/patience.ts';

describe('hostile suites', () => {
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

	it('with checks that take forever or all memory fail with a message, delay no caller, and decide their other checks', async () => {
		const long = Array.from({ length: 60_000 }, (_, at) => `w${at % 7}`).join(' ');
		service.answer = () => ({ outputs: { text: `${'a'.repeat(40)}!`, long } });
		const hostile = [
			{ output: 'text', matches: '^(a+)+$' },
			{ output: 'text', schema: { type: 'string', pattern: '^(a|aa)+$' } },
			{ output: 'long', similar: { to: long.split(' ').reverse().join(' ') } },
			{ expression: '(() => { for (;;) {} })()' },
			{ expression: '(() => { const all = []; for (;;) { all.push("x".repeat(100000) + all.length); } })()' },
			{ expression: '(() => { throw { toString: null } })()' },
		];
		const suite = await fixture.readValidSuite({
			model: 'a',
			cases: [{ name: 'one', expect: [...hostile, { output: 'text', startsWith: 'aaa' }] }],
		});
		let longest = 0;
		let last = performance.now();
		const ticking = setInterval(() => {
			longest = Math.max(longest, performance.now() - last);
			last = performance.now();
		}, 5);
		const [result] = listResults(await fixture.runSuite(suite, fixture.createService(service.url)));
		clearInterval(ticking);
		const failed = result?.checks.filter(({ passed }) => !passed) ?? [];
		assert.equal(failed.length, hostile.length, JSON.stringify(failed.map(({ message }) => message)));
		assert.ok(
			failed.every(({ message }) => /Couldn't evaluate '\w+': .{5,}/.test(message ?? '')),
			JSON.stringify(failed.map(({ message }) => message)),
		);
		assert.ok(longest < patienceMs, `the event loop waited ${Math.round(longest)} ms`);
	});

	it('with templates that could backtrack exponentially are read quickly', async () => {
		fixture.writeFile('rows.csv', 'id\n1\n');
		const text = `{{${' '.repeat(100_000)}`;
		const { suite } = await fixture.readSuite({ model: 'a', dataset: { file: './rows.csv', inputs: { text, more: '{{'.repeat(50_000) } } });
		assert.ok(suite);
		assert.equal(getEndEvent(await fixture.runSuite(suite, fixture.createService(service.url))).summary.passed, 1);
	});

	it('fail only the affected cases if a service disconnects, sends no stream or sends false data', async () => {
		const bodies = [
			'data: {"event":"workflow_started","task_id":"t","workflow_run_id":"r","data":{"id":"r","created_at":1}}\n\n',
			'data: {{{\n\n',
			'<html>hello</html>',
			'',
		];
		let asked = 0;
		const liar = http.createServer((request, response) => {
			request.resume().on('end', () => {
				response.writeHead(200, { 'content-type': asked === 2 ? 'text/html' : 'text/event-stream' });
				response.write(bodies[asked % bodies.length]!);
				asked++;
				setImmediate(() => response.destroy());
			});
		});
		await listenOnLoopback(liar);
		const suite = await fixture.readValidSuite({ model: 'a', cases: bodies.map((_, at) => ({ name: `case ${at}` })), concurrency: 4 });
		const results = listResults(await fixture.runSuite(suite, fixture.createService(getServerUrl(liar))));
		await closeServers(liar);
		assert.equal(results.length, bodies.length);
		assert.ok(
			results.every(({ outcome, fault = '' }) => outcome === 'not-run' && fault.length > 20),
			JSON.stringify(results.map(({ fault }) => fault)),
		);
	});

	it('continue their batch with endlessly nested outputs and replies', async () => {
		const createNestedArray = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
		const answers = [createNestedArray(50_000), createNestedArray(3), createNestedArray(50_000)];
		const liar = http.createServer((request, response) => {
			request.resume().on('end', () => {
				const outputs = `{"text":${answers.shift()}}`;
				response.writeHead(200, { 'content-type': 'text/event-stream' });
				response.end(
					'data: {"event":"workflow_started","task_id":"t","workflow_run_id":"r","data":{"id":"r","created_at":1}}\n\n' +
						`data: {"event":"workflow_finished","task_id":"t","workflow_run_id":"r","data":{"id":"r","status":"succeeded","outputs":${outputs},"elapsed_time":1}}\n\n`,
				);
			});
		});
		await listenOnLoopback(liar);
		const cases = ['one', 'two', 'three'].map(name => ({ name, expect: [{ output: 'text', schema: { type: 'array' } }] }));
		const suite = await fixture.readValidSuite({ model: 'a', cases, concurrency: 1 });
		const results = listResults(await fixture.runSuite(suite, fixture.createService(getServerUrl(liar))));
		await closeServers(liar);
		assert.deepEqual(
			results.map(({ outcome }) => outcome),
			['not-run', 'passed', 'not-run'],
		);
		assert.match(results[0]?.fault ?? '', /nested too deeply/);
		const chat = await fixture.readValidSuite({
			chat: { endpoint: 'messages', model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'go' }] },
			cases: [{ name: 'one', expect: [{ output: 'text', contains: '[[' }] }],
		});
		service.reply = () => ({
			id: 'm',
			type: 'message',
			role: 'assistant',
			model: 'm',
			content: [{ type: 'text', text: createNestedArray(50_000) }],
			usage: {},
		});
		const [reply] = listResults(await fixture.runSuite(chat, fixture.createService(service.url)));
		assert.equal(reply?.outcome, 'passed', JSON.stringify(reply)?.slice(0, 2_000));
	});

	it('end the batch with an error if the disk is full, and no run continues', async function () {
		if (!fs.existsSync('/dev/full')) {
			this.skip();
		}
		const suite = await fixture.readValidSuite({ model: 'a', cases: [{ name: 'one' }, { name: 'two' }] });
		await assert.rejects(
			fixture.runSuite(suite, fixture.createService(service.url), { resultFile: '/dev/full' }),
			(error: unknown) =>
				error instanceof SuiteRunError && error.reason === 'file' && error.message === "Couldn't write '/dev/full': the disk is full.",
		);
		assert.equal(service.going, 0);
	});
});
