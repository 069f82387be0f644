import type { ConnectionEntry } from '../../connections/connectionEntries.ts';
import { consoleOrigin } from '../consoleOrigin.ts';
import type { SessionOwner } from './sessionStore.ts';

/** Returns the owner of a connection's sign-in. */
export function ownerOf(entry: ConnectionEntry): SessionOwner {
	return { id: entry.id, origin: consoleOrigin(entry) };
}

/** Returns the ID for the turns of a session (`SharedTurns`). */
export function turnOf({ id, origin }: SessionOwner): string {
	return `${id} ${origin}`;
}
