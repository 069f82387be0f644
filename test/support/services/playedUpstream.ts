import http from 'node:http';
import { closeServers, getServerUrl, listenOnLoopback } from './loopback.ts';

/** A received request: path without query, headers and body. */
export interface PlayedRequest {
	readonly path: string;
	readonly headers: http.IncomingHttpHeaders;
	readonly body: Record<string, unknown>;
}

/** A response: events of a stream, which stays open if `open` is set, or an error with its body. */
export type PlayedAnswer =
	| { readonly events: readonly object[]; readonly open?: boolean }
	| { readonly status: number; readonly error: object };

/** A fake model service on loopback that responds as the test defines, and records its requests. */
export class PlayedUpstream {
	readonly requests: PlayedRequest[] = [];
	answer: PlayedAnswer | ((request: PlayedRequest) => PlayedAnswer) = { events: [] };
	/** Resolves when a client has closed a stream that was kept open. */
	letGo = new Promise<void>(() => {});
	readonly #server = http.createServer((request, response) => void this.#handleRequest(request, response));

	async start(): Promise<void> {
		await listenOnLoopback(this.#server);
	}

	async stop(): Promise<void> {
		await closeServers(this.#server);
	}

	get url(): string {
		return getServerUrl(this.#server);
	}

	get last(): PlayedRequest {
		const last = this.requests.at(-1);
		if (!last) {
			throw new Error('Nothing was asked');
		}
		return last;
	}

	async #handleRequest(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk as Buffer);
		}
		const text = Buffer.concat(chunks).toString();
		const path = (request.url ?? '').split('?')[0] ?? '';
		const asked = { path, headers: request.headers, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} };
		this.requests.push(asked);
		const answer = typeof this.answer === 'function' ? this.answer(asked) : this.answer;
		if ('status' in answer) {
			response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.error));
			return;
		}
		this.letGo = new Promise(resolve => response.on('close', resolve));
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		for (const event of answer.events) {
			const type = (event as { type?: string }).type;
			response.write(`${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
		}
		if (!answer.open) {
			response.end();
		}
	}
}

/** Returns the events of a reply of C: blocks in order, then its end. */
export function createMessagesReply(blocks: readonly object[], end: { stop?: string; usage?: object } = {}): object[] {
	return [
		{
			type: 'message_start',
			message: { id: 'm', type: 'message', role: 'assistant', model: 'played', content: [], usage: { input_tokens: 10, output_tokens: 1 } },
		},
		...blocks,
		{ type: 'message_delta', delta: { stop_reason: end.stop ?? 'end_turn' }, usage: { output_tokens: 5, ...end.usage } },
		{ type: 'message_stop' },
	];
}

/** Returns the events of a text block in several chunks. */
export function createTextBlock(index: number, ...pieces: string[]): object[] {
	return [
		{ type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
		...pieces.map(text => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })),
		{ type: 'content_block_stop', index },
	];
}

/** Returns the events of a tool call whose input comes in chunks. */
export function createCallBlock(index: number, id: string, name: string, ...pieces: string[]): object[] {
	return [
		{ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } },
		...pieces.map(partial_json => ({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } })),
		{ type: 'content_block_stop', index },
	];
}
