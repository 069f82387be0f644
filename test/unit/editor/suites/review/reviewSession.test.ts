import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ReviewSession } from '#editor/suites/review/reviewSession.ts';
import { JudgeLabels } from '#suites/judges/judgeLabels.ts';
import { createFailedCheck, createResult } from '../../../cli/reports/results.ts';

describe('a review of judged outputs', () => {
	let folder: string;
	let file: string;
	const getSuite = () => ({
		file: path.join(folder, 'one.suite.json'),
		root: folder,
		judges: { helpful: { rubric: 'It helps.', atLeast: 0.5 } },
	});
	beforeEach(() => {
		folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'aw-review-')));
		file = path.join(folder, 'results.jsonl');
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	/** Writes results that a judge let pass with an even number. */
	function writeResults(count: number): void {
		const lines = Array.from({ length: count }, (_, ordinal) => {
			const passed = ordinal % 2 === 0;
			const judge = { name: 'helpful', model: 'haiku', key: 'k' };
			const check = createFailedCheck({
				kind: 'judge',
				passed,
				score: passed ? 0.9 : 0.1,
				actual: `said ${ordinal}`,
				judge,
				message: 'because',
			});
			return { result: createResult({ ordinal, name: `case ${ordinal}`, inputs: { n: ordinal }, checks: [check] }) };
		});
		const head = { version: 1, suite: 's', fingerprint: 'f', connection: 'c', startedAt: 0 };
		fs.writeFileSync(file, [{ head }, ...lines].map(line => `${JSON.stringify(line)}\n`).join(''));
	}
	const open = (by = 'ana') => ReviewSession.openSession(getSuite(), file, by);

	it("hides the judge's decision until the output has a label, also a skipped one", async () => {
		writeResults(2);
		const session = await open();
		const { shown, judges, count } = session.createState();
		assert.equal(count, 2);
		assert.deepEqual([shown?.grade, shown?.label, judges], [undefined, undefined, []]);
		assert.ok(!JSON.stringify(session.createState()).includes('because'));
		assert.deepEqual([shown?.rubric, shown?.inputs], ['It helps.', JSON.stringify({ n: session.result?.ordinal }, undefined, 2)]);
		await session.label('skip', '');
		const skipped = session.createState();
		assert.deepEqual([skipped.shown?.label, skipped.shown?.grade?.reason, skipped.labeled], ['skip', 'because', 1]);
		await session.move(1);
		assert.equal(session.createState().shown?.grade, undefined);
	});

	it('shows the agreement with the first label, and keeps notes', async () => {
		writeResults(10);
		const session = await open();
		const even = () => session.result!.ordinal % 2 === 0;
		for (let at = 0; at < 10; at++) {
			await session.label(even() ? 'pass' : 'fail', at === 3 ? 'rude' : '');
			const [summary] = session.createState().judges;
			assert.equal(summary!.labeled, at + 1);
			await session.move(1);
		}
		const { heldOut, tuning } = session.createState().judges[0]!;
		assert.equal(heldOut.cases + tuning.cases, 10);
		assert.equal(heldOut.accuracy, 1);
		assert.equal(heldOut.counts.onlyFirst + heldOut.counts.onlySecond, 0);
		const lines = fs.readFileSync(path.join(folder, 'one.suite.labels.jsonl'), 'utf8').trimEnd().split('\n');
		assert.deepEqual(lines.map(line => JSON.parse(line).note).filter(Boolean), ['rude']);
	});

	it('writes a label once, and again if the label or its note changes', async () => {
		writeResults(1);
		const session = await open();
		await session.label('pass', '');
		await session.label('pass', '');
		await session.label('fail', '');
		await session.label('fail', 'too long');
		const lines = fs.readFileSync(path.join(folder, 'one.suite.labels.jsonl'), 'utf8').trimEnd().split('\n');
		assert.deepEqual(
			lines.map(line => [JSON.parse(line).label, JSON.parse(line).note]),
			[
				['pass', undefined],
				['fail', undefined],
				['fail', 'too long'],
			],
		);
		assert.deepEqual([session.ownLabel?.label, session.ownLabel?.note], ['fail', 'too long']);
	});

	it('loses no label of two windows that write at the same time', async () => {
		writeResults(40);
		const [one, other] = [await open('ana'), await open('ben')];
		const labelAll = async (session: ReviewSession) => {
			for (let at = 0; at < 40; at++) {
				await session.label('pass', '');
				await session.move(1);
			}
		};
		await Promise.all([labelAll(one), labelAll(other)]);
		const lines = fs.readFileSync(path.join(folder, 'one.suite.labels.jsonl'), 'utf8').trimEnd().split('\n');
		assert.equal(lines.length, 80);
		assert.deepEqual((await JudgeLabels.readLabels(getSuite())).judges, ['helpful']);
		const state = (await open('ana')).createState();
		assert.equal(state.labeled, 40);
		assert.equal(state.judges[0]?.people?.cases, 40);
	});
});
