import type { ConnectionEntry } from '../../connections/connectionEntries.ts';
import { getConsoleOrigin } from '../consoleOrigin.ts';
import type { SessionOwner } from './sessionStore.ts';

/** Returns the owner of a connection's sign-in. */
export function getSessionOwner(entry: ConnectionEntry): SessionOwner {
	return { id: entry.id, origin: getConsoleOrigin(entry) };
}

/** Returns the ID under which windows take turns to use a session (`SharedTurns`). */
export function formatTurnId({ id, origin }: SessionOwner): string {
	return `${id} ${origin}`;
}
