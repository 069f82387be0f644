import { NodeError } from '../nodeError.ts';
import type { NodeContext } from '../nodeType.ts';

/**
 * Throws for an error status if the node has an error strategy or retries; otherwise the node succeeds (cases d10 to d12).
 * @throws {NodeError} with type HTTPResponseCodeError
 */
export function checkStatus({ failure }: NodeContext<never>['node'], status: unknown): void {
	const succeeded = typeof status === 'number' && status >= 200 && status < 300;
	if (!succeeded && (failure.strategy !== 'none' || failure.retries > 0)) {
		throw new NodeError(`Request failed with status code ${status}`, 'HTTPResponseCodeError');
	}
}
