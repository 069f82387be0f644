import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { applyEdits } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { AgentSummary } from '#contract/agents.ts';
import { CreateDataset } from '#editor/suites/data/createDataset.ts';
import { createDatasetEdits } from '#editor/suites/data/suiteDataset.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { type Answers, answerDialogs } from '../../../../support/editor/answers.ts';
import { recordCommands } from '../../../../support/editor/recordedCommands.ts';
import type { WorkspaceEdit } from '../../../../support/vscode/values.ts';
import { createAgent, SuiteFixture } from '../../../suites/results/suiteFixture.ts';

type Parts = ConstructorParameters<typeof CreateDataset>[0];

const connection = { id: 'built-in', name: 'Local', kind: 'built-in', user: 'me' } as const;
const agent: AgentSummary = createAgent('greet', [{ variable: 'who', required: true }]);

describe('creating a dataset in the editor', () => {
	let fixture: SuiteFixture;
	const { activeTextEditor, visibleTextEditors, showTextDocument } = vscode.window;
	const { applyEdit } = vscode.workspace;
	let shownTexts: string[];
	beforeEach(() => {
		fixture = new SuiteFixture();
		shownTexts = [];
		Object.assign(vscode.window, {
			showTextDocument: async (shown: vscode.TextDocument | vscode.Uri) => void ('getText' in shown && shownTexts.push(shown.getText())),
		});
	});
	afterEach(() => {
		Object.assign(vscode.window, { activeTextEditor, visibleTextEditors, showTextDocument });
		Object.assign(vscode.workspace, { applyEdit });
		return fixture.close();
	});

	/** Creates a dataset for the agent of a tree node, or of the open suite. Returns what was shown, the commands and the rows written. */
	async function create(
		answers: Answers,
		client: object,
		{ local = [], argument = { connectionId: 'built-in', summary: agent } as unknown } = {},
	) {
		const target = vscode.Uri.file(path.join(fixture.folder, 'rows.jsonl'));
		const records = (local as readonly { readonly id: string; readonly who: string; readonly nodes: readonly string[] }[]).map(each => ({
			each,
			record: { key: each.id, runId: each.id } as RunRecord,
		}));
		const parts = {
			connections: {
				get: () => connection,
				getDefault: () => connection,
				getClient: async () => client,
				listAgents: async () => [agent],
				listMessagesModels: async () => ['haiku'],
				toProblem: (_id: string, error: unknown) => error,
			},
			files: {
				readSuiteForDisplay: async (uri: vscode.Uri) => fixture.readSuite(fs.readFileSync(uri.fsPath, 'utf8'), { agents: [agent] }),
			},
			runFiles: { getConnection: () => connection, loadAgents: async () => [agent] },
			reader: {
				listFinishedRuns: () => records.map(({ record }) => record),
				findPastRun: async (record: RunRecord) => ({
					agent: 'greet',
					inputs: { who: records.find(each => each.record === record)!.each.who },
					status: 'succeeded',
					outputs: { text: 'hi' },
				}),
				async *readEntries(key: string): AsyncGenerator<JournalEntry> {
					for (const id of records.find(({ record }) => record.key === key)!.each.nodes) {
						const data = { id, node_id: id, node_type: 'code', title: id, index: 1, inputs: {}, outputs: {}, status: 'succeeded' };
						yield { at: 1, event: { event: 'node_started', data } } as unknown as JournalEntry;
						yield { at: 1, event: { event: 'node_finished', data } } as unknown as JournalEntry;
					}
				},
			},
		} as unknown as Parts;
		let shown: Awaited<ReturnType<typeof answerDialogs>> | undefined;
		const commands = await recordCommands(async () => {
			shown = await answerDialogs({ files: [target], ...answers }, () => new CreateDataset(parts).createDataset(argument));
		});
		return {
			shown: shown!,
			commands,
			rows: fs.existsSync(target.fsPath)
				? fs
						.readFileSync(target.fsPath, 'utf8')
						.trim()
						.split('\n')
						.map(line => JSON.parse(line))
				: undefined,
		};
	}
	const createLog = (runs: Readonly<Record<string, string>>) => ({
		async *iterateLogs() {
			for (const id of Object.keys(runs)) {
				yield { workflow_run: { id, status: 'succeeded' } };
			}
		},
		getRun: async (id: string) => ({ status: 'succeeded', inputs: { who: runs[id] }, outputs: { text: 'hi' } }),
		async *followRun() {},
	});

	it('shows the rows of runs first, and writes them when they are saved: masked, without near-duplicates', async () => {
		const answers = { picks: ['From past runs', 'Inputs and outputs'], texts: ['10'], buttons: ['Save…'] };
		const log = createLog({ one: 'ana@example.com', two: 'ana@example.com', three: 'Ben' });
		const { shown, rows, commands } = await create(answers, log);
		assert.deepEqual(rows?.map(row => [row.who, row['expect:text']]).sort(), [
			['<EMAIL_1>', 'hi'],
			['Ben', 'hi'],
		]);
		assert.equal(shownTexts[0], rows!.map(row => `${JSON.stringify(row)}\n`).join(''));
		assert.deepEqual(commands, [['workbench.action.revertAndCloseActiveEditor']]);
		assert.equal(
			shown.infos[0],
			"Created 2 rows for 'greet'. They aren't saved yet. Skipped runs with nearly the same inputs: 1. Masked personal data: 1. Check the result, because not all of it is recognized.",
		);
	});

	it('leaves the rows in their editor if they are not saved', async () => {
		const { rows } = await create({ picks: ['From the start variables'], texts: ['3'], buttons: [undefined] }, {});
		assert.equal(rows, undefined);
		assert.equal(shownTexts[0]!.trim().split('\n').length, 3);
	});

	it('reads each run once that is in the history of this editor and in the log, and runs of drafts', async () => {
		const answers = { picks: ['From past runs', 'Only inputs'], texts: ['10'], buttons: ['Save…'] };
		const local = [
			{ id: 'one', who: 'Ana', nodes: ['a'] },
			{ id: 'draft', who: 'Cyd', nodes: ['a', 'b'] },
		];
		const { rows } = await create(answers, createLog({ one: 'Another Ana', three: 'Ben' }), { local } as never);
		assert.deepEqual(rows?.map(row => row.who).sort(), ['Ana', 'Ben', 'Cyd']);
		assert.equal(
			rows?.some(row => 'expect:text' in row),
			false,
		);
	});

	it('asks a model only after the user has seen what it will cost', async () => {
		let requests = 0;
		const client = {
			createMessage: async () => {
				requests++;
				return {
					content: [{ type: 'tool_use', name: 'rows', input: { rows: [{ who: 'Ana' }, { other: 1 }] } }],
					usage: { input_tokens: 5, output_tokens: 7 },
				};
			},
		};
		const picks = ['With a model', 'haiku'];
		const refused = await create({ picks, texts: ['1', 'short names'], buttons: [undefined] }, client);
		assert.equal(refused.shown.infos[0], "Create 1 row with 'haiku'?");
		assert.match(refused.shown.details[0]!, /^Requests, at least: 1\nEstimated: \d+ tokens\nThe price of 'haiku' isn't known\.$/);
		assert.equal(requests, 0);
		const { rows, shown } = await create({ picks, texts: ['1', 'short names'], buttons: ['Start', 'Save…'] }, client);
		assert.deepEqual(rows, [{ $name: 'generated 1', $generated: 'haiku', who: 'Ana' }]);
		assert.equal(
			shown.infos[1],
			"Created 1 row for 'greet'. It isn't saved yet. Used 12 tokens. Skipped rows that don't fit the inputs: 1.",
		);
	});

	it('offers the dataset to the open suite, which it is made for, and sets it as an edit', async () => {
		const suite = vscode.Uri.file(fixture.writeFile('one.suite.json', { model: 'greet', cases: [{ name: 'a' }] }));
		const editor = { document: { uri: suite } };
		Object.assign(vscode.window, { activeTextEditor: editor, visibleTextEditors: [editor] });
		const edits: string[] = [];
		Object.assign(vscode.workspace, {
			applyEdit: async (edit: unknown) => {
				edits.push(...(edit as WorkspaceEdit).replaced.map(({ text }) => text));
				return true;
			},
		});
		const answers = { picks: ['From the start variables'], texts: ['2'], buttons: ['Save…', 'Use dataset'] };
		const { shown } = await create(answers, {}, { argument: undefined });
		assert.match(shown.infos[1]!, /^Saved 2 rows to '.*rows\.jsonl'\. Use this file as the dataset of 'one\.suite\.json'\?$/);
		assert.match(edits.join(''), /"dataset": \{\s+"file": "\.\/rows\.jsonl",\s+"name": "\{\{\$name\}\}"\s+\}/);
	});

	it('says why there are no rows', async () => {
		const none = create({ picks: ['From past runs', 'Only inputs'], texts: ['10'] }, createLog({}));
		await assert.rejects(none, { reason: 'no-rows' });
		const withFile = { connectionId: 'built-in', summary: createAgent('greet', [{ variable: 'scan', type: 'file', required: true }]) };
		await assert.rejects(create({ picks: ['From the start variables'] }, {}, { argument: withFile }), { reason: 'file-input' });
	});
});

describe('setting the dataset of a suite', () => {
	it('replaces the old one and keeps comments and layout', () => {
		const text = '{\n  // mine\n  "model": "greet",\n  "dataset": { "file": "./old.csv" }\n}\n';
		const changed = applyEdits(text, createDatasetEdits(text, { file: './new.jsonl' }));
		assert.match(changed, /^\{\n {2}\/\/ mine\n {2}"model": "greet",\n {2}"dataset": \{\s+"file": "\.\/new\.jsonl"\s+\}\n\}\n$/);
	});
});
