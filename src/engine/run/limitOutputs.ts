import type { NodeContext, NodeResult } from '../nodes/nodeType.ts';
import { checkWeight } from '../variables/weight.ts';
import type { Execute } from './runState.ts';

/** Maximum length of an error message, which can quote a value. Each failed iteration reports it. */
const longestMessage = 100_000;

/** Wraps `execute` so that a node fails if its values are too large to record. None of them is recorded then. */
export function limitOutputs(execute: Execute): Execute {
	return context => {
		let result: NodeResult | Promise<NodeResult>;
		try {
			result = execute(context);
		} catch (error) {
			throw getBoundsError(context, error);
		}
		return result instanceof Promise
			? result.then(
					value => checkResultWeight(context, value),
					(error: unknown) => {
						throw getBoundsError(context, error);
					},
				)
			: checkResultWeight(context, result);
	};
}

function checkResultWeight({ record }: NodeContext<never>, result: NodeResult): NodeResult {
	try {
		checkWeight([record.inputs, record.processData, result.outputs, result.form]);
	} catch (error) {
		record.inputs = null;
		record.processData = null;
		throw error;
	}
	return result;
}

/** Returns the node's error, or an error about its values if they are too large. */
function getBoundsError(context: NodeContext<never>, error: unknown): unknown {
	try {
		checkResultWeight(context, { outputs: {} });
	} catch (excess) {
		return excess;
	}
	if (error instanceof Error && error.message.length > longestMessage) {
		error.message = `${error.message.slice(0, longestMessage)}…`;
	}
	return error;
}
