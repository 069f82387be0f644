import http from 'node:http';
import { closeServers, getServerUrl, listenOnLoopback } from '../support/services/loopback.ts';

/** A service that runs workflows under the control of a test and implements nothing else of the API. */
export class FakeService {
	/** Unfinished runs by task ID. */
	readonly openRuns = new Map<string, http.ServerResponse>();
	/** Number of started runs. */
	startedRuns = 0;
	/** Number of stop requests. */
	stopped = 0;
	/** True if runs continue until they are stopped. */
	keepsRunsOpen = false;
	/** Number of requests to refuse with 429 before one is accepted. */
	refusals = 0;
	readonly #server = http.createServer((request, response) => void this.#handleRequest(request, response));

	async start(): Promise<void> {
		await listenOnLoopback(this.#server);
	}

	async stop(): Promise<void> {
		await closeServers(this.#server);
	}

	/** Closes all connections in the middle of their responses. */
	closeAllConnections(): void {
		this.#server.close();
		this.#server.closeAllConnections();
	}

	get url(): string {
		return getServerUrl(this.#server);
	}

	async #handleRequest(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
		request.resume();
		await new Promise(resolve => request.once('end', resolve));
		const task = /\/tasks\/([^/]+)\/stop$/.exec(request.url ?? '')?.[1];
		if (task !== undefined) {
			this.stopped++;
			this.#finishRun(task, 'stopped');
			response.setHeader('content-type', 'application/json').end('{"result":"success"}');
		} else if (!request.url?.endsWith('/workflows/run')) {
			response.writeHead(404, { 'content-type': 'application/json' }).end('{"code":"not_found","message":"No such path.","status":404}');
		} else if (this.refusals > 0) {
			this.refusals--;
			response
				.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
				.end('{"code":"too_many_requests","message":"Slow down.","status":429}');
		} else {
			this.#startRun(response);
		}
	}

	#startRun(response: http.ServerResponse): void {
		const id = `run-${++this.startedRuns}`;
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		this.openRuns.set(id, response);
		response.on('close', () => this.openRuns.delete(id));
		this.#sendEvent(id, 'workflow_started', { id, workflow_id: 'w', inputs: {}, created_at: 1 });
		if (!this.keepsRunsOpen) {
			this.#finishRun(id, 'succeeded');
		}
	}

	#finishRun(id: string, status: string): void {
		const times = { elapsed_time: 0.1, total_tokens: 0, total_steps: 1, created_at: 1, finished_at: 2 };
		this.#sendEvent(id, 'workflow_finished', { id, workflow_id: 'w', status, outputs: { text: 'done' }, error: null, ...times });
		this.openRuns.get(id)?.end();
	}

	#sendEvent(id: string, event: string, data: object): void {
		this.openRuns.get(id)?.write(`data: ${JSON.stringify({ event, task_id: id, workflow_run_id: id, data })}\n\n`);
	}
}
