import { NodeError } from '../nodeType.ts';

/** A container's own failure when a round has failed: it has no `error_type`, because nothing was thrown in it (case r12). */
export function reportedFailure(cause: Error | undefined): NodeError {
	return new NodeError(cause?.message ?? 'A round failed', '', { cause });
}
