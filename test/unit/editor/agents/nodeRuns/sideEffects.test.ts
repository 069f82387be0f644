import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findNodesFrom, readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { confirmSideEffects } from '#editor/agents/nodeRuns/sideEffects.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';
import { createAgentText, createEndNode, createStartNode, createTemplateNode } from '../../../engine/run/engineFixture.ts';

const createHttpNode = (id: string, method: string, parentId?: string) => ({
	id,
	...(parentId !== undefined && { parentId }),
	data: { type: 'http-request', title: id, method },
});

const { content } = new AgentText(
	createAgentText(
		[
			createStartNode('t'),
			createHttpNode('order', 'post'),
			createHttpNode('look', 'GET'),
			{ id: 'each', data: { type: 'loop', title: 'Each', start_node_id: 'begin' } },
			{ id: 'begin', parentId: 'each', data: { type: 'loop-start' } },
			createHttpNode('first', 'put', 'each'),
			{ ...createTemplateNode('second', 'x'), parentId: 'each' },
			{ id: 'tool', data: { type: 'tool', title: 'Tool' } },
			createEndNode({ out: 'look.body' }),
		],
		['start > order', 'order > look', 'look > each', 'begin > first', 'first > second', 'each > tool', 'tool > end'],
	),
);
const graph = readAgentGraph(content);

describe('side effects of a fork', () => {
	it('come from the nodes that run again: those after the node, inside of them, and after its containers', () => {
		assert.deepEqual([...findNodesFrom(graph, 'tool')], ['tool', 'end']);
		assert.deepEqual([...findNodesFrom(graph, 'look')].sort(), ['begin', 'each', 'end', 'first', 'look', 'second', 'tool']);
		// a later iteration of the loop runs the first node again
		assert.deepEqual([...findNodesFrom(graph, 'second')].sort(), ['begin', 'end', 'first', 'second', 'tool']);
		const iteration = { ...graph, nodes: graph.nodes.map(node => (node.id === 'each' ? { ...node, type: 'iteration' } : node)) };
		assert.deepEqual([...findNodesFrom(iteration, 'second')].sort(), ['end', 'second', 'tool']);
		const circle = { ...graph, nodes: graph.nodes.map(node => (node.id === 'each' ? { ...node, parent: 'each' } : node)) };
		assert.ok(findNodesFrom(circle, 'second').has('tool'));
	});

	it('are asked about before the fork starts, unless there are none', async () => {
		let effects: unknown;
		const ask = (node: string, mayReuse: boolean, button: string | undefined) =>
			answerDialogs({ buttons: [button] }, async () => {
				effects = await confirmSideEffects(graph, [node], mayReuse);
			});
		const { warnings } = await ask('order', true, 'Use recorded replies');
		assert.deepEqual([warnings, effects], [["Run nodes that can change something: 'order', 'first', 'Tool'?"], 'recorded']);
		await ask('order', true, 'Run');
		assert.equal(effects, 'run');
		await ask('order', true, undefined);
		assert.equal(effects, undefined);
		await assert.rejects(ask('order', false, 'Use recorded replies'), /No button/);
		assert.deepEqual((await ask('end', true, 'Run')).warnings, []);
		assert.equal(effects, 'run');
	});

	it('follow the setting', async () => {
		const { getConfiguration } = vscode.workspace;
		const ask = async (setting: string, mayReuse: boolean) => {
			Object.assign(vscode.workspace, { getConfiguration: () => ({ get: () => setting }) });
			let effects: unknown;
			const { warnings } = await answerDialogs({ button: 'Run' }, async () => {
				effects = await confirmSideEffects(graph, ['order'], mayReuse);
			});
			Object.assign(vscode.workspace, { getConfiguration });
			return [effects, warnings.length];
		};
		assert.deepEqual(await ask('run', true), ['run', 0]);
		assert.deepEqual(await ask('recorded', true), ['recorded', 0]);
		assert.deepEqual(await ask('recorded', false), ['run', 1]);
	});
});
