import { isDeepStrictEqual } from 'node:util';
import { type CodeSettings, runCode } from '../../src/gateway/engine/nodes/code.ts';
import { checkStatus } from '../../src/gateway/engine/nodes/httpStatus.ts';
import { type NodeContext, NodeError, type NodeResult } from '../../src/gateway/engine/nodes/nodeType.ts';
import { runNode } from '../../src/gateway/engine/run.ts';
import type { Execute } from '../../src/gateway/engine/runState.ts';
import type { CodeCall, DslRun, Mock, MockResult } from './caseFile.ts';

/** Runs nodes as a case says: mocked ones give what was recorded, code gives what its recorded call gave, all others run. */
export function mockNodes({ mocks, expected }: DslRun, inOrder: boolean): Execute {
	const attempts = new Map<string, number>();
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
			return mocked(context, resultOf(mock, attempt));
		}
		if (type === 'code' && (context.settings as CodeSettings).code_language === 'python3') {
			return runCode(context as NodeContext<CodeSettings>, (_, inputs) => recorded(id, calls.get(id) ?? [], inputs, inOrder));
		}
		return runNode(context);
	};
}

function resultOf(mock: Mock, attempt: number): MockResult {
	const result = 'sequence' in mock ? mock.sequence[Math.min(attempt, mock.sequence.length - 1)] : mock;
	if (!result) {
		throw new Error('the mock has no entry');
	}
	return result;
}

function mocked(context: NodeContext<never>, result: MockResult): NodeResult {
	if ('error' in result) {
		throw new NodeError(result.error, result.error_type ?? 'Error');
	}
	const { outputs } = result;
	switch (context.node.type) {
		case 'llm':
			for (const piece of String(outputs['text']).match(/ ?[^ ]+/g) ?? []) {
				context.stream('text', piece, false);
			}
			context.stream('text', '', true);
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

/** Takes the recorded call with these inputs: the next one of the node, or any where nodes run at the same time. */
function recorded(id: string, left: CodeCall[], inputs: unknown, inOrder: boolean): unknown {
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
