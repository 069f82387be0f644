import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { VariantActions } from '#editor/suites/results/variantActions.ts';
import { createAgent, SuiteFixture } from '../../../suites/results/suiteFixture.ts';

const agentText = `kind: app # kept
app: { name: ask, mode: workflow }
workflow:
  graph:
    nodes:
      - id: ask
        data: { type: llm, title: Ask, model: { provider: any, name: haiku, mode: chat }, prompt_template: [{ role: system, text: long }] }
    edges: []
`;

describe('the variants of a suite in the editor', () => {
	let fixture: SuiteFixture;
	const { showInformationMessage, showTextDocument, setStatusBarMessage } = vscode.window;
	const { applyEdit } = vscode.workspace;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => {
		Object.assign(vscode.window, { showInformationMessage, showTextDocument, setStatusBarMessage });
		Object.assign(vscode.workspace, { applyEdit });
		return fixture.close();
	});

	/** Creates the actions of a suite with two variants, and records what they do. */
	async function createActions(files: readonly string[] = []) {
		const file = fixture.writeFile('agents/ask.yml', agentText);
		const agents = [{ ...createAgent('ask'), file }];
		const suite = await fixture.readValidSuite(
			{
				model: 'ask',
				repeat: 3,
				cases: [{ name: 'a' }, { name: 'b' }],
				matrix: { models: { now: {}, large: { '*': 'sonnet' } } },
			},
			{ agents },
		);
		const started: unknown[] = [];
		const actions = new VariantActions({
			files: { readSuite: async () => ({ suite, faults: [] }) },
			batches: { start: async (_suite, options) => started.push(options) as never },
			store: { listFiles: async () => [...files] },
			services: {
				openService: async () => ({ agents, variants: { name: 'local', agents, isBuiltIn: true, readPublished: assert.fail } }) as never,
			},
		});
		return { actions, started, uri: vscode.Uri.file(suite.file), fingerprint: suite.fingerprint };
	}
	const answer = (button: string | undefined) => {
		const asked: string[] = [];
		Object.assign(vscode.window, {
			showInformationMessage: async (message: string, { detail }: vscode.MessageOptions) => {
				asked.push(message, detail ?? '');
				return button;
			},
		});
		return asked;
	};

	it('start only after the user has seen the number of runs and the estimated cost', async () => {
		const run = { status: 'succeeded', seconds: 1, tokens: 100, cost: 0.01, currency: 'USD', steps: 1 };
		const results = fixture.writeFile(
			'results.jsonl',
			[{ head: { suite: 'one.suite.json' } }, { result: { ordinal: 0, run } }].map(line => `${JSON.stringify(line)}\n`).join(''),
		);
		const { actions, started, uri } = await createActions([results]);
		const asked = answer(undefined);
		assert.equal(await actions.compareVariants(uri), false);
		assert.deepEqual(asked, [
			"Compare the variants of 'one'?",
			'Variants: now, large\nRuns, at most: 12\nEstimated from earlier runs: 1,200 tokens · 0.12 USD',
		]);
		assert.deepEqual(started, []);
		answer('Start');
		let before: number | undefined;
		const openPage = () => {
			before = started.length;
		};
		assert.equal(await actions.compareVariants(uri, openPage), true);
		assert.deepEqual(started, [{ matrix: true }]);
		assert.equal(before, 0, 'the page opens before the batch, so that it follows it');
	});

	it('say that the cost is unknown without earlier results', async () => {
		const { actions, uri } = await createActions();
		const asked = answer(undefined);
		await actions.compareVariants(uri);
		assert.match(asked[1] ?? '', /The cost isn't known/);
	});

	it('are written into the agent file as one edit of the changed fields', async () => {
		const { actions, uri, fingerprint } = await createActions();
		const edits: { readonly range: vscode.Range; readonly text: string }[][] = [];
		Object.assign(vscode.workspace, {
			applyEdit: async (edit: { replaced: { range: vscode.Range; text: string }[] }) => edits.push(edit.replaced),
		});
		Object.assign(vscode.window, { showTextDocument: async () => undefined, setStatusBarMessage: () => ({ dispose() {} }) });
		await actions.applyToAgent(uri, 'large', fingerprint);
		assert.deepEqual(
			edits.map(list => list.map(({ range, text }) => [range.start.line, text])),
			[[[6, 'sonnet']]],
		);
		assert.equal(fs.readFileSync(`${fixture.folder}/agents/ask.yml`, 'utf8'), agentText, 'the file is saved by the user');
		await assert.rejects(actions.applyToAgent(uri, 'gone', fingerprint), /no variant 'gone'/);
	});

	it("aren't written into an agent file that the user changes meanwhile", async () => {
		const { actions, uri, fingerprint } = await createActions();
		const applied: unknown[] = [];
		const { openTextDocument } = vscode.workspace;
		let version = 1;
		Object.assign(vscode.workspace, {
			applyEdit: async (edit: unknown) => applied.push(edit),
			openTextDocument: async (file: vscode.Uri) => {
				const document = await openTextDocument(file);
				return new Proxy(document, {
					get: (target, name) => (name === 'version' ? version++ : (Reflect.get(target, name) as unknown)),
				});
			},
		});
		try {
			await assert.rejects(actions.applyToAgent(uri, 'large', fingerprint), { reason: 'changed' });
			assert.deepEqual(applied, []);
		} finally {
			Object.assign(vscode.workspace, { openTextDocument });
		}
	});

	it('are applied only after a question if the suite has changed since the results', async () => {
		const { actions, uri } = await createActions();
		const applied: unknown[] = [];
		const { showWarningMessage } = vscode.window;
		let answer: string | undefined;
		const asked: string[] = [];
		Object.assign(vscode.workspace, { applyEdit: async (edit: unknown) => applied.push(edit) });
		Object.assign(vscode.window, {
			showWarningMessage: async (message: string) => {
				asked.push(message);
				return answer;
			},
			showTextDocument: async () => undefined,
			setStatusBarMessage: () => ({ dispose() {} }),
		});
		try {
			await actions.applyToAgent(uri, 'large', 'of an earlier suite');
			assert.deepEqual([asked, applied.length], [["The suite has changed since these results. Apply 'large' as it is now?"], 0]);
			answer = 'Apply';
			await actions.applyToAgent(uri, 'large', undefined);
			assert.equal(applied.length, 1);
		} finally {
			Object.assign(vscode.window, { showWarningMessage });
		}
	});
});
