import type { ConnectionEntry } from '../../connections/connectionEntries.ts';
import { consoleOrigin } from '../consoleOrigin.ts';
import type { SessionOwner } from './sessionStore.ts';

/** Whom a connection's sign-in belongs to. */
export function ownerOf(entry: ConnectionEntry): SessionOwner {
	return { id: entry.id, origin: consoleOrigin(entry) };
}

/** What one window at a time may do with a session (`SharedTurns`). */
export function turnOf({ id, origin }: SessionOwner): string {
	return `${id} ${origin}`;
}
