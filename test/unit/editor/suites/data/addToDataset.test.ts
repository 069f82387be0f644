import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { AddToDataset } from '#editor/suites/data/addToDataset.ts';
import type { PastRun } from '#editor/suites/editing/runCase.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';
import { SuiteFixture } from '../../../suites/results/suiteFixture.ts';

describe('adding a run to a dataset', () => {
	let fixture: SuiteFixture;
	const { textDocuments } = vscode.workspace;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => {
		Object.assign(vscode.workspace, { textDocuments });
		return fixture.close();
	});

	const run: PastRun = {
		agent: 'greet',
		inputs: { who: 'ana@example.com' },
		status: 'succeeded',
		outputs: { text: 'Hello ana@example.com' },
	};

	/** Adds runs to a dataset of a suite, one after another, and returns what was shown. */
	async function addRuns(file: string, content: string, runs: readonly PastRun[]) {
		const dataset = fixture.writeFile(file, '');
		fs.writeFileSync(dataset, content);
		const uri = vscode.Uri.file(fixture.writeFile('one.suite.json', {}));
		const addition = new AddToDataset({
			findSuites: async () => [uri],
			readSuiteForDisplay: async () => fixture.readSuite({ model: 'greet', dataset: { file: `./${file}`, name: '{{$name}}' } }),
		});
		const picks = runs.map(() => 'one');
		const shown = await answerDialogs({ picks }, async () => {
			for (const each of runs) {
				await addition.addRun(each);
			}
		});
		return { shown, text: fs.readFileSync(dataset, 'utf8') };
	}

	it('adds its inputs and expected outputs with personal data masked', async () => {
		const { shown, text } = await addRuns('rows.csv', '$name,who,expect:text\n', [run]);
		assert.equal(text, '$name,who,expect:text\n<EMAIL_1>,<EMAIL_1>,Hello <EMAIL_1>\n');
		assert.match(shown.infos[0]!, /^Added the run to '.*rows\.csv'\. Masked personal data: 1\. Check the result/);
	});

	it('adds to a JSONL dataset only the columns that it has, besides inputs', async () => {
		const { text } = await addRuns('rows.jsonl', '{"$name":"a","who":"Ben"}\n', [{ ...run, inputs: { who: 'Ana' } }]);
		assert.equal(text, '{"$name":"a","who":"Ben"}\n{"$name":"Ana","who":"Ana"}\n');
	});

	it('refuses a row with the same inputs, and names its line', async () => {
		await assert.rejects(addRuns('rows.csv', '$name,who\nx,Ben\n', [run, run]), {
			reason: 'duplicate',
			message: /already has a row .* line 3\.$/,
		});
		assert.equal(fs.readFileSync(`${fixture.folder}/rows.csv`, 'utf8'), '$name,who\nx,Ben\n<EMAIL_1>,<EMAIL_1>\n');
	});

	it('refuses inputs that a row would lose or send differently', async () => {
		const add = (parts: Partial<PastRun>) => addRuns('rows.csv', '$name,who\n', [{ ...run, ...parts }]);
		await assert.rejects(add({ inputs: { who: 'x', other: 'y' } }), { reason: 'no-column', message: /no column for the input 'other'/ });
		await assert.rejects(add({ inputs: { who: { transfer_method: 'local_file', upload_file_id: '1' } } }), { reason: 'file-input' });
		// biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of run files
		const secret = '${input:key:password}';
		await assert.rejects(add({ inputs: { who: secret }, secretPlaces: new Set([secret]) }), { reason: 'secret' });
		assert.equal(fs.readFileSync(`${fixture.folder}/rows.csv`, 'utf8'), '$name,who\n');
	});

	it('leaves a dataset with unsaved changes alone', async () => {
		const uri = vscode.Uri.file(`${fixture.folder}/rows.csv`);
		Object.assign(vscode.workspace, { textDocuments: [{ uri, isDirty: true }] });
		await assert.rejects(addRuns('rows.csv', '$name,who\n', [run]), { reason: 'unsaved' });
	});

	it('offers to create a dataset if no suite of the agent has one', async () => {
		const addition = new AddToDataset({ findSuites: async () => [], readSuiteForDisplay: async () => ({ suite: undefined, faults: [] }) });
		await assert.rejects(addition.addRun(run), {
			reason: 'no-dataset',
			remedy: { title: 'Create dataset…', command: 'agentWorkbench.dataset.create' },
		});
	});
});
