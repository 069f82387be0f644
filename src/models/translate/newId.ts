import { randomUUID } from 'node:crypto';

/** Creates an ID with a prefix that the protocol prescribes. */
export function createId(prefix: string): string {
	return prefix + randomUUID().replaceAll('-', '');
}
