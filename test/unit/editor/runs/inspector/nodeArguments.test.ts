import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { WorkflowEvent } from '#contract/events.ts';
import { NodeRuns, type NodeRunsParts } from '#editor/agents/nodeRuns/nodeRuns.ts';
import { executeNodeAction } from '#editor/runs/inspector/inspectorActions.ts';
import { Timeline } from '#runs/events/timeline.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';
import {
	createAgentText,
	createEndNode,
	createStartNode,
	createTemplateNode,
	createTestAgent,
	runTestAgent,
} from '../../../engine/run/engineFixture.ts';

const parts: Parameters<typeof createAgentText> = [
	[
		createStartNode('t'),
		createTemplateNode('list', 'x'),
		{
			id: 'each',
			data: {
				type: 'iteration',
				title: 'Each',
				start_node_id: 'begin',
				iterator_selector: ['list', 'result'],
				output_selector: ['one', 'output'],
			},
		},
		{ id: 'begin', parentId: 'each', data: { type: 'iteration-start' } },
		{ ...createTemplateNode('one', 'one {{ x }}', { x: 'each.item' }), parentId: 'each' },
		createEndNode({ out: 'each.output' }),
	],
	['start > list', 'list > each', 'begin > one', 'each > end'],
];

describe('commands on a node from the inspector and the graph', () => {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'node-arguments-'));
	const file = vscode.Uri.file(path.join(folder, 'sort.yml'));
	const record = {
		key: 'k',
		connectionId: 'built-in',
		runId: 'r',
		user: 'ana',
		agent: 'sort',
		status: 'succeeded',
		startedAt: 1,
	} as RunRecord;
	const execute = vscode.commands.executeCommand;
	const given: { id: string; argument: unknown }[] = [];
	let timeline: Timeline;
	/** Requests of the started runs. */
	let requests: Record<string, unknown>[];
	let origins: { repeats?: string; secrets?: ReadonlyMap<string, string>; draft: { agentFile: string } }[];
	let inspected: string[];

	before(async () => {
		fs.writeFileSync(file.fsPath, createAgentText(...parts));
		timeline = new Timeline();
		const { events } = await runTestAgent(createTestAgent(...parts), {
			inputs: { t: 'tea' },
			mocks: { list: { outputs: { result: ['x', 'y'] } } },
		});
		for (const [at, event] of events.entries()) {
			timeline.addEntry({ at, event: event as WorkflowEvent });
		}
		Object.assign(vscode.commands, {
			executeCommand: async (id: string, argument: unknown) => {
				given.push({ id, argument });
			},
		});
	});
	after(() => {
		Object.assign(vscode.commands, { executeCommand: execute });
		fs.rmSync(folder, { recursive: true });
	});
	beforeEach(() => {
		[given.length, requests, origins, inspected] = [0, [], [], []];
	});

	function createNodeRuns(mode = 'workflow', found: RunRecord = record): NodeRuns {
		return new NodeRuns({
			runs: { list: () => [record] },
			find: async (key: string) => (key === 'k' ? found : undefined),
			async *readEntries() {
				yield { at: 1, event: { event: 'iteration_completed', data: { node_id: 'each', outputs: { output: ['x'] } } } };
			},
			countKeptReplies: async () => {
				throw new Error('not reachable');
			},
			readStart: async ({ key }: RunRecord) => ({
				secrets: new Map([[`secret of ${key}`, '<place>']]),
				request: { trigger: 'start', mocks: { end: { outputs: {} }, removed: { outputs: {} } } },
			}),
			presenter: {
				run: async (_: unknown, request: Record<string, unknown>, origin: (typeof origins)[number], started: (key: string) => void) => {
					requests.push(request);
					origins.push(origin);
					started('new');
				},
			},
			getGateway: () => ({ id: 'built-in', user: 'me' }),
			describe: async () => ({ name: 'sort', mode }),
			findAgentFile: async () => file,
			inspect: (key: string) => inspected.push(key),
		} as unknown as NodeRunsParts);
	}

	for (const [node, round, rounds] of [
		['one', 2, [1]],
		['each', undefined, []],
		['start', undefined, []],
		['end', undefined, []],
	] as const) {
		it(`use the shown run and iteration for the row '${node}'`, async () => {
			const row = timeline.rows.find(each => each.nodeId === node && each.round === round);
			assert.ok(row);
			for (const action of ['run', 'forkFrom', 'pin', 'unpin'] as const) {
				await executeNodeAction('k', action, timeline, row.id);
			}
			assert.deepEqual(
				given.map(({ id }) => id),
				['run', 'forkFrom', 'pin', 'unpin'].map(action => `agentWorkbench.node.${action}`),
			);
			for (const { argument } of given) {
				assert.deepEqual(argument, { key: 'k', node, rounds });
			}
			for (const mode of ['workflow', 'advanced-chat']) {
				await createNodeRuns(mode).runNode(given[0]?.argument);
				await answerDialogs({ picks: ['Run fork'] }, () => createNodeRuns(mode).forkFromNode(given[1]?.argument));
			}
			const part = { node, run: 'r', ...(rounds.length > 0 && { rounds }) };
			const [only, from] = [
				{ ...part, how: 'only' },
				{ ...part, how: 'from' },
			];
			assert.deepEqual(
				requests.map(request => request['part']),
				[only, from, only, from],
			);
			const starts = requests.map(({ trigger, mocks }) => [trigger, mocks]);
			const started = ['start', { end: { outputs: {} } }];
			assert.deepEqual(starts, [[undefined, undefined], started, [undefined, undefined], started], 'a fork starts as its parent');
			assert.ok(requests.every(({ user, model }) => user === 'ana' && model === 'sort'));
			assert.ok(origins.every(({ repeats, draft }) => repeats === 'k' && draft.agentFile === file.toString()));
			// the recorded values contain them
			assert.ok(origins.every(({ secrets }) => secrets?.has('secret of k')));
			assert.deepEqual(inspected, ['new', 'new', 'new', 'new']);
		});
	}

	it('use the run that the graph shows, and ask for the iteration', async () => {
		const asked: string[] = [];
		Object.assign(vscode.window, {
			showInputBox: async ({ prompt }: { prompt: string }) => {
				asked.push(prompt);
				return '2';
			},
		});
		await createNodeRuns().runNode({ uri: file, node: 'one', key: 'k' });
		Reflect.deleteProperty(vscode.window, 'showInputBox');
		assert.deepEqual(
			[asked, requests[0]?.['part']],
			[["Iteration of 'Each' to use, starting at 1"], { node: 'one', how: 'only', run: 'r', rounds: [1] }],
		);
	});

	it("use the values of a run in Dify, and don't offer to fork it", async () => {
		const there = { ...record, connectionId: 'dify', deploymentDraft: { app: 'a', mode: 'workflow' } };
		await createNodeRuns('workflow', there).runNode({ uri: file, node: 'end', key: 'k' });
		assert.deepEqual(requests[0]?.['part'], { node: 'end', how: 'only', variables: { each: { output: ['x'] } } });
		await assert.rejects(
			createNodeRuns('workflow', there).forkFromNode({ uri: file, node: 'end', key: 'k' }),
			/Runs in Dify can't be forked/,
		);
	});

	it('show an error and run nothing if the node no longer exists', async () => {
		await assert.rejects(createNodeRuns().runNode({ uri: file, node: '__proto__', key: 'k' }), /node '__proto__' no longer exists/);
		await assert.rejects(
			createNodeRuns().runNode({ uri: file, node: 'one', key: 'other' }),
			/only be run or pinned from runs that were started in this editor/,
		);
		await assert.rejects(createNodeRuns().forkFromNode({ uri: vscode.Uri.file(path.join(folder, 'gone.yml')), node: 'one', key: 'k' }));
		assert.deepEqual(requests, []);
	});
});
