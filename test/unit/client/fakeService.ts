import http from 'node:http';
import { closeServers, getServerUrl, listenOnLoopback } from '../../support/services/loopback.ts';

/** A response of the fake service: JSON, a raw body (an event stream unless `type` is set), or a function. */
export type Answer =
	| { status?: number; headers?: Record<string, string>; json: unknown }
	| { status?: number; headers?: Record<string, string>; type?: string; body: string | Buffer }
	| ((request: http.IncomingMessage, response: http.ServerResponse) => void);

export interface SeenRequest {
	method: string;
	url: string;
	headers: http.IncomingHttpHeaders;
	body: string;
}

/** A service on loopback that responds as a test defines, and records its requests. */
export class FakeService {
	readonly requests: SeenRequest[] = [];
	readonly #server = http.createServer((request, response) => this.#onRequest(request, response));
	#answers: Answer[] = [];

	async start(): Promise<void> {
		await listenOnLoopback(this.#server);
	}

	async stop(): Promise<void> {
		await closeServers(this.#server);
	}

	get url(): string {
		return getServerUrl(this.#server);
	}

	/** Responses of the next requests, in order; the last one is repeated. */
	setAnswers(...answers: Answer[]): void {
		this.#answers = answers;
		this.requests.length = 0;
	}

	/** Open connections. */
	countConnections(): Promise<number> {
		return new Promise((resolve, reject) => this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
	}

	async #onRequest(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk);
		}
		this.requests.push({ method: request.method!, url: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() });
		const answer = this.#answers.length > 1 ? this.#answers.shift()! : this.#answers[0]!;
		if (typeof answer === 'function') {
			answer(request, response);
			return;
		}
		const body = 'json' in answer ? JSON.stringify(answer.json) : answer.body;
		const type = 'json' in answer ? 'application/json' : (answer.type ?? 'text/event-stream');
		response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers });
		response.end(body);
	}
}

/** Returns all values of an iterator. */
export async function collectEvents<T>(events: AsyncIterable<T>): Promise<T[]> {
	const all: T[] = [];
	for await (const event of events) {
		all.push(event);
	}
	return all;
}
