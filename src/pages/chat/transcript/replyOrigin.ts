import type { ReplyFacts } from './transcript.ts';

/** True if a reply came from a connection, even if that was renamed since. */
export function isReplyFrom(
	{ connection, connectionId }: Pick<ReplyFacts, 'connection' | 'connectionId'>,
	{ id, name }: { readonly id: string; readonly name: string },
): boolean {
	return connectionId === undefined ? connection === name : connectionId === id;
}
