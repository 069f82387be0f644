import { EventStreamResponse, type StreamIds } from '../server/eventStream.ts';
import type { Exchange } from '../server/exchange.ts';

/** A started run. `reply` settles once everything was sent. */
interface Started {
	readonly reply: Promise<unknown>;
}

/**
 * Streams the events of a run as they happen. If the run can't start, sends the error with `ids` and rejects. Later errors are reported by
 * the run's events.
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
		stream.endStream();
	} catch (error) {
		stream.sendFailure(error, ids);
		throw error;
	}
}
