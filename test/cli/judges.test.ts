import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { hashContent } from '#base/files/contentHash.ts';
import { createTemporaryFolder } from '../contract/gateway/gatewayProcess.ts';
import { RunningService } from '../support/services/runningService.ts';
import { killRunningClis, startCli } from './cliProcess.ts';

interface ResultLine {
	readonly result?: {
		readonly name: string;
		readonly outcome: string;
		readonly inputs: object;
		readonly checks: readonly { readonly kind: string; readonly actual: unknown }[];
	};
	readonly change?: string;
	readonly judges?: readonly { readonly labeled: number; readonly heldOut: { readonly cases: number } }[];
}

describe('agent-workbench test with judges', () => {
	let folder: string;
	let service: RunningService;
	beforeEach(async () => {
		folder = fs.realpathSync(createTemporaryFolder());
		service = new RunningService();
		await service.start();
		service.answer = ({ inputs }) => ({ outputs: { text: `reply ${inputs['n']}` } });
		// grades even numbers well with the first rubric, and everything badly with others
		service.reply = body => {
			const content = JSON.stringify(body['messages']);
			const isEven = /reply \d*[02468]\\/.test(content);
			const input = { score: content.includes('first rubric') && isEven ? 1 : 0, reason: '' };
			return { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'tool_use', id: 't', name: 'grade', input }] };
		};
	});
	afterEach(async () => {
		await killRunningClis();
		await service.stop();
	});

	const start = (...args: string[]) =>
		startCli(['test', '--base-url', service.url, ...args], {
			cwd: folder,
			env: { ...process.env, AGENT_WORKBENCH_KEY: 'key', GITHUB_STEP_SUMMARY: '', NO_COLOR: '1' },
		});

	function writeSuite(rubric: string): void {
		const suite = {
			model: 'a',
			judges: { helpful: { rubric, model: 'm', min_kappa: 0.5 } },
			gate: {},
			defaults: { expect: [{ output: 'text', judge: 'helpful' }] },
			cases: Array.from({ length: 30 }, (_, n) => ({ name: `case ${n}`, inputs: { n } })),
		};
		fs.writeFileSync(path.join(folder, 'a.suite.json'), JSON.stringify(suite));
	}

	const readLines = (text: string) =>
		text
			.trim()
			.split('\n')
			.map(line => JSON.parse(line) as ResultLine);

	it('shows their agreement with labels, judges kept outputs again, and fails for a judge that agrees too little', async () => {
		writeSuite('first rubric');
		const first = await start('--json').ended;
		// without labels, the judge has no kappa
		assert.equal(first.code, 1, first.stdout + first.stderr);
		assert.match(first.stderr, /The judge 'helpful' has no kappa, because the held-out half has too few labels/);
		fs.writeFileSync(path.join(folder, 'before.jsonl'), first.stdout);
		const results = readLines(first.stdout).flatMap(({ result }) => (result ? [result] : []));
		assert.equal(results.length, 30);
		const labels = results.map(({ name, inputs, checks }) => {
			const { actual } = checks.find(({ kind }) => kind === 'judge')!;
			const label = /[02468]$/.test(String(actual)) ? 'pass' : 'fail';
			return { case: name, output: hashContent([name, inputs, actual]), check: 'helpful', label, by: 'ana', at: '2026-11-27T10:00:00Z' };
		});
		fs.writeFileSync(path.join(folder, 'a.suite.labels.jsonl'), labels.map(label => `${JSON.stringify(label)}\n`).join(''));

		const runs = service.begun.length;
		const again = await start('--judge-again', 'before.jsonl', '--markdown', 'm.md').ended;
		assert.equal(again.code, 0, again.stdout + again.stderr);
		assert.match(again.stdout, /^ {2}helpful +held-out +\d+ +100\.0 % +1\.00 \(0\.\d\d to 1\.00\) +\d+ +0 +0 +\d+ +100\.0 % +100\.0 %$/m);
		assert.match(again.stdout, /^ {2}helpful: 30 of 30 outputs labeled\. Judged by m \(key [0-9a-f]{8}\)$/m);
		assert.match(fs.readFileSync(path.join(folder, 'm.md'), 'utf8'), /^\| helpful \| held&#45;out \| \d+ \| 100&?/m);

		writeSuite('second rubric');
		const worse = await start('--judge-again', 'before.jsonl', '--baseline', 'before.jsonl', '--json').ended;
		assert.equal(worse.code, 1, worse.stdout + worse.stderr);
		assert.match(worse.stderr, /The judge 'helpful' agrees with people at a kappa of 0\.00\. Expected at least 0\.5\./);
		const lines = readLines(worse.stdout);
		assert.deepEqual([...new Set(lines.flatMap(({ change }) => change ?? []))], ['judge']);
		assert.equal(lines.find(({ judges }) => judges)?.judges?.[0]?.labeled, 30);
		// nothing ran again
		assert.equal(service.begun.length, runs);

		const refused = await start('--judge-again', 'before.jsonl', '--repeat', '2').ended;
		assert.equal(refused.code, 2);
		assert.match(refused.stderr, /--repeat: can't be used with --judge-again/);
	});
});
