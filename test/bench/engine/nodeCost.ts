import { Jinja } from '../../../src/gateway/engine/jinja/jinja.ts';
import { contest, cpuMs } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { templateChain } from './agents.ts';
import { createRunner, noModels } from './runner.ts';

const nodes = 1_000;
const limit = 100;

/** Processor time of a run of 1,000 template nodes, with all its events written to the store; the templates themselves are the floor. */
export const nodeCost: Measure = {
	name: 'node',
	measure: 'own cost per node, events and records included, in a workflow of 1,000 template nodes',
	unit: 'µs',
	limit,
	async run() {
		const runner = createRunner(noModels, { maxSteps: nodes + 10 });
		const text = templateChain(nodes);
		const jinja = new Jinja('Node {{ n }} after "{{ before | truncate(60) }}"');
		const { run, floor } = await contest(
			{
				run: () => cpuMs(() => runner.run(text)),
				floor: () =>
					cpuMs(async () => {
						for (let i = 0; i < nodes; i++) {
							jinja.render({ n: 'bench', before: 'Node bench after "Node bench after "Node bench after..."' });
						}
					}),
			},
			{ warmUp: 3, rounds: 11 },
		);
		const value = ((run - floor) / nodes) * 1000;
		return {
			value,
			ok: value <= limit,
			notes: [`whole run ${run.toFixed(1)} ms of processor time, of it ${floor.toFixed(1)} ms for filling the templates`],
		};
	},
};
