import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { default as Dispatcher } from 'undici/types/dispatcher.d.ts';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import { BadReplyError } from '#network/fetchThrough.ts';
import type { TextCall } from './calls/textCall.ts';
import { getEndToEndHeaders } from './endToEndHeaders.ts';
import { getKeyMask, type KeyMask } from './keyMask.ts';
import { MaskedEvents } from './maskedEvents.ts';
import { MaskedReply } from './maskedReply.ts';
import { ReplyDecoder } from './replyDecoder.ts';
import { createConnectionFault } from './upstreamFault.ts';
import { createRefusalFault, UpstreamRefusal } from './upstreamRefusal.ts';
import type { Upstreams } from './upstreams.ts';

export interface UpstreamRequest {
	readonly origin: string;
	/** Path and query. */
	readonly path: string;
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly headers: Record<string, string>;
	readonly body: Buffer | null;
	/** Key in {@link headers}. It's masked in all errors from the upstream. */
	readonly key?: string;
	/** Timeout until the reply starts, in milliseconds. By default, the timeout of the connections. */
	readonly headersTimeout?: number;
	/** Headers for the caller in addition to the upstream's. */
	readonly replyHeaders?: Readonly<Record<string, string>>;
}

/** Parts of the caller's protocol that forwarding a reply depends on. */
export interface PassthroughProtocol {
	/** True if an error body already has the protocol's form. */
	isErrorBody(body: unknown): boolean;
	/** Returns the text that ends an event stream that broke off. */
	formatStreamFault(fault: ServiceFault): string;
}

/**
 * Sends a request upstream and streams its reply to the caller byte for byte, except that the upstream's key is masked in errors. If there
 * is a key, compressed replies are decompressed for the caller. Respects backpressure, and aborts the upstream request if the caller
 * disconnects. Resolves when the reply has ended in any way. Rejects with a `ServiceFault` before anything is sent if the upstream gave no
 * valid reply, or if it refused and `call` has another attempt.
 */
export function passReplyThrough(
	upstreams: Upstreams,
	request: UpstreamRequest,
	response: ServerResponse,
	protocol: PassthroughProtocol,
	call?: TextCall,
): Promise<void> {
	return new Promise((resolve, reject) => {
		try {
			const handler = new PassthroughHandler(request, response, protocol, call, resolve, reject);
			upstreams.dispatch(request, request.key === undefined ? handler : new ReplyDecoder(handler));
		} catch (error) {
			reject(createConnectionFault(error, request.origin));
		}
	});
}

/** Forwards one reply. This is a class with fields rather than closures, because it's the gateway's hottest path. */
class PassthroughHandler implements Dispatcher.DispatchHandler {
	readonly #request: UpstreamRequest;
	readonly #response: ServerResponse;
	readonly #protocol: PassthroughProtocol;
	readonly #call: TextCall | undefined;
	readonly #resolve: () => void;
	readonly #reject: (fault: unknown) => void;
	#controller: Dispatcher.DispatchController | undefined;
	#status = 0;
	#headers: OutgoingHttpHeaders | undefined;
	#refusal: UpstreamRefusal | undefined;
	#isEventStream = false;
	#mask: MaskedEvents | MaskedReply | undefined;
	#gone: boolean;
	#pending: Buffer[] = [];
	#isFlushScheduled = false;
	/** The last three bytes sent, with the last one in the lowest byte. They show whether an event stream is between two events. */
	#tail = 0;

