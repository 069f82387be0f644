import { createAgentText, createEndNode, createStartNode, createTemplateNode, type TestNode } from '../../unit/engine/run/engineFixture.ts';

const add: TestNode = {
	id: 'add',
	parentId: 'lp',
	data: { type: 'assigner', version: '2', items: [{ variable_selector: ['lp', 'n'], input_type: 'constant', operation: '+=', value: 1 }] },
};

/** Creates a loop with `rounds` iterations that never wait. */
export function createCountingAgent(rounds: number): string {
	const variable = { label: 'n', var_type: 'number', value_type: 'constant', value: '0' };
	const loop = { type: 'loop', start_node_id: 'lps', loop_count: rounds, break_conditions: [], loop_variables: [variable] };
	return createAgentText(
		[
			createStartNode(),
			{ id: 'lp', data: loop },
			{ id: 'lps', parentId: 'lp', data: { type: 'loop-start' } },
			add,
			createEndNode({ n: 'lp.n' }),
		],
		['start > lp', 'lps > add', 'lp > end'],
	);
}

/** An agent that renders a template of 400 KB with 10,000 placeholders. */
export const templateAgent = createAgentText(
	[
		createStartNode(),
		createTemplateNode('t', '{{ who | upper }} and then some words.'.repeat(10_500), { who: 'sys.user_id' }),
		createEndNode({ text: 't.output' }),
	],
	['start > t', 't > end'],
);

/** An agent with one node after its start, which returns its input. */
export const oneNodeAgent = createAgentText([createStartNode('text'), createEndNode({ text: 'start.text' })], ['start > end']);
