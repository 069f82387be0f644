import { NodeError } from '../nodeError.ts';

/**
 * Creates the error of a container with a failed iteration. It has no `error_type`, because the container itself threw nothing (case r12).
 */
export function createReportedFailure(cause: Error | undefined): NodeError {
	return new NodeError(cause?.message ?? 'An iteration failed', '', { cause });
}
