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

	it('stays at the output if the next one can not be shown, so that a label belongs to what was seen', async () => {
		writeResults(3);
		const session = await open();
		const before = session.createState().shown;
		const labels = path.join(folder, 'one.suite.labels.jsonl');
		fs.mkdirSync(labels);
		await assert.rejects(session.move(1), { code: 'EISDIR' });
		fs.rmdirSync(labels);
		assert.deepEqual(session.createState().shown, before);
		await session.label('pass', '');
		const label = JSON.parse(fs.readFileSync(labels, 'utf8'));
		assert.deepEqual([label.text, label.case], [before?.output, session.result?.name]);
	});

	it('labels no output that has changed in the file', async () => {
		writeResults(3);
		const session = await open();
		fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('said', 'shouted'));
		await assert.rejects(session.move(1), /The results have changed/);
		assert.match(session.createState().shown!.output, /^said/);
		fs.rmSync(file);
		await assert.rejects(session.move(1), { code: 'ENOENT' });
		assert.match(session.createState().shown!.output, /^said/);
	});

	it('tells the outputs of two batches apart, so that a late key of the page labels neither', async () => {
		writeResults(1);
		const [one, first] = [await open(), (await open()).shownId];
		fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('said', 'shouted'));
		assert.equal(one.shownId, first);
		assert.notEqual((await open()).shownId, first);
	});

	it('writes labels that count, even if the clock was ahead before', async () => {
		writeResults(1);
		const session = await open();
		await session.label('pass', '');
		const labels = path.join(folder, 'one.suite.labels.jsonl');
		fs.writeFileSync(labels, fs.readFileSync(labels, 'utf8').replace(/"at":"\d{4}/, '"at":"2090'));
		const later = await open();
		await later.label('fail', '');
		assert.equal(later.ownLabel?.label, 'fail');
		assert.equal((await open()).ownLabel?.label, 'fail');
	});

	it('reads hostile label files', async () => {
		writeResults(1);
		const session = await open();
		await session.label('pass', '');
		const labels = path.join(folder, 'one.suite.labels.jsonl');
		const label = JSON.parse(fs.readFileSync(labels, 'utf8'));
		const hostile = [
			null,
			[],
			'x'.repeat(1_000_000),
			{ ...label, check: '__proto__', by: '__proto__' },
			{ ...label, check: 'constructor' },
			{ ...label, label: 'fail', at: '+275760-09-13T00:00:00.000Z' },
			{ ...label, label: 'fail', at: 'yesterday' },
			{ ...label, label: 'fail', at: 1e308 },
			{ ...label, label: 'best' },
			{ ...label, label: 'fail', text: {} },
		];
		fs.appendFileSync(labels, `${hostile.map(each => JSON.stringify(each)).join('\n')}\n{"case":"cut o`);
		const later = await open();
		assert.equal(later.ownLabel?.label, 'pass');
		assert.equal(later.createState().labeled, 1);
		await later.label('fail', '');
		assert.equal((await open()).ownLabel?.label, 'fail');
	});
});
