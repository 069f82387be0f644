import type { AgentNode } from './agentTypes.ts';
import { NodeError } from './nodes/nodeType.ts';

/** Outputs of an end node join those of the run, the later wins; texts of answer nodes are put together (workflow DSL, "Execution"). */
export function mergeOutputs(merged: Record<string, unknown>, node: AgentNode, outputs: Readonly<Record<string, unknown>>): void {
	if (node.type === 'end') {
		Object.assign(merged, outputs);
	} else if (node.type === 'answer') {
		merged['answer'] = `${merged['answer'] ?? ''}${outputs['answer']}`;
		merged['files'] = [...((merged['files'] as unknown[] | undefined) ?? []), ...(outputs['files'] as unknown[])];
	}
}

/** What a node that failed puts out where its strategy goes on (workflow DSL, "Failure handling"). */
export function failureOutputs({ failure }: AgentNode, error: Error): Record<string, unknown> {
	return {
		...(failure.strategy === 'default-value' && failure.defaults),
		error_message: error.message,
		error_type: error instanceof NodeError ? error.type : error.name,
	};
}
