import { Jinja } from '../../../src/engine/jinja/jinja.ts';
import { measureCpuMs, runContest } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { createTemplateChain } from './agents.ts';
import { createAgentRunner, noModels } from './runner.ts';

const nodes = 1_000;
const template = 'Node {{ n }} after "{{ before | truncate(60) }}"';

/**
 * Compares the processor time of a run of 1,000 template nodes, including writing its events to the store, with the time for rendering the
 * templates alone.
 */
export const nodeCost: Measure = {
	name: 'node',
	measure: `cost per node, including events and records, in a workflow of ${nodes} template nodes, over rendering the templates alone`,
	unit: '×',
	costUnit: 'µs per node',
	limits: { templates: { most: 6 } },
	async run(inRounds) {
		const runner = createAgentRunner(noModels, { maxSteps: nodes + 10 });
		const text = createTemplateChain(nodes);
		const jinja = new Jinja(template);
		const measureCostPerNode = (step: () => Promise<unknown>) => async () => ((await measureCpuMs(step)) * 1000) / nodes;
		return inRounds({ warmUp: 5, rounds: 15 }, async () => {
			const costs = await runContest({
				run: measureCostPerNode(() => runner.run(text)),
				templates: measureCostPerNode(async () => {
					for (let i = 0; i < nodes; i++) {
						jinja.render({ n: 'bench', before: 'Node bench after "Node bench after "Node bench after..."' });
					}
				}),
			});
			return { values: { templates: (costs.run - costs.templates) / costs.templates }, costs };
		});
	},
};
