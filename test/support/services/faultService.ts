import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handles one request. */
export type Handler = (response: http.ServerResponse, body: Record<string, unknown>) => void | Promise<void>;

/** Handlers by endpoint; an endpoint without one responds with 404. */
export interface Behaviour {
	run?: Handler;
	detail?: Handler;
	stop?: Handler;
	agents?: Handler;
	/** Events of a run from its start. */
	follow?: Handler;
	/** Submission of a form. */
	form?: Handler;
}

/** A service on loopback with the contract's workflow endpoints and faults defined by a test. */
export class FaultService {
	/** Requests received: method and path. */
	readonly requests: string[] = [];
	behaviour: Behaviour = {};
	#server = http.createServer((request, response) => void this.#handleRequest(request, response));
	#port = 0;

	async start(): Promise<void> {
		this.#server.listen(this.#port, '127.0.0.1');
		await once(this.#server, 'listening');
		this.#port = (this.#server.address() as AddressInfo).port;
	}

	/** Closes all connections immediately, like a crash. */
	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, 'close');
		this.#server = http.createServer((request, response) => void this.#handleRequest(request, response));
	}

	get url(): string {
		return `http://127.0.0.1:${this.#port}`;
	}

	async #handleRequest(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
		const { method = '', url = '' } = request;
		const { pathname } = new URL(url, 'http://localhost');
		this.requests.push(`${method} ${pathname}`);
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk as Buffer);
		}
		const text = Buffer.concat(chunks).toString();
		const handler = this.#findHandler(method, pathname);
		if (handler) {
			await handler(response, text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {});
		} else {
			sendJson(response, { code: 'not_found', message: 'Not found.', status: 404 }, 404);
		}
	}

	#findHandler(method: string, path: string): Handler | undefined {
		if (path.endsWith('/workflows/run') && method === 'POST') {
			return this.behaviour.run;
		}
		if (/\/workflows\/run\/[^/]+$/.test(path)) {
			return this.behaviour.detail;
		}
		if (path.includes('/form/human_input/')) {
			return method === 'POST' ? this.behaviour.form : undefined;
		}
		if (path.endsWith('/events')) {
			return this.behaviour.follow;
		}
		return path.endsWith('/stop') ? this.behaviour.stop : path.endsWith('/agents') ? this.behaviour.agents : undefined;
	}
}

export function sendJson(response: http.ServerResponse, value: unknown, status = 200): void {
	response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

/** An event stream for a test to write to. */
export class EventWriter {
	readonly #response: http.ServerResponse;
	readonly #closed: Promise<unknown>;

	constructor(response: http.ServerResponse) {
		this.#response = response;
		this.#closed = once(response, 'close');
		response.writeHead(200, { 'Content-Type': 'text/event-stream' });
		response.flushHeaders();
	}

	/** Sends events, and waits if the reader is slower. */
	async sendEvents(...events: object[]): Promise<void> {
		await this.sendBytes(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''));
	}

	async sendBytes(bytes: string | Buffer): Promise<void> {
		if (!this.#response.write(bytes)) {
			await Promise.race([once(this.#response, 'drain'), this.#closed]);
		}
	}

	endStream(): void {
		this.#response.end();
	}

	/** Breaks the connection during the response. */
	breakConnection(): void {
		this.#response.destroy();
	}
}

const ids = { task_id: 'task-0001', workflow_run_id: 'a0b1c2d3-0000-4000-8000-00000000cafe' };

/** Events and details of the service's only run. */
export const play = {
	ids,
	started: { event: 'workflow_started', ...ids, data: { id: ids.workflow_run_id, workflow_id: 'w', inputs: {}, created_at: 1 } },
	nodeStarted: (index: number, title = `Node ${index}`) => ({ event: 'node_started', ...ids, data: createNodeData(index, title) }),
	nodeFinished: (index: number, more: object = {}) => ({
		event: 'node_finished',
		...ids,
		data: {
			...createNodeData(index, `Node ${index}`),
			process_data: null,
			outputs: {},
			status: 'succeeded',
			error: null,
			elapsed_time: 0.002,
			execution_metadata: null,
			...more,
		},
	}),
	finished: (status: string, outputs: object | null = { text: 'done' }) => ({
		event: 'workflow_finished',
		...ids,
		data: createRunDetail(status, outputs),
	}),
	detail: createRunDetail,
};

function createNodeData(index: number, title: string): object {
	return { id: `e${index}`, node_id: `n${index}`, node_type: 'code', title, index, predecessor_node_id: null, inputs: {}, created_at: 1 };
}

function createRunDetail(status: string, outputs: object | null = { text: 'done' }): object {
	const over = status !== 'running';
	return {
		id: ids.workflow_run_id,
		workflow_id: 'w',
		status,
		inputs: '{}',
		outputs,
		error: null,
		elapsed_time: 1.25,
		total_tokens: 7,
		total_steps: 3,
		created_at: 1,
		finished_at: over ? 2 : null,
	};
}
