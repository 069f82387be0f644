import { randomUUID } from 'node:crypto';

/** Creates an ID with the prefix of the protocol. */
export function createId(prefix: string): string {
	return prefix + randomUUID().replaceAll('-', '');
}
