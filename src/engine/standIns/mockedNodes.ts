import type { Mock, Mocks } from '#contract/mocks.ts';
import { NodeError } from '../nodes/nodeError.ts';
import type { NodeContext, NodeResult } from '../nodes/nodeType.ts';
import type { Execute } from '../run/runState.ts';
import { findBranchHandle } from './branchHandles.ts';

/** Wraps `execute` so that mocked nodes return or throw the result of their mock. */
export function executeMocks(mocks: Mocks, execute: Execute): Execute {
	const attempts = new Map<string, number>();
	return context => {
		const { id } = context.node;
		const entries = findMocks(mocks, id);
		if (!entries) {
			return execute(context);
		}
		const attempt = attempts.get(id) ?? 0;
		attempts.set(id, attempt + 1);
		return createMockResult(context, entries[Math.min(attempt, entries.length - 1)] as Mock);
	};
}

/** Returns the mocks of a node, one per attempt. A node ID can equal a property name of Object.prototype. */
export function findMocks(mocks: Mocks | undefined, node: string): readonly Mock[] | undefined {
	const mock = mocks && Object.hasOwn(mocks, node) ? mocks[node] : undefined;
	return mock && (Array.isArray(mock) ? mock : [mock]);
}

/** Returns the result of a mock. @throws {NodeError} if the mock is a failure */
export function createMockResult(context: NodeContext<never>, mock: Mock): NodeResult {
	const { node, rounds } = context;
	const isContainer = node.inner !== undefined;
	if (isContainer) {
		rounds.emit('started', { inputs: {}, metadata: {} });
	}
	if ('error' in mock) {
		if (isContainer) {
			rounds.emit('completed', { inputs: {}, outputs: {}, status: 'failed', error: mock.error, steps: 0 });
		}
		throw new NodeError(mock.error, mock.error_type ?? 'MockError');
	}
	const { outputs } = mock;
	if (isContainer) {
		rounds.emit('completed', { inputs: {}, outputs, status: 'succeeded', error: null, steps: 0 });
	}
	const handle = mock.handle ?? findBranchHandle(node, outputs);
	return { outputs, ...(handle !== undefined && { handle }) };
}
