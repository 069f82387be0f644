import assert from 'node:assert/strict';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { askForFork, type ForkChoice } from '#editor/agents/nodeRuns/forkDialog.ts';
import { type Answers, answerDialogs, type Shown } from '../../../../support/editor/answers.ts';
import { createAgentText, createEndNode, createStartNode, createTemplateNode } from '../../../engine/run/engineFixture.ts';

const text = createAgentText(
	[
		createStartNode('topic'),
		createTemplateNode('draft', 'x'),
		createTemplateNode('review', '{{ text }}', { text: 'draft.output' }),
		createEndNode({ out: 'review.output' }),
	],
	['start > draft', 'draft > review', 'review > end'],
);
const known = { start: { topic: 'tea', 'sys.user_id': 'ana' }, draft: { output: 'A *** text', list: [1] }, end: { out: 'x' } };

async function fork(answers: Answers, keptReplies?: number): Promise<{ readonly choice: ForkChoice | undefined; readonly shown: Shown }> {
	const { content } = new AgentText(text);
	const graph = readAgentGraph(content);
	const node = graph.nodes.find(({ id }) => id === 'review')!;
	let choice: ForkChoice | undefined;
	const shown = await answerDialogs(answers, async () => {
		choice = await askForFork({ text, graph, node, known, keptReplies });
	});
	return { choice, shown };
}

describe('the dialog for a fork', () => {
	it('starts it unchanged, and without the recorded replies if there are any', async () => {
		assert.deepEqual((await fork({ picks: ['Run fork'] }, 3)).choice, {});
		assert.deepEqual((await fork({ picks: ['Run fork without recorded replies'] }, 3)).choice, { replies: false });
		await assert.rejects(fork({ picks: ['Run fork without recorded replies'] }, 0), /No item/);
		assert.equal((await fork({ picks: [undefined] })).choice, undefined);
	});

	it('changes values of earlier nodes, in any number, and goes back to the list when a change is canceled', async () => {
		const { choice } = await fork({ picks: ['topic', 'list', 'topic', 'Run fork'], texts: ['coffee', '[2, 3]', undefined] });
		assert.deepEqual(choice, { variables: { start: { topic: 'coffee' }, draft: { list: [2, 3] } } });
		const { choice: quoted } = await fork({ picks: ['topic', 'Run fork'], texts: ['"two\\nlines"'] });
		assert.deepEqual(quoted, { variables: { start: { topic: 'two\nlines' } } });
		await assert.rejects(fork({ picks: ['sys.user_id'] }), /No item/);
		await assert.rejects(fork({ picks: ['out'] }), /No item/, 'nodes after it have no values to change');
	});

	it('refuses another type, and a text with a secret that was masked', async () => {
		for (const [value, given, message] of [
			['list', '{"a": 1}', /Enter a JSON value of type 'array'/],
			['list', 'nothing', /Enter a JSON value of type 'array'/],
			['topic', '"open', /Enter a JSON value of type 'string'/],
			['output', 'Another *** text', /contains a secret, which isn't stored with the run/],
		] as const) {
			const { choice, shown } = await fork({ picks: [value, 'Run fork'], texts: [given] });
			assert.match(shown.refusals.join(), message);
			assert.deepEqual(choice, {});
		}
		const { choice } = await fork({ picks: ['output', 'Run fork'], texts: ['Another text'] });
		assert.deepEqual(choice, { variables: { draft: { output: 'Another text' } } });
	});
});
