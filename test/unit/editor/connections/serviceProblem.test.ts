import assert from 'node:assert/strict';
import type { Problem } from '#base/problems.ts';
import { toServiceProblem } from '#editor/connections/serviceProblem.ts';

const refused = Object.assign(new Error("The route 'gemini-*' needs the key 'GEMINI@google'."), {
	name: 'ServiceError',
	reason: 'auth',
	status: 401,
});

describe('the problem shown for an error of a service', () => {
	it('names the upstream key that the built-in gateway lacks, and offers to set it', () => {
		const problem = toServiceProblem(
			refused,
			{ id: 'built-in', name: 'Built-in gateway', kind: 'built-in', user: 'ana' },
			false,
		) as Problem;
		assert.equal(problem.message, "'Built-in gateway': The route 'gemini-*' needs the key 'GEMINI@google'.");
		assert.deepEqual(problem.remedy, { title: 'Set key', command: 'agentWorkbench.gateway.setUpstreamKey' });
	});

	it('offers to replace the key that another service refuses', () => {
		const problem = toServiceProblem(refused, { id: 'there', name: 'There', kind: 'gateway', user: 'ana' }, true) as Problem;
		assert.equal(problem.message, "'There' refused the key (401).");
		assert.deepEqual(problem.remedy, { title: 'Replace key', command: 'agentWorkbench.connection.setKey', arguments: ['there'] });
	});
});
