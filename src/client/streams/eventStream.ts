import type { IncomingHttpHeaders } from 'node:http';
import { tryParseJson } from '#base/text/json.ts';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import type { Redactor } from '#network/redaction.ts';
import { readErrorPayload, shortenServiceText } from '../errors/errorBodies.ts';
import * as faults from '../errors/faults.ts';
import { ServiceError } from '../errors/serviceError.ts';
import { longestRefusal } from '../replyCollector.ts';
import type { Flow, ResponseSink } from '../transport.ts';
import { EventDecoder } from './eventDecoder.ts';
import { EventReader, type StreamMessage, type StreamRules, UnreadableEvent } from './eventReader.ts';
import { describeBadEvent, describeTruncation } from './streamProblems.ts';

/** Client-side callbacks of a stream. */
interface StreamSource {
	readonly redactor: Redactor;
	readonly kind?: ServiceKind;
	/** Sends the request. If it rejects, the first `next` rejects with the same error. */
	open(sink: ResponseSink): Promise<{ readonly flow: Flow; readonly origin: string }>;
	/** Called with the response's headers. */
	onStart?(headers: IncomingHttpHeaders): void;
	/** Called once at the end. */
	onClose(outcome: {
		readonly status: number | undefined;
		readonly events: number;
		readonly error: ServiceError | undefined;
		readonly requestId: string | undefined;
	}): void;
}

interface Waiting<T> {
	resolve(result: IteratorResult<T, undefined>): void;
	reject(error: unknown): void;
}

/** Bytes to buffer for a slow reader before the connection is paused. */
const highWater = 128 * 1024;

/**
 * Iterates over the events of a response once, in order. The request is sent at the first `next`. An event that contains an error is
 * returned like any other, and then the stream throws it. The stream also throws, after all received events, if it breaks or ends before
 * its last event. Leaving the loop aborts the request. Buffered messages are only parsed when they are read.
 */
export class EventStream<T extends object> implements AsyncIterableIterator<T, undefined, undefined>, ResponseSink {
	readonly #reader: EventReader<T>;
	readonly #source: StreamSource;
	#decoder: EventDecoder | undefined;
	#flow: Flow | undefined;
	#origin = '';
	#status: number | undefined;
	#headers: IncomingHttpHeaders = {};
	#faultBody: Buffer[] = [];
	#messages: StreamMessage[] = [];
	#at = 0;
	#waitingBytes = 0;
	#paused = false;
	#opened = false;
	/** True once the connection has delivered everything. */
	#ended = false;
	/** Index of the first message without a blank line after it, which may be incomplete. */
	#tornFrom = Number.POSITIVE_INFINITY;
	/** Error that ended the connection, if any. */
	#broken: Error | undefined;
	/** True once nothing more is returned except `#error`, which is thrown once. */
	#over = false;
	#error: ServiceError | undefined;
	#waiting: Waiting<T>[] = [];
	/** True while the first message is being delivered. The end of the stream is reported after it. */
	#serving = false;

