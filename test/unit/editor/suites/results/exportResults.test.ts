import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type ExportFormat, exportResults } from '#editor/suites/results/exportResults.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';

const place = { file: '/s.suite.json', offset: 0, length: 1, line: 1, column: 1 };
const result: CaseResult = {
	ordinal: 0,
	name: '=cmd|"x"!A1',
	place,
	outcome: 'failed',
	score: 0,
	run: { id: 'r1', status: 'succeeded', seconds: 1.5, tokens: 3, cost: 0.00125, currency: 'USD', steps: 1 },
	inputs: { text: 'a' },
	outputs: { said: '<b>|x|</b>' },
	checks: [{ kind: 'equals', name: 'said', passed: false, score: 0, weight: 1, message: '<b>is</b> | wrong', place }],
	startedAt: 0,
	seconds: 2,
};

describe('exported results', () => {
	const exportContent = async (format: ExportFormat, exported = result) => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-export-'));
		const file = path.join(folder, 'out');
		async function* iterateResults() {
			yield exported;
		}
		const written = await exportResults(file, format, iterateResults(), { signal: new AbortController().signal, progress: () => {} });
		assert.equal(written, 1);
		const text = fs.readFileSync(file, 'utf8');
		fs.rmSync(folder, { recursive: true });
		return text;
	};

	it('replace an earlier export completely or not at all', async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-export-'));
		const file = path.join(folder, 'out.jsonl');
		const ending = new AbortController();
		async function* iterateResults(failsAt: number) {
			for (let at = 0; at < failsAt; at++) {
				yield result;
			}
			throw new Error('unreadable');
		}
		const exportUntil = (failsAt: number) =>
			exportResults(file, 'jsonl', iterateResults(failsAt), { signal: ending.signal, progress: () => ending.abort() });
		fs.writeFileSync(file, 'an earlier export');
		await assert.rejects(exportUntil(100), /unreadable/);
		await assert.rejects(exportUntil(1_000), { name: 'AbortError' });
		assert.deepEqual(fs.readdirSync(folder), ['out.jsonl']);
		assert.equal(fs.readFileSync(file, 'utf8'), 'an earlier export');
		fs.rmSync(folder, { recursive: true });
	});

	it('never become spreadsheet formulas', async () => {
		const [head, line] = (await exportContent('csv')).split('\r\n');
		assert.match(head!, /^\uFEFFcase,row,variant,outcome/);
		assert.ok(line!.startsWith(`"'=cmd|""x""!A1",,,failed,0,1.5,3,`), line);
	});

	it('name the variant that ran', async () => {
		const exported = { ...result, name: 'one', variant: 'large' };
		assert.match(await exportContent('csv', exported), /\none,,large,failed/);
		assert.match(await exportContent('md', exported), /\n\| one \\\[large\\\] \|/);
	});

	it('are complete as JSONL', async () => {
		assert.deepEqual(JSON.parse(await exportContent('jsonl')), result);
	});

	it('contain no Markdown or HTML from values', async () => {
		const line = (await exportContent('md')).split('\n')[2]!;
		assert.equal(line, '| =cmd\\|"x"\\!A1 | failed | 1.5 | 3 | 0.00125 USD | \\<b\\>is\\</b\\> \\| wrong |');
	});
});
