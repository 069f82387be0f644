import { randomUUID } from 'node:crypto';

/** A new ID in the form that the service whose protocol is spoken gives: a prefix and letters. */
export function newId(prefix: string): string {
	return prefix + randomUUID().replaceAll('-', '');
}
