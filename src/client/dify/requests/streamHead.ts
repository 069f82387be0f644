import type { IncomingHttpHeaders } from 'node:http';
import { type CollectorEvents, ReplyCollector } from '../../replyCollector.ts';
import type { ResponseSink } from '../../transport.ts';

/** How the response to a stream request starts: as a stream, or as a refusal that is read as a whole. */
interface StreamHeadEvents extends CollectorEvents {
	onBegin(): void;
}

/** Forwards the bytes of a stream, but buffers a refusal so that the request can be retried. */
export class StreamHead implements ResponseSink {
	readonly #stream: ResponseSink;
	readonly #events: StreamHeadEvents;
	#to: ResponseSink;

	constructor(stream: ResponseSink, events: StreamHeadEvents) {
		this.#stream = stream;
		this.#events = events;
		this.#to = new ReplyCollector(events);
	}

	start(status: number, headers: IncomingHttpHeaders): void {
		if (status < 300) {
			this.#to = this.#stream;
			this.#events.onBegin();
		}
		this.#to.start(status, headers);
	}

	receiveChunk(chunk: Buffer): boolean {
		return this.#to.receiveChunk(chunk);
	}

	endResponse(): void {
		this.#to.endResponse();
	}

	failResponse(error: Error, sent: boolean): void {
		this.#to.failResponse(error, sent);
	}
}
