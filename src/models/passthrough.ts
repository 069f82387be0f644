import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { default as Dispatcher } from 'undici/types/dispatcher.d.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import { BadReplyError } from '#network/fetchThrough.ts';
import type { TextCall } from './calls/textCall.ts';
import { KeyMask, withoutKey } from './keyMask.ts';
import { isErrorValue, MaskedEvents } from './maskedEvents.ts';
import { connectionFault } from './upstreamFault.ts';
import { decompress, refusalFault, UpstreamRefusal } from './upstreamRefusal.ts';
import type { Upstreams } from './upstreams.ts';

/** A request as it goes to the upstream. */
export interface UpstreamRequest {
	readonly origin: string;
	/** Path and query. */
	readonly path: string;
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly headers: Record<string, string>;
	readonly body: Buffer | null;
	/** Key that {@link headers} carry. It is masked in every error that the upstream responds with. */
	readonly key?: string;
	/** Milliseconds until the reply has to begin, where that is not left to the connections. */
	readonly headersTimeout?: number;
	/** Sent to the caller beside the upstream's headers. */
	readonly replyHeaders?: Readonly<Record<string, string>>;
}

/** The caller's protocol, as far as a passthrough has to speak it itself. */
export interface PassthroughProtocol {
	/** Whether an error body has the protocol's form, so that it can go through as it is. */
	isErrorBody(body: unknown): boolean;
	/** What ends an event stream that broke off. */
	streamFault(fault: ServiceFault): string;
}

/**
 * Sends a request upstream and its reply to the caller byte for byte, but for the upstream's key, which is masked in errors: streamed, no faster than the caller reads, and ended upstream when the caller
 * goes away. Resolves when the reply has ended, however it ended. Rejects with a `ServiceFault`, nothing sent yet, where the upstream gave no reply
 * that the caller's protocol knows, or a refusal after which `call` has another try.
 */
export function passThrough(
	upstreams: Upstreams,
	request: UpstreamRequest,
	response: ServerResponse,
	protocol: PassthroughProtocol,
	call?: TextCall,
): Promise<void> {
	return new Promise((resolve, reject) => {
		try {
			upstreams.dispatch(request, new PassthroughHandler(request, response, protocol, call, resolve, reject));
		} catch (error) {
			reject(connectionFault(error, request.origin));
		}
	});
}

