import { isDeepStrictEqual } from 'node:util';
import { type CodeSettings, runCode } from '#engine/nodes/code.ts';
import { checkStatus } from '#engine/nodes/http/httpStatus.ts';
import { NodeError } from '#engine/nodes/nodeError.ts';
import type { NodeContext, NodeResult } from '#engine/nodes/nodeType.ts';
import { runNode } from '#engine/run/run.ts';
import type { Execute } from '#engine/run/runState.ts';
import type { CodeCall, DslRun, Mock, MockResult } from './caseFile.ts';
import type { FakeModels } from './fakeModels.ts';
import type { FakeService } from './fakeService.ts';

/**
 * Runs nodes as a case defines: mocked nodes and code nodes return their recorded results, and all other nodes run with fake models and a
 * fake service.
 */
export function mockNodes({ mocks, expected }: DslRun, inOrder: boolean, models: FakeModels, service: FakeService | undefined): Execute {
	const attempts = new Map<string, number>();
	const together = createConcurrentModels();
	const calls = new Map<string, CodeCall[]>();
	for (const call of expected.code_calls ?? []) {
		calls.set(call.node_id, [...(calls.get(call.node_id) ?? []), call]);
	}
	return context => {
		const { id, type } = context.node;
		const mock = mocks[id];
		if (mock) {
			const attempt = attempts.get(id) ?? 0;
			attempts.set(id, attempt + 1);
			const result = getMockResult(mock, attempt);
			return type === 'llm' && !inOrder
				? together(whole => createMockedNodeResult(context, result, whole))
				: createMockedNodeResult(context, result);
		}
		if (type === 'code' && (context.settings as CodeSettings).code_language === 'python3') {
			return runCode(context as NodeContext<CodeSettings>, (_, inputs) => findRecordedCall(id, calls.get(id) ?? [], inputs, inOrder));
		}
		if (type === 'http-request') {
			service?.selectNode(id);
		}
		return runNode({ ...context, services: { ...context.services, models: models.createNodeModel(id, type === 'llm') } });
	};
}

function getMockResult(mock: Mock, attempt: number): MockResult {
	const result = 'sequence' in mock ? mock.sequence[Math.min(attempt, mock.sequence.length - 1)] : mock;
	if (!result) {
		throw new Error('the mock has no entry');
	}
	return result;
}

/**
 * Runs concurrent models in the recorded order. The recorder read events late: when it read the first event of the first model, the other
 * models had finished, so their texts are recorded whole.
 */
function createConcurrentModels(): (run: (whole: boolean) => NodeResult) => Promise<NodeResult> {
	const started: ((whole: boolean) => void)[] = [];
	const answerStartedCalls = () => {
		const [first, ...others] = started.splice(0);
		first?.(false);
		for (const other of others) {
			other(true);
		}
	};
	return run =>
		new Promise<boolean>(resolve => {
			if (started.push(resolve) === 1) {
				setImmediate(answerStartedCalls);
			}
		}).then(run);
}

/** @param whole true if the text isn't streamed */
function createMockedNodeResult(context: NodeContext<never>, result: MockResult, whole = false): NodeResult {
	if ('error' in result) {
		throw new NodeError(result.error, result.error_type ?? 'Error');
	}
	const { outputs } = result;
	switch (context.node.type) {
		case 'llm':
			for (const piece of whole ? [] : (String(outputs['text']).match(/ ?[^ ]+/g) ?? [])) {
				context.stream('text', piece, false);
			}
			if (!whole) {
				context.stream('text', '', true);
			}
			context.record.metadata = { total_tokens: 15 };
			return { outputs };
		case 'http-request':
			checkStatus(context.node, outputs['status_code']);
			return { outputs };
		case 'question-classifier':
			return { outputs, handle: String(outputs['class_id']) };
		default:
			return { outputs };
	}
}

/** Returns the recorded call with these inputs: the node's next one, or any if nodes run concurrently. */
function findRecordedCall(id: string, left: CodeCall[], inputs: unknown, inOrder: boolean): unknown {
	const index = inOrder ? 0 : left.findIndex(call => isDeepStrictEqual(call.inputs, inputs));
	const call = left[index];
	if (!call || !isDeepStrictEqual(call.inputs, inputs)) {
		throw new Error(`code node ${id} was called with ${JSON.stringify(inputs)}, recorded is ${JSON.stringify(left)}`);
	}
	left.splice(index, 1);
	if (call.error !== undefined) {
		throw new NodeError(call.error, 'CodeExecutionError');
	}
	return call.result;
}
