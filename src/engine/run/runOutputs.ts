import type { AgentNode } from '../agentFile/agentTypes.ts';
import { NodeError } from '../nodes/nodeError.ts';
import { TextLength } from '../variables/textLength.ts';

/**
 * Merges the outputs of an end or answer node, or of an iteration, into those of its level. Later values replace earlier ones, but answers
 * and their files are concatenated (workflow DSL, "Execution"). Throws a {@link NodeError} if the answer gets too long.
 */
export function mergeOutputs(merged: Record<string, unknown>, outputs: Readonly<Record<string, unknown>>): void {
	const { answer, files } = merged;
	Object.assign(merged, outputs);
	if (answer && 'answer' in outputs) {
		const length = new TextLength();
		merged['answer'] = length.add(String(answer)) + length.add(String(outputs['answer']));
		if (Array.isArray(files) && Array.isArray(outputs['files'])) {
			merged['files'] = [...files, ...outputs['files']];
		}
	}
}

/** Returns the outputs of a failed node whose error strategy continues the run (workflow DSL, "Failure handling"). */
export function getFailureOutputs({ failure }: AgentNode, error: Error): Record<string, unknown> {
	return {
		...(failure.strategy === 'default-value' && failure.defaults),
		error_message: error.message,
		error_type: error instanceof NodeError ? error.type : error.name,
	};
}