	constructor(rules: StreamRules<T>, source: StreamSource) {
		this.#reader = new EventReader(rules);
		this.#source = source;
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	next(): Promise<IteratorResult<T, undefined>> {
		while (this.#at < this.#messages.length) {
			const value = this.#takeEvent();
			if (value !== undefined) {
				return Promise.resolve({ done: false, value });
			}
		}
		return new Promise((resolve, reject) => {
			this.#waiting.push({ resolve, reject });
			if (this.#over) {
				this.#settleReads();
			} else {
				this.#openStream();
			}
		});
	}

	return(): Promise<IteratorResult<T, undefined>> {
		this.#endStream(undefined);
		this.#error = undefined;
		return Promise.resolve({ done: true, value: undefined });
	}

	start(status: number, headers: IncomingHttpHeaders): void {
		this.#status = status;
		this.#headers = headers;
		this.#source.onStart?.(headers);
		if (status < 300 && !/^\s*(application\/json|text\/html)/i.test(headers['content-type'] ?? '')) {
			this.#decoder = new EventDecoder(message => {
				this.#messages.push(message);
			});
		}
	}

	receiveChunk(chunk: Buffer): boolean {
		if (this.#over || this.#reader.isOverdue) {
			return true;
		}
		this.#waitingBytes += chunk.length;
		if (this.#decoder === undefined) {
			this.#faultBody.push(chunk);
			return this.#waitingBytes >= longestRefusal;
		}
		this.#runDecoder(() => this.#decoder!.push(chunk));
		if (this.#waitingBytes > highWater && this.#at < this.#messages.length) {
			this.#paused = true;
			this.#flow?.pause();
		}
		return false;
	}

	endResponse(): void {
		if (this.#over) {
			return;
		}
		if (this.#decoder === undefined) {
			this.#endStream(this.#createBodyFault());
			return;
		}
		this.#ended = true;
		this.#tornFrom = this.#messages.length;
		this.#runDecoder(() => this.#decoder!.flushEvents());
	}

	failResponse(error: Error): void {
		if ((error as NodeJS.ErrnoException).code === 'ABORTED') {
			this.#endStream(faults.createConnectionFault(error, this.#origin, this.#source.redactor, this.#reader.count));
			return;
		}
		this.#broken = error;
		this.endResponse();
	}

	async #openStream(): Promise<void> {
		if (this.#opened) {
			return;
		}
		this.#opened = true;
		try {
			const { flow, origin } = await this.#source.open(this);
			this.#origin = origin;
			this.#flow = flow;
			if (this.#over) {
				flow.cancel();
			}
		} catch (error) {
			this.#endStream(error as ServiceError);
		}
	}

	/** Runs the decoder, then resolves pending reads with the result. */
	#runDecoder(step: () => void): void {
		try {
			step();
		} catch (error) {
			this.#endStream(this.#createFault(localizable`Couldn't read the stream: ${(error as Error).message}`));
		}
		this.#serving = true;
		while (this.#waiting.length > 0 && this.#at < this.#messages.length) {
			const reader = this.#waiting.shift()!;
			const value = this.#takeEvent();
			if (value !== undefined) {
				reader.resolve({ done: false, value });
			} else {
				this.#waiting.unshift(reader);
			}
		}
		this.#serving = false;
		if (this.#over) {
			this.#settleReads();
			return;
		}
		if (this.#at >= this.#messages.length) {
			this.#onDrained();
		}
	}

	/** Returns the next event, if the next message contains one. */
	#takeEvent(): T | undefined {
		const torn = this.#at >= this.#tornFrom;
		const message = this.#messages[this.#at++]!;
		const last = this.#at === this.#messages.length;
		let event: T | undefined;
		try {
			event = this.#reader.readEvent(message, torn);
		} catch (error) {
			// an unreadable event isn't counted yet
			const number = this.#reader.count + (error instanceof UnreadableEvent ? 1 : 0);
			const problem = error instanceof UnreadableEvent ? error.problem : undefined;
			this.#endStream(this.#createFault(describeBadEvent(number, shortenServiceText(message.data.trim(), this.#source.redactor), problem)));
			return undefined;
		}
		if (this.#reader.error !== undefined) {
			const { error } = this.#reader;
			this.#endStream(
				faults.createStreamFault(error, error.status, this.#reader.count, faults.getRequestId(this.#headers), this.#source.redactor),
			);
		} else if (last) {
			this.#onDrained();
		}
		return event;
	}

	/** Called when all buffered messages have been read. Resumes the connection, or ends the stream. */
	#onDrained(): void {
		this.#messages = [];
		this.#at = 0;
		this.#waitingBytes = 0;
		if (this.#paused) {
			this.#paused = false;
			this.#flow?.resume();
		}
		if (this.#ended) {
			// a broken connection after the last event loses nothing
			this.#endStream(this.#reader.terminated ? undefined : this.#createTruncatedFault());
		}
	}

	#endStream(error: ServiceError | undefined): void {
		if (this.#over) {
			return;
		}
		this.#over = true;
		this.#error = error;
		this.#messages = [];
		this.#at = 0;
		this.#flow?.cancel();
		if (!this.#serving) {
			this.#settleReads();
		}
		this.#source.onClose({ status: this.#status, events: this.#reader.count, error, requestId: this.#getRequestId() });
	}

	#settleReads(): void {
		for (const { resolve, reject } of this.#waiting.splice(0)) {
			if (this.#error) {
				reject(this.#error);
				this.#error = undefined;
			} else {
				resolve({ done: true, value: undefined });
			}
		}
	}

	/** Creates the error for a response that isn't a stream. */
	#createBodyFault(): ServiceError {
		if (this.#broken !== undefined) {
			return faults.createConnectionFault(this.#broken, this.#origin, this.#source.redactor, 0);
		}
		const text = Buffer.concat(this.#faultBody).toString();
		if (this.#status! >= 300) {
			return faults.createHttpFault(this.#status!, this.#headers, text, this.#source.redactor, this.#source.kind);
		}
		const payload = readErrorPayload(tryParseJson(text));
		if (payload !== undefined && payload.codes.length > 0) {
			return faults.createStreamFault(payload, undefined, 0, faults.getRequestId(this.#headers), this.#source.redactor);
		}
		const [type, excerpt] = [String(this.#headers['content-type']).split(';')[0], shortenServiceText(text.trim(), this.#source.redactor)];
		return this.#createFault(localizable`Expected a stream of events from the service, but got ${type!}: '${excerpt}'`);
	}

	#createTruncatedFault(): ServiceError {
		const { count, lastName, ending } = this.#reader;
		if (this.#broken !== undefined) {
			return faults.createConnectionFault(this.#broken, this.#origin, this.#source.redactor, count);
		}
		const message = faults.redactMessage(describeTruncation(count, lastName, ending), this.#source.redactor);
		return new ServiceError('protocol', message, { status: this.#status, requestId: this.#getRequestId(), received: count });
	}

	#createFault(what: LocalizableMessage): ServiceError {
		const details = { status: this.#status!, requestId: faults.getRequestId(this.#headers), received: this.#reader.count };
		return faults.createProtocolFault(what, this.#source.redactor, details);
	}

	#getRequestId(): string | undefined {
		const id = faults.getRequestId(this.#headers);
		return id === undefined ? undefined : this.#source.redactor.redactText(id);
	}
}
