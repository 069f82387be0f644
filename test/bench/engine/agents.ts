import { createAgentText, createEndNode, createStartNode, createTemplateNode } from '../../unit/engine/run/engineFixture.ts';

/** Creates a chain of template nodes, each of which uses the text of the previous one. */
export function createTemplateChain(length: number): string {
	const nodes = Array.from({ length }, (_, index) =>
		createTemplateNode(`t${index}`, 'Node {{ n }} after "{{ before | truncate(60) }}"', {
			before: index === 0 ? 'sys.user_id' : `t${index - 1}.output`,
			n: 'sys.user_id',
		}),
	);
	const last = `t${length - 1}`;
	const edges = ['start > t0', ...nodes.slice(1).map((node, index) => `t${index} > ${node.id}`), `${last} > end`];
	return createAgentText([createStartNode(), ...nodes, createEndNode({ text: `${last}.output` })], edges);
}

/** Creates a chain of model nodes, each of which asks about the reply to the previous one. */
export function createModelChain(length: number): string {
	const nodes = Array.from({ length }, (_, index) => ({
		id: `m${index}`,
		data: {
			type: 'llm',
			model: { name: 'offline', completion_params: { temperature: 0.2 } },
			prompt_template: [
				{ role: 'system', text: 'You watch the tide gauges of a harbor. Answer in one sentence.' },
				{ role: 'user', text: `Question ${index}. ${index === 0 ? 'What is the level?' : `Is this right? {{#m${index - 1}.text#}}`}` },
			],
		},
	}));
	const last = `m${length - 1}`;
	const edges = ['start > m0', ...nodes.slice(1).map((node, index) => `m${index} > ${node.id}`), `${last} > end`];
	return createAgentText([createStartNode(), ...nodes, createEndNode({ text: `${last}.text` })], edges);
}

/** An agent that only waits for its model. */
export const waitingAgent = createAgentText(
	[
		createStartNode(),
		{ id: 'ask', data: { type: 'llm', model: { name: 'slow' }, prompt_template: [{ role: 'user', text: 'Wait.' }] } },
		createEndNode({ text: 'ask.text' }),
	],
	['start > ask', 'ask > end'],
);
