import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { WindowPresence } from '#base/files/windowPresence.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import { findFailedNodes } from '#editor/agents/lastRuns/failedNodes.ts';
import { FailureMarks } from '#editor/agents/lastRuns/failureMarks.ts';
import { LastValues } from '#editor/agents/lastRuns/lastValues.ts';
import { NodeResults } from '#editor/agents/lastRuns/nodeResults.ts';
import { listNodeTexts } from '#editor/agents/lastRuns/nodeTexts.ts';
import { ResultHints } from '#editor/agents/lastRuns/resultHints.ts';
import { RunMarker } from '#editor/agents/lastRuns/runMarker.ts';
import { RunRecords } from '#editor/runs/history/runRecords.ts';
import { EventJournals } from '#runs/history/eventJournals.ts';
import { RunRecordFiles } from '#runs/history/runRecordFiles.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { play } from '../../../../support/services/faultService.ts';

const log = vscode.window.createOutputChannel('Last runs', { log: true });
const createAgent = (second = 'x') => `app: { mode: workflow }
workflow:
  graph:
    nodes:
      - id: n1
        position: { x: 1, y: 2 }
        data: { type: code, title: First }
      - id: n2
        data:
          type: code
          title: Second
          code: ${second}
    edges: []
`;

describe('last runs of an agent file', () => {
	const { window } = vscode as unknown as {
		window: { visibleTextEditors: unknown; createTextEditorDecorationType?: unknown };
	};
	const { visibleTextEditors, createTextEditorDecorationType } = window;
	let folder: string;
	let file: vscode.Uri;
	let windows: WindowPresence;
	let records: RunRecords;
	let journals: EventJournals;
	let marker: RunMarker;
	let results: NodeResults;
	let found: (() => void) | undefined;
	const getFile = async ({ connectionId }: RunRecord) => {
		found?.();
		return connectionId === 'other' ? undefined : file;
	};

	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-last-runs-'));
		file = vscode.Uri.file(path.join(folder, 'shop.yml'));
		fs.writeFileSync(file.fsPath, createAgent());
		openWindow();
	});
	afterEach(() => {
		found = undefined;
		closeWindow();
		Object.assign(window, { visibleTextEditors, createTextEditorDecorationType });
		fs.rmSync(folder, { recursive: true });
	});

	function openWindow(): void {
		windows = new WindowPresence(folder);
		records = new RunRecords(
			new RunRecordFiles(folder, windows, error => {
				throw error;
			}),
		);
		journals = new EventJournals(path.join(folder, 'runs'), error => {
			throw error;
		});
		results = new NodeResults();
		marker = new RunMarker({
			records,
			journals,
			findAgentFile: getFile,
			results,
			readPublished: async () => createAgent(),
			readNodeTexts: async each => listNodeTexts(new AgentReading(typeof each === 'string' ? each : each.getText())),
			log,
		});
	}
	function closeWindow(): void {
		marker.dispose();
		journals.dispose();
		records.dispose();
		windows.dispose();
	}

	let count = 0;
	/** Plays a run with these events. Resolves when the marker has recorded its marks, or knows that it needs none. */
	async function playRun(status: 'succeeded' | 'failed', events: object[], more: Partial<RunRecord> = {}): Promise<RunRecord> {
		const key = `run-${++count}`;
		const facts = { connectionId: 'built-in', agent: 'shop', user: 'ana', mode: 'streaming', startedAt: count } as const;
		records.add({ key, ...facts, status: 'starting', ...more });
		for (const event of [play.started, ...events]) {
			journals.writeEntry(key, { at: 1, event: event as WorkflowEvent });
		}
		const ended = new Promise<void>(resolve => {
			let isRead = false;
			const { readEntries } = journals;
			journals.readEntries = each => {
				isRead = true;
				return readEntries.call(journals, each);
			};
			// the marker asks for the file first, and reads no events if the run changes no mark
			found = () => setImmediate(() => isRead || resolve());
			// it writes the marks after the results, in the same turn
			results.onDidChange(() => setImmediate(resolve));
		});
		records.updateRun(key, { status });
		await ended;
		return records.get(key)!;
	}
	const fails = [play.nodeStarted(2), play.nodeFinished(2, { status: 'failed', error: '429: too many requests' })];
	const passes = [play.nodeStarted(2), play.nodeFinished(2)];
	const listMarks = () => [...findFailedNodes(records.list(), file.toString())].map(([id, { node }]) => [id, node.error]);

	/** Returns the decorations in the file's editor: line, text and hover. */
	async function listShownMarks(text = createAgent()): Promise<[number, string, string][]> {
		const lines = text.split('\n');
		const document = {
			...(await vscode.workspace.openTextDocument({ content: text })),
			uri: file,
			lineAt: (line: number) => ({ range: { start: { line }, text: lines[line] } }),
		};
		const drawn = new Promise<vscode.DecorationOptions[]>(resolve => {
			const setDecorations = (_type: unknown, options: vscode.DecorationOptions[]) => resolve(options);
			window.visibleTextEditors = [{ document, setDecorations }];
			setTimeout(() => resolve([]), 100);
		});
		window.createTextEditorDecorationType = () => ({ dispose() {} });
		const marks = new FailureMarks(records, async each => listNodeTexts(new AgentReading(each.getText())), log);
		const options = await drawn;
		marks.dispose();
		return options.map(({ range, renderOptions, hoverMessage }) => [
			range.start.line,
			renderOptions?.after?.contentText ?? '',
			(hoverMessage as vscode.MarkdownString).value,
		]);
	}

	describe('of an open file', () => {
		const { textDocuments } = vscode.workspace;
		afterEach(() => Object.assign(vscode.workspace, { textDocuments }));

		async function listHints(text = createAgent()): Promise<[number, string][]> {
			const lines = text.split('\n');
			const document = {
				...(await vscode.workspace.openTextDocument({ content: text })),
				uri: file,
				lineAt: (line: number) => ({ range: { end: new vscode.Position(line, lines[line]?.length ?? 0) } }),
			};
			Object.assign(vscode.workspace, { textDocuments: [document] });
			const hints = new ResultHints(results, async each => listNodeTexts(new AgentReading(each.getText())));
			const all = new vscode.Range(0, 0, lines.length, 0);
			return (await hints.provideInlayHints(document as unknown as vscode.TextDocument, all)).map(({ position, label }) => [
				position.line,
				(label as vscode.InlayHintLabelPart[]).map(({ value }) => value).join(''),
			]);
		}

		it('shows time and value of each node after a run, until the node is edited or fails', async () => {
			await listHints();
			const outputs = { text: 'Calm \u202eseas.', usage: {} };
			await playRun('succeeded', [play.nodeStarted(1), play.nodeFinished(1), play.nodeStarted(2), play.nodeFinished(2, { outputs })]);
			const [first, second, ...others] = await listHints();
			assert.deepEqual([first?.[0], second?.[0], others], [4, 7, []]);
			assert.match(first?.[1] ?? '', /^✓ \d/);
			assert.match(second?.[1] ?? '', /^✓ .* → Calm seas\.$/);
			assert.deepEqual(
				(await listHints(createAgent('y'))).map(([line]) => line),
				[4],
			);
			await listHints();
			await playRun('failed', fails);
			assert.deepEqual(
				(await listHints()).map(([line]) => line),
				[4],
			);
			await playRun('succeeded', [play.nodeStarted(2), play.nodeFinished(2, { recorded: true })]);
			assert.deepEqual(
				(await listHints()).map(([line]) => line),
				[4],
			);
		});
	});

	it('marks the node that failed with the reason and a link to the run', async () => {
		await playRun('failed', fails, { startedAt: Date.now() - 2 * 60_000 });
		const [[line, text, hover] = [], ...others] = await listShownMarks();
		assert.deepEqual([line, text], [7, 'failed 2 min ago: 429: too many requests']);
		assert.equal(others.length, 0);
		assert.match(
			hover ?? '',
			/429: too many requests[\s\S]*\[Fork from here…\]\(command:agentWorkbench\.node\.forkFrom\?[\s\S]*\[Ask about this run\]\(command:agentWorkbench\.chat\.askAboutRun\?[\s\S]*\[Inspect run\]\(command:agentWorkbench\.run\.inspect\?/,
		);
	});

	it('marks the line of the program that failed', async () => {
		fs.writeFileSync(file.fsPath, createAgent('|\n            one()\n            two()'));
		const error = 'ReferenceError: two is not defined (line 2)';
		await playRun('failed', [play.nodeStarted(2), play.nodeFinished(2, { status: 'failed', error })], {
			draft: true,
			agentFile: file.toString(),
		});
		assert.deepEqual(
			(await listShownMarks(createAgent('|\n            one()\n            two()'))).map(([line]) => line),
			[13],
		);
	});

	it('shortens a huge error and escapes hostile content in the mark', async () => {
		const error = `$(flame) \u202e\u001b[31m\u2028}\f content: url(x) ${'```'} [go](command:evil) ${'x'.repeat(1_000_000)}`;
		await playRun('failed', [play.nodeStarted(2), play.nodeFinished(2, { status: 'failed', error })]);
		const silent = [play.nodeStarted(1), play.nodeFinished(1, { status: 'failed', error: '' })];
		const { marks } = await playRun('failed', silent, { error });
		const kept = records.list();
		assert.ok(JSON.stringify(kept.map(record => record.marks)).length < 10_000);
		assert.deepEqual(
			marks?.failed.map(({ error: reported }) => reported.length),
			[2000],
		);
		records.updateRun(kept[0]?.key ?? '', { error });
		assert.equal(records.list()[0]?.error?.length, 4096);
		for (const [, text] of await listShownMarks()) {
			assert.match(text, /^failed [^\p{Cc}\u202e\u2028}]*: \$\(flame\) \[31m$/u);
		}
	});

	it("removes the mark when the node's text is edited, but not when other text is", async () => {
		await playRun('failed', fails);
		assert.equal((await listShownMarks(createAgent('y'))).length, 0);
		assert.equal((await listShownMarks(`# by ana\n${createAgent().replace('x: 1', 'x: 100').replace('First', 'Begin')}`))[0]?.[0], 8);
	});

	it("removes the mark when a later run passes the node, but not when it doesn't reach it", async () => {
		await playRun('failed', fails);
		await playRun('succeeded', [play.nodeStarted(1), play.nodeFinished(1)]);
		assert.deepEqual(listMarks(), [['n2', '429: too many requests']]);
		await playRun('succeeded', passes);
		assert.deepEqual(listMarks(), []);
		await playRun('failed', fails);
		assert.equal(listMarks().length, 1);
	});

	it('learns nothing from a node that a mock or the outputs of an earlier run replaced', async () => {
		await playRun('failed', fails);
		for (const replaced of [{ mocked: true }, { recorded: true }]) {
			await playRun('succeeded', [play.nodeStarted(2), play.nodeFinished(2, replaced)]);
			assert.deepEqual(listMarks(), [['n2', '429: too many requests']], 'not passed');
			await playRun('failed', [play.nodeStarted(1), play.nodeFinished(1, { status: 'failed', error: 'no', ...replaced })]);
			assert.equal(listMarks().length, 1, 'not failed');
		}
		await playRun('succeeded', [play.nodeStarted(2), play.nodeFinished(2, { replayed: true })]);
		assert.deepEqual(listMarks(), []);
	});

	it('restores the marks after the window is reopened', async () => {
		await playRun('failed', fails);
		closeWindow();
		openWindow();
		assert.deepEqual(listMarks(), [['n2', '429: too many requests']]);
		assert.equal((await listShownMarks()).length, 1);
	});

	it('marks only the innermost of nodes that failed together, and no handled failures or runs of other services', async () => {
		const inRound = { iteration_id: 'n1' };
		await playRun('failed', [
			{ event: 'iteration_started', ...play.ids, data: { id: 'e1', node_id: 'n1', node_type: 'iteration', title: 'Each', created_at: 1 } },
			{ ...play.nodeStarted(2), data: { ...play.nodeStarted(2).data, ...inRound } },
			{ ...play.nodeFinished(2, { ...inRound, status: 'failed', error: 'inner' }) },
			{
				event: 'iteration_completed',
				...play.ids,
				data: { id: 'e1', node_id: 'n1', node_type: 'iteration', title: 'Each', created_at: 1, status: 'failed', error: 'outer' },
			},
		]);
		assert.deepEqual(listMarks(), [['n2', 'inner']]);
		await playRun('succeeded', passes);
		await playRun('succeeded', [play.nodeStarted(2), play.nodeFinished(2, { status: 'exception', error: 'caught' })]);
		await playRun('failed', fails, { connectionId: 'other' });
		assert.deepEqual(listMarks(), []);
	});

	it('returns the last value of a reference', async () => {
		const values = new LastValues(records, journals, getFile);
		const getLastValue = async (...selector: string[]) => (await values.findValue(file, selector))?.value;
		assert.equal(await getLastValue('n2', 'text'), undefined);
		await playRun('succeeded', [play.nodeFinished(2, { outputs: { text: 'old' } })]);
		await playRun('succeeded', [
			{ ...play.started, data: { ...play.started.data, inputs: { 'sys.query': 'why?' } } },
			play.nodeFinished(2, { outputs: { text: 'round 1' } }),
			play.nodeFinished(2, { outputs: { text: 'round 2', found: { place: { city: 'Ulm' } } } }),
		]);
		await playRun('succeeded', [play.nodeFinished(2, { outputs: { text: 'theirs' } })], { connectionId: 'other' });
		await playRun('succeeded', [play.nodeFinished(2, { outputs: { text: 'of another agent' } })], { agent: 'cart' });
		assert.equal(await getLastValue('n2', 'text'), 'round 2');
		assert.equal(await getLastValue('n2', 'found', 'place', 'city'), 'Ulm');
		assert.equal(await getLastValue('sys', 'query'), 'why?');
		for (const unknown of [['n1', 'text'], ['n2', 'found', 'toString'], ['env', 'token'], ['n2']]) {
			assert.equal(await getLastValue(...unknown), undefined, unknown.join('.'));
		}
	});
});
