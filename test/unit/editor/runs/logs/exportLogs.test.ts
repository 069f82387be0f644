import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { formatCsvLine } from '#base/text/csv.ts';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import { exportLogs } from '#editor/runs/logs/exportLogs.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';

const createEntry = (id: string): LogEntry => ({
	id,
	runId: id,
	agent: 'a',
	status: 'failed',
	error: 'cut …',
	elapsedSeconds: 1.5,
	tokens: 7,
	createdAt: 0,
	user: 'ana',
});
const createDetail = (text: string) =>
	({
		status: 'failed',
		error: 'whole error',
		inputs: JSON.stringify({ text, 'sys.app_id': 'x' }),
		outputs: { n: 1 },
	}) as unknown as WorkflowRunDetail;

describe('a CSV file', () => {
	it('quotes separators, and doubles quotes (RFC 4180)', () => {
		assert.equal(formatCsvLine(['a', 'b,c', 'say "hi"', 'two\nlines', 1.5, ' edge']), 'a,"b,c","say ""hi""","two\nlines",1.5," edge"\r\n');
	});

	it('contains no formulas for a spreadsheet', () => {
		for (const hostile of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '  =1', '＝1', '\n@x']) {
			const [cell] = [formatCsvLine([hostile])];
			assert.match(cell ?? '', /^"?'/, JSON.stringify(hostile));
		}
		assert.equal(formatCsvLine([-1]), '-1\r\n', 'numbers of our own are none');
	});

	describe('with runs', () => {
		let folder: string;
		beforeEach(() => {
			folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-csv-'));
		});
		afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

		it("lists the runs in order with inputs and outputs, and counts those that couldn't be read", async () => {
			const file = path.join(folder, 'runs.csv');
			const reported: number[] = [];
			const readRunDetail = async ({ id }: LogEntry) => {
				if (id === 'r1') {
					throw new Error('gone');
				}
				return createDetail(`=${id}`);
			};
			const entries = Array.from({ length: 10 }, (_, place) => createEntry(`r${place}`));
			const outcome = await exportLogs(file, entries, readRunDetail, {
				signal: new AbortController().signal,
				progress: written => reported.push(written),
			});
			assert.deepEqual([outcome, reported], [{ written: 10, withoutValues: 1 }, [8, 10]]);
			const lines = fs.readFileSync(file, 'utf8').split('\r\n');
			assert.equal(lines[0], '\uFEFFtime,status,agent,user,seconds,tokens,run,error,inputs,outputs');
			assert.equal(lines[1], '1970-01-01T00:00:00.000Z,failed,a,ana,1.5,7,r0,whole error,"{""text"":""=r0""}","{""n"":1}"');
			assert.equal(lines[2], '1970-01-01T00:00:00.000Z,failed,a,ana,1.5,7,r1,cut …,,');
			assert.equal(lines.length, 12);
		});

		it('leaves the file as it was if the export is canceled', async () => {
			const file = path.join(folder, 'runs.csv');
			fs.writeFileSync(file, 'an earlier export');
			const ending = new AbortController();
			const entries = Array.from({ length: 100 }, (_, place) => createEntry(`r${place}`));
			const exported = exportLogs(file, entries, async () => createDetail('x'), { signal: ending.signal, progress: () => ending.abort() });
			await assert.rejects(exported, { name: 'AbortError' });
			assert.deepEqual(fs.readdirSync(folder), ['runs.csv']);
			assert.equal(fs.readFileSync(file, 'utf8'), 'an earlier export');
		});
	});
});