	constructor(
		request: UpstreamRequest,
		response: ServerResponse,
		protocol: PassthroughProtocol,
		call: TextCall | undefined,
		resolve: () => void,
		reject: (fault: unknown) => void,
	) {
		this.#request = request;
		this.#response = response;
		this.#protocol = protocol;
		this.#call = call;
		this.#resolve = resolve;
		this.#reject = reject;
		this.#gone = response.destroyed;
		response.on('close', () => this.#onClose());
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		if (this.#gone) {
			controller.abort(createCallerGoneError());
		}
	}

	onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
		if (status === 101) {
			// the response to an upgrade never ends like a reply
			controller.abort(new BadReplyError(status));
			return;
		}
		if (status < 200) {
			return;
		}
		const type = headers['content-type'] ?? '';
		if (status >= 300 || type.startsWith('text/html')) {
			this.#refusal = new UpstreamRefusal(status, headers);
			return;
		}
		// from here on, use the controller of the decompressed reply
		this.#controller = controller;
		this.#status = status;
		this.#headers = getEndToEndHeaders(headers);
		this.#isEventStream = type.startsWith('text/event-stream');
		const { key } = this.#request;
		if (key !== undefined) {
			const mask = getKeyMask(key);
			this.#headers = maskHeaders(this.#headers, mask);
			this.#mask = this.#isEventStream ? new MaskedEvents(mask) : new MaskedReply(mask, type);
		}
		if (this.#isEventStream) {
			// Send the head with the first event if that follows immediately, otherwise alone.
			setImmediate(() => {
				if (this.#headers && !this.#gone) {
					this.#sendHead();
					this.#response.flushHeaders();
				}
			});
		}
	}

	onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
		if (this.#refusal) {
			if (this.#refusal.add(chunk)) {
				// onResponseError sends the part that was read
				controller.abort(new Error('The error body is too long'));
			}
		} else if (this.#isEventStream && this.#headers) {
			this.#writePart(chunk);
		} else {
			this.#pending.push(chunk);
			// Write all chunks of one read together.
			if (!this.#isFlushScheduled) {
				this.#isFlushScheduled = true;
				process.nextTick(flushHandler, this);
			}
		}
	}

	/** Writes the chunks of one read. */
	flushChunks(): void {
		this.#isFlushScheduled = false;
		if (this.#pending.length > 0) {
			this.#writePart(this.#takePending());
		}
	}

	#takePending(): Buffer {
		const [first] = this.#pending;
		const bytes = first && this.#pending.length === 1 ? first : Buffer.concat(this.#pending);
		this.#pending = [];
		return bytes;
	}

	/** Writes the next part of the reply, except for bytes that may be part of a key. */
	#writePart(part: Buffer): void {
		const bytes = this.#mask?.add(part) ?? part;
		if (bytes.length > 0) {
			this.#writeBytes(bytes);
		}
	}

	#writeBytes(bytes: Buffer): void {
		const response = this.#response;
		const controller = this.#controller;
		if (this.#headers) {
			this.#sendHead();
		}
		response.write(bytes);
		this.#call?.reply.add(bytes);
		const { length } = bytes;
		this.#tail = length > 2 ? updateTail(bytes, 0, length - 3) : updateTail(bytes, this.#tail, 0);
		// Check again instead of relying on an earlier result of write(): a missed drain would hang the stream.
		if (response.writableNeedDrain && controller && !controller.paused) {
			controller.pause();
			response.once('drain', () => controller.resume());
		}
	}

	onResponseEnd(): void {
		if (this.#refusal) {
			this.#sendRefusal(this.#refusal);
			return;
		}
		this.#finishReply();
		if (this.#call) {
			this.#call.reply.isComplete = true;
		}
		this.#resolve();
	}

	#finishReply(): void {
		let rest = this.#takePending();
		if (this.#mask) {
			rest = Buffer.concat([this.#mask.add(rest), this.#mask.endReply()]);
		}
		if (this.#headers && rest.length > 0 && rest.length <= shortReply) {
			// writing head and body as one string avoids a list of buffers
			this.#sendHead();
			this.#call?.reply.add(rest);
			this.#response.end(rest.toString('latin1'), 'latin1');
			return;
		}
		if (rest.length > 0) {
			this.#writeBytes(rest);
		} else if (this.#headers) {
			this.#sendHead();
		}
		this.#response.end();
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		const response = this.#response;
		if (this.#gone) {
			this.#resolve();
			return;
		}
		this.flushChunks();
		const rest = this.#mask?.breakOffReply() ?? noBytes;
		const fault = createConnectionFault(error, this.#request.origin);
		if (this.#refusal) {
			this.#sendRefusal(this.#refusal);
			return;
		}
		if (!response.headersSent) {
			this.#headers = undefined;
			this.#reject(fault);
			return;
		}
		if (this.#call) {
			this.#call.fault = fault;
		}
		if (rest.length > 0) {
			this.#writeBytes(rest);
			// flush the bytes before the connection is cut
			response.write('', () => response.destroy());
		} else if (this.#isEventStream && isBetweenEvents(this.#tail)) {
			response.end(this.#protocol.formatStreamFault(fault));
		} else {
			// Cut the connection, because an error can't be reported within an event or a JSON body.
			response.destroy();
		}
		this.#resolve();
	}

	#sendHead(): void {
		const headers = this.#addGatewayHeaders(this.#headers ?? {});
		if (this.#mask?.changesLength) {
			delete headers['content-length'];
		}
		this.#call?.reply.setHeaders(headers);
		this.#response.writeHead(this.#status, headers);
		this.#headers = undefined;
	}

	/** Adds the gateway's headers to the upstream's. Warnings of both are joined. */
	#addGatewayHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
		const { replyHeaders } = this.#request;
		if (replyHeaders) {
			const warnings = [headers['warning'], replyHeaders['warning']].filter(value => value !== undefined);
			Object.assign(headers, replyHeaders, warnings.length > 1 && { warning: warnings.join(', ') });
		}
		if (this.#response.hasHeader('vary')) {
			headers['vary'] = [headers['vary'], this.#response.getHeader('vary')].filter(value => value !== undefined).join(', ');
		}
		return Object.assign(headers, this.#call?.headers);
	}

	#sendRefusal(refusal: UpstreamRefusal): void {
		if (!this.#call?.hasNext && refusal.status >= 400 && this.#protocol.isErrorBody(refusal.parseJson())) {
			const { body, headers: given } = this.#maskRefusal(refusal);
			const headers = this.#addGatewayHeaders(given);
			this.#response.writeHead(refusal.status, { ...headers, 'content-length': body.length });
			this.#response.end(body);
			if (this.#call) {
				this.#call.reply.setHeaders(headers);
				this.#call.reply.add(body);
				this.#call.reply.isComplete = true;
			}
			this.#resolve();
		} else {
			this.#reject(createRefusalFault(refusal, this.#request.origin, this.#request.key));
		}
	}

	/** Returns a refusal for the caller: the upstream's bytes, with the key masked if they quote it. */
	#maskRefusal(refusal: UpstreamRefusal): { readonly body: Buffer; readonly headers: OutgoingHttpHeaders } {
		const given = getEndToEndHeaders(refusal.headers);
		const { key } = this.#request;
		if (key === undefined) {
			return { body: refusal.getBody(), headers: given };
		}
		const mask = getKeyMask(key);
		const headers = maskHeaders(given, mask);
		const text = refusal.getText();
		const said = mask.maskText(text);
		if (said === text) {
			return { body: refusal.getBody(), headers };
		}
		delete headers['content-encoding'];
		return { body: Buffer.from(said), headers };
	}

	#onClose(): void {
		if (!this.#response.writableFinished) {
			this.#gone = true;
			this.#controller?.abort(createCallerGoneError());
		}
	}
}

const noBytes = Buffer.alloc(0);
/** Maximum size of a reply for which copying is cheaper than a list of buffers. */
const shortReply = 8_192;

function flushHandler(handler: PassthroughHandler): void {
	handler.flushChunks();
}

function maskHeaders(headers: OutgoingHttpHeaders, mask: KeyMask): OutgoingHttpHeaders {
	const masked: OutgoingHttpHeaders = {};
	for (const name in headers) {
		const value = headers[name];
		masked[name] = Array.isArray(value) ? value.map(each => mask.maskHeader(each)) : mask.maskHeader(String(value));
	}
	return masked;
}

function updateTail(chunk: Buffer, before: number, from: number): number {
	let tail = before;
	for (let i = from; i < chunk.length; i++) {
		tail = ((tail << 8) | (chunk[i] ?? 0)) & 0xffffff;
	}
	return tail;
}

/** True if the stream is between events: after an empty line, which may end in LF or CRLF, or before the first byte. */
function isBetweenEvents(tail: number): boolean {
	return tail === 0 || (tail & 0xffff) === 0x0a0a || tail === 0x0a0d0a;
}

function createCallerGoneError(): Error {
	return new Error('The caller has gone');
}
