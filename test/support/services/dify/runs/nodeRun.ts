import type { DifyDeployment } from '../difyDeployment.ts';
import type { FakeApp, FakeNode, Fields } from '../state.ts';
import { createExecution } from './executions.ts';
import { simulateNodeOutputs } from './nodeOutputs.ts';

/** Runs one node of a draft with the results of the last runs. `given` values, by reference (`#llm.text#`), take precedence. */
export function runNode(fake: DifyDeployment, app: FakeApp, node: FakeNode, given: Fields): Fields {
	const pool = new Map<string, unknown>(fake.drafts.getMemory(app).variables.map(each => [each.selector.join('.'), each.value]));
	for (const [name, value] of Object.entries(given)) {
		pool.set(name.replace(/^#|#$/g, ''), value);
	}
	const failure = fake.play.failing.get(node.id);
	const { inputs, outputs, tokens } = simulateNodeOutputs(node, pool, given);
	const finished = createExecution(fake, undefined, node, null).finished({
		status: failure === undefined ? 'succeeded' : 'failed',
		error: failure ?? null,
		inputs: Object.keys(inputs).length > 0 ? inputs : given,
		outputs: failure === undefined ? outputs : null,
		tokens,
	});
	fake.drafts.saveExecution(app, node.id, finished);
	return finished;
}