/** Carries one reply over. A class with fields, not closures: this is the gateway's hottest path. */
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
	#events: MaskedEvents | undefined;
	#gone: boolean;
	#pending: Buffer[] = [];
	#pendingSize = 0;
	#isFlushScheduled = false;
	#encoding = 'identity';
	/** The last three bytes that went through, the last one lowest: tells whether an event stream stands between two events. */
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
			controller.abort(callerGone());
		}
	}

	onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
		if (status === 101) {
			// what follows is another protocol, which never ends as a reply does
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
		this.#status = status;
		this.#headers = endToEnd(headers);
		this.#isEventStream = type.startsWith('text/event-stream');
		this.#encoding = String(headers['content-encoding'] ?? 'identity');
		if (this.#isEventStream) {
			const { key } = this.#request;
			// a compressed stream can't be searched
			if (key !== undefined && this.#encoding === 'identity') {
				this.#events = new MaskedEvents(new KeyMask(key));
				delete this.#headers['content-length'];
			}
			// The head travels with the first event where that comes at once, and alone where the model thinks first.
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
				// onResponseError sends what was read
				controller.abort(new Error('The error body is too long'));
			}
		} else if (this.#isEventStream && this.#headers) {
			this.#writePart(chunk);
		} else {
			this.#pending.push(chunk);
			this.#pendingSize += chunk.length;
			// All chunks of one read from the upstream are one write to the caller.
			if (!this.#isFlushScheduled && !this.#isHeldBack()) {
				this.#isFlushScheduled = true;
				process.nextTick(flush, this);
			}
		}
	}

	/**
	 * True while the reply may turn out to be an error that quotes the key: a short JSON object that isn't complete yet, or one that is compressed.
	 * Other replies, such as Gemini's streamed arrays and the empty lines that keep a connection open, are sent as they come.
	 */
	#isHeldBack(): boolean {
		const [first] = this.#pending;
		return (
			this.#request.key !== undefined &&
			!this.#isEventStream &&
			this.#pendingSize <= longestHeld &&
			first !== undefined &&
			(this.#encoding !== 'identity' || first.toString('latin1', 0, 64).trimStart().startsWith('{'))
		);
	}

	/** Writes what one read brought. */
	flush(): void {
		this.#isFlushScheduled = false;
		const [first] = this.#pending;
		if (!first) {
			return;
		}
		const bytes = this.#pending.length === 1 ? first : Buffer.concat(this.#pending);
		this.#pending = [];
		this.#pendingSize = 0;
		this.#writePart(bytes);
	}

	/** Writes the next part of the reply, without the events that aren't complete yet. */
	#writePart(part: Buffer): void {
		const bytes = this.#events?.add(part) ?? part;
		if (bytes.length > 0) {
			this.#write(bytes);
		}
	}

	#write(bytes: Buffer): void {
		const response = this.#response;
		const controller = this.#controller;
		if (this.#headers) {
			this.#sendHead();
		}
		response.write(bytes);
		this.#call?.reply.add(bytes);
		const { length } = bytes;
		this.#tail = length > 2 ? tailOf(bytes, 0, length - 3) : tailOf(bytes, this.#tail, 0);
		// A remembered result of write() can miss a drain that came meanwhile, and hang.
		if (response.writableNeedDrain && controller && !controller.paused) {
			controller.pause();
			response.once('drain', () => controller.resume());
		}
	}

	onResponseEnd(): void {
		if (this.#refusal) {
			this.#endRefusal(this.#refusal);
			return;
		}
		this.#end();
		if (this.#call) {
			this.#call.reply.isComplete = true;
		}
		this.#resolve();
	}

	#end(): void {
		if (this.#pending.length > 0 && this.#request.key !== undefined) {
			this.#maskError(this.#request.key);
		}
		const [first] = this.#pending;
		if (this.#headers && first && this.#pending.length === 1 && first.length <= shortReply) {
			// head and body together are one text, of which no list of buffers has to be made
			this.#pending = [];
			this.#sendHead();
			this.#call?.reply.add(first);
			this.#response.end(first.toString('latin1'), 'latin1');
			return;
		}
		this.flush();
		this.#writeHeld();
		if (this.#headers) {
			this.#sendHead();
		}
		this.#response.end();
	}

	/** Masks the key in a reply that was held back and reports an error under a status of success. */
	#maskError(key: string): void {
		const mask = new KeyMask(key);
		const body = decompress(Buffer.concat(this.#pending), this.#encoding);
		if (body && mask.isIn(body) && isErrorValue(parseBody(body))) {
			this.#pending = [mask.bytes(body)];
			delete this.#headers?.['content-length'];
			delete this.#headers?.['content-encoding'];
		}
	}

	/** Writes the start of an event that the stream didn't complete. Returns whether there was one. */
	#writeHeld(): boolean {
		const held = this.#events?.end() ?? noBytes;
		if (held.length > 0) {
			this.#write(held);
		}
		return held.length > 0;
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		const response = this.#response;
		if (this.#gone) {
			this.#resolve();
			return;
		}
		// of a reply that was held back nothing is sent yet: the caller gets an error, not half a reply
		if (this.#headers && this.#isHeldBack()) {
			this.#pending = [];
		}
		this.flush();
		const fault = connectionFault(error, this.#request.origin);
		if (this.#refusal) {
			this.#endRefusal(this.#refusal);
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
		if (this.#writeHeld()) {
			// the bytes have to leave before the connection is cut
			response.write('', () => response.destroy());
		} else if (this.#isEventStream && isBetweenEvents(this.#tail)) {
			response.end(this.#protocol.streamFault(fault));
		} else {
			// In the middle of an event or a JSON body nothing can be said any more: a cut connection tells it.
			response.destroy();
		}
		this.#resolve();
	}

	#sendHead(): void {
		const headers = this.#withOwn(this.#headers ?? {});
		this.#call?.reply.begin(headers);
		this.#response.writeHead(this.#status, headers);
		this.#headers = undefined;
	}

	/** What the upstream says, with what this gateway has to tell: a warning of its own stands beside those of the upstream. */
	#withOwn(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
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

	#endRefusal(refusal: UpstreamRefusal): void {
		if (!this.#call?.hasNext && refusal.status >= 400 && this.#protocol.isErrorBody(refusal.json())) {
			const { body, headers: given } = this.#masked(refusal);
			const headers = this.#withOwn(given);
			this.#response.writeHead(refusal.status, { ...headers, 'content-length': body.length });
			this.#response.end(body);
			if (this.#call) {
				this.#call.reply.begin(headers);
				this.#call.reply.add(body);
				this.#call.reply.isComplete = true;
			}
			this.#resolve();
		} else {
			this.#reject(refusalFault(refusal, this.#request.origin, this.#request.key));
		}
	}

	/** A refusal for the caller. Its bytes are the upstream's, unless they quote the key. */
	#masked(refusal: UpstreamRefusal): { readonly body: Buffer; readonly headers: OutgoingHttpHeaders } {
		const headers = endToEnd(refusal.headers);
		const { key } = this.#request;
		if (key === undefined) {
			return { body: refusal.body(), headers };
		}
		for (const name in headers) {
			const value = headers[name];
			headers[name] = typeof value === 'string' ? withoutKey(value, key) : value;
		}
		const text = refusal.text();
		const said = withoutKey(text, key);
		if (said === text) {
			return { body: refusal.body(), headers };
		}
		delete headers['content-encoding'];
		return { body: Buffer.from(said), headers };
	}

	#onClose(): void {
		if (!this.#response.writableFinished) {
			this.#gone = true;
			this.#controller?.abort(callerGone());
		}
	}
}

const noBytes = Buffer.alloc(0);
/** Bytes of a reply that are held back at most to look for a quoted key. Error bodies are far shorter. */
const longestHeld = 65_536;
/** Bytes of a reply for which a copy costs less than a list of buffers does. */
const shortReply = 8_192;

function flush(handler: PassthroughHandler): void {
	handler.flush();
}

/** Headers that belong to one connection (RFC 9110, 7.6.1) stay on it. Which web pages may read the response, this gateway says. */
function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
	const kept: OutgoingHttpHeaders = {};
	for (const name in headers) {
		if (!hopByHop.has(name) && !name.startsWith('access-control-')) {
			kept[name] = headers[name];
		}
	}
	return kept;
}

const hopByHop = new Set([
	'connection',
	'keep-alive',
	'proxy-authenticate',
	'proxy-authorization',
	'proxy-connection',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
]);

function parseBody(body: Buffer): unknown {
	return tryParseJson(body.toString());
}

function tailOf(chunk: Buffer, before: number, from: number): number {
	let tail = before;
	for (let i = from; i < chunk.length; i++) {
		tail = ((tail << 8) | (chunk[i] ?? 0)) & 0xffffff;
	}
	return tail;
}

/** An event ends with an empty line, which may end in LF or CRLF; before the first byte nothing is open either. */
function isBetweenEvents(tail: number): boolean {
	return tail === 0 || (tail & 0xffff) === 0x0a0a || tail === 0x0a0d0a;
}

function callerGone(): Error {
	return new Error('The caller has gone');
}
