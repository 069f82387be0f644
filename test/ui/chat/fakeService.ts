import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request: path without query, and JSON body. */
export interface Received {
	readonly path: string;
	// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of four endpoints
	readonly body: any;
	readonly response: http.ServerResponse;
	/** The text of the last message, for every endpoint. */
	readonly text: string;
}

/** A service whose responses a test defines. */
export interface FakeService {
	readonly url: string;
	readonly received: Received[];
	/** Sets the handler of the next requests; the default replies "Echo: …" to each message. */
	setHandler(handler: (request: Received) => void | Promise<void>): void;
	close(): Promise<void>;
}

/** Starts a service on loopback with the streaming endpoints C, D and E, and one model. */
export async function startFakeService({ model = 'fake-model' } = {}): Promise<FakeService> {
	const received: Received[] = [];
	let handler: (request: Received) => void | Promise<void> = sendEchoReply;
	const server = http.createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk);
		}
		const path = new URL(request.url ?? '/', 'http://localhost').pathname;
		if (request.method === 'GET') {
			const models = path.startsWith('/v1beta')
				? { models: [{ name: `models/${model}`, supportedGenerationMethods: ['generateContent'] }] }
				: {
						data: [{ type: 'model', id: model, display_name: model === 'fake-model' ? 'Fake model' : model, max_input_tokens: 200 }],
						has_more: false,
						first_id: null,
						last_id: null,
					};
			response.setHeader('content-type', 'application/json').end(JSON.stringify(models));
			return;
		}
		const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
		const entry = { path, body, response, text: getMessageText(body) };
		received.push(entry);
		await handler(entry);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		setHandler(next) {
			handler = next;
		},
		async close() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

/** Streams a reply in the format of the requested endpoint, one event per word. */
export async function streamReply(request: Received, text: string, options: { delayMs?: number; cut?: boolean } = {}): Promise<void> {
	const { response } = request;
	const send = startStream(request);
	for (const piece of text.match(/\S*\s*/g) ?? []) {
		if (piece && !response.destroyed) {
			send.text(piece);
			if (options.delayMs) {
				await new Promise(resolve => setTimeout(resolve, options.delayMs));
			}
		}
	}
	if (options.cut) {
		response.end();
	} else {
		send.end();
	}
}

/** Streams a reply in the format of its endpoint, chunk by chunk. */
export function startStream({ path, body, response }: Received): { text(piece: string): void; end(): void } {
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	const writeEvent = (value: unknown, name?: string) =>
		response.write(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(value)}\n\n`);
	const writeNamedEvent = (value: { type: string; [field: string]: unknown }) => writeEvent(value, value.type);
	if (path.endsWith('/complete')) {
		const writeChunk = (completion: string, stop_reason: string | null) =>
			writeNamedEvent({ type: 'completion', id: 'compl_1', model: 'fake-model', completion, stop_reason });
		return {
			text: text => writeChunk(text, null),
			end: () => {
				writeChunk('', 'stop_sequence');
				response.end();
			},
		};
	}
	if (path.includes('treamGenerateContent')) {
		return {
			text: text => writeEvent({ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }], modelVersion: 'fake-model' }),
			end: () => {
				writeEvent({
					candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
					usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5, totalTokenCount: 12 },
				});
				response.end();
			},
		};
	}
	const message = {
		id: 'msg_1',
		type: 'message',
		role: 'assistant',
		model: String(body.model ?? 'fake-model'),
		content: [],
		stop_reason: null,
	};
	writeNamedEvent({ type: 'message_start', message: { ...message, usage: { input_tokens: 7, output_tokens: 1 } } });
	writeNamedEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
	return {
		text: text => writeNamedEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
		end: () => {
			writeNamedEvent({ type: 'content_block_stop', index: 0 });
			writeNamedEvent({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } });
			writeNamedEvent({ type: 'message_stop' });
			response.end();
		},
	};
}

/** Streams these events for any endpoint: `data` for each, `event` if it has a type. */
export function streamEvents({ response }: Received, events: readonly Readonly<Record<string, unknown>>[]): void {
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	for (const event of events) {
		response.write(`${typeof event['type'] === 'string' ? `event: ${event['type']}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
	}
	response.end();
}

/** Responds with an error in the format of the Messages endpoint. */
export function sendError(
	{ response }: Received,
	status: number,
	type: string,
	message: string,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify({ type: 'error', error: { type, message } }));
}

function sendEchoReply(request: Received): Promise<void> {
	return streamReply(request, `Echo: ${request.text}`);
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of four endpoints
function getMessageText(body: any): string {
	const content = body.messages?.at(-1)?.content ?? body.contents?.at(-1)?.parts;
	if (Array.isArray(content)) {
		return content.flatMap(part => (typeof part.text === 'string' ? [part.text] : [])).join('\n');
	}
	return (
		content ??
		body.query ??
		String(body.prompt ?? '')
			.split('\n\nHuman: ')
			.at(-1)
			?.replace(/\n\nAssistant:$/, '') ??
		''
	);
}
