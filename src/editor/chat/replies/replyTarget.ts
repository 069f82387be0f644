import type { EndpointKind, ReplyFacts, Transcript } from '#pages/chat/transcript/transcript.ts';

/** A model or agent for one reply, instead of the chat's own. */
export interface ReplyTarget {
	readonly connectionId: string;
	readonly endpoint: EndpointKind;
	readonly model: string;
}

/** Returns the chat as it would be with another model or agent. The turns are the same. */
export function replaceTarget(transcript: Readonly<Transcript>, { connectionId, endpoint, model }: ReplyTarget): Readonly<Transcript> {
	return { ...transcript, connectionId, endpoint, models: { [endpoint]: model } };
}

/** Returns the facts of a reply from the chat's model or agent before anything arrived. */
export function createStartedReply({ endpoint, models }: Readonly<Transcript>, connection: string, connectionId: string): ReplyFacts {
	return { status: 'streaming', endpoint, connection, connectionId, model: models[endpoint] ?? '' };
}
