import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpCall, HttpReply } from './caseFile.ts';

/** Placeholder address in the files, and headers that differ between clients. */
const namedAddress = 'http://service.test';
const clientHeaders = new Set(['host', 'content-length', 'user-agent', 'accept', 'accept-encoding', 'connection', 'transfer-encoding']);

/** The service for http-request nodes of a case: a loopback server that returns each node's recorded replies. */
export class FakeService {
	readonly #replies: Readonly<Record<string, HttpReply | readonly HttpReply[]>>;
	readonly #server = http.createServer((request, response) => void this.#handleRequest(request, response));
	/** The node that sends the next request; cases send one at a time. */
	#node = '';
	/** Requests so far, in their recorded form. */
	readonly calls: HttpCall[] = [];
	#address = namedAddress;

	constructor(replies: Readonly<Record<string, HttpReply | readonly HttpReply[]>>) {
		this.#replies = replies;
	}

	async start(): Promise<void> {
		await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
		this.#address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	close(): void {
		this.#server.closeAllConnections();
		this.#server.close();
	}

	/** Selects the node that is about to send its request. */
	selectNode(nodeId: string): void {
		this.#node = nodeId;
	}

	/** Replaces the placeholder address in a file with this service's address. */
	insertServiceAddress(text: string): string {
		return text.replaceAll(namedAddress, this.#address);
	}

	/** Replaces this service's address in the events of a run with the placeholder address. */
	replaceServiceAddress<T>(value: T): T {
		return JSON.parse(JSON.stringify(value).replaceAll(this.#address, namedAddress)) as T;
	}

	async #handleRequest(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk as Buffer);
		}
		const boundary = /boundary=(\S+)/.exec(request.headers['content-type'] ?? '')?.[1];
		const maskBoundary = (text: string) => (boundary ? text.replaceAll(boundary, 'BOUNDARY') : text);
		const reply = this.#getNextReply(this.#node);
		const headers = Object.entries(request.headers).filter(([name]) => !clientHeaders.has(name));
		this.calls.push({
			node_id: this.#node,
			method: request.method as string,
			url: `${namedAddress}${request.url}`,
			headers: Object.fromEntries(headers.map(([name, value]) => [name, maskBoundary(String(value))]).sort()),
			body: maskBoundary(Buffer.concat(chunks).toString()),
			reply,
		});
		if (reply.error !== undefined) {
			request.socket.destroy();
			return;
		}
		response.writeHead(reply.status ?? 200, { ...reply.headers });
		response.end(reply.body ?? '');
	}

	#getNextReply(nodeId: string): HttpReply {
		const replies = [this.#replies[nodeId] ?? { error: 'no reply is recorded' }].flat();
		const attempt = this.calls.filter(call => call.node_id === nodeId).length;
		return replies[Math.min(attempt, replies.length - 1)] as HttpReply;
	}
}
