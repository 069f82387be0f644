import { EventStreamResponse, type StreamIds } from '../server/eventStream.ts';
import type { Exchange } from '../server/exchange.ts';

/** What was started: `reply` settles when all of it was sent. */
interface Started {
	readonly reply: Promise<unknown>;
}

/**
 * Answers with the events of what is started, as they come. Where it cannot be started, the stream tells why, with these IDs, and this rejects; how it
 * ends is told by its own events.
 */
export async function sendStreamedReply(
	exchange: Exchange,
	ids: StreamIds,
	start: (send: (json: string) => void) => Promise<Started>,
): Promise<void> {
	const stream = new EventStreamResponse(exchange);
	try {
		const { reply } = await start(json => stream.send(json));
		await reply.catch(() => {});
		stream.end();
	} catch (error) {
		stream.fail(error, ids);
		throw error;
	}
}
