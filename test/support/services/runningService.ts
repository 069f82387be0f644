import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { closeServers, getServerUrl, listenOnLoopback } from './loopback.ts';

/** A run requested from {@link RunningService}. */
export interface AskedRun {
	readonly id: string;
	readonly model: string;
	readonly inputs: Record<string, unknown>;
	readonly mocks?: unknown;
}

/** Outcome of a run: its outputs or its error, and if an attack couldn't be tested. */
export type RunAnswer =
	| {
			readonly outputs: Record<string, unknown>;
			/** Fields of the last event to replace. */
			readonly end?: Readonly<Record<string, unknown>>;
	  }
	| { readonly error: string; readonly untested?: boolean };

/** A service on loopback that streams runs; a test defines their outcome, duration and limits. */
export class RunningService {
	/** Started runs, in order. */
	readonly begun: AskedRun[] = [];
	readonly stopped: string[] = [];
	/** Number of runs refused because of the limits. */
	refused = 0;
	/** Maximum number of concurrent runs so far. */
	most = 0;
	answer: (run: AskedRun) => RunAnswer = () => ({ outputs: { text: 'hello' } });
	/** Resolves when the run may finish; immediately by default. */
	until: (run: AskedRun) => Promise<unknown> = async () => undefined;
	/** Maximum number of concurrent runs; others are refused with 429 and this `Retry-After` in seconds. */
	limit: { readonly runs: number; readonly retryAfter: number; readonly status?: number } | undefined;
	/** Replies to chat turns. */
	chat: (query: string) => { readonly answer: string } | { readonly error: string } = () => ({ answer: '' });
	/** Replies to messages. */
	reply: (body: Record<string, unknown>) => unknown = () => ({});
	readonly #going = new Map<string, () => void>();
	readonly #server = http.createServer((request, response) => void this.#handleRequest(request, response).catch(() => response.destroy()));

	async start(): Promise<void> {
		await listenOnLoopback(this.#server);
	}

	async stop(): Promise<void> {
		await closeServers(this.#server);
	}

	get url(): string {
		return getServerUrl(this.#server);
	}

	/** Number of active runs. */
	get going(): number {
		return this.#going.size;
	}

	async #handleRequest(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk as Buffer);
		}
		const body = (chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {}) as Record<string, unknown>;
		const url = new URL(request.url ?? '', 'http://localhost').pathname;
		const task = /\/tasks\/([^/]+)\/stop$/.exec(url)?.[1];
		if (task) {
			this.stopped.push(task);
			this.#going.get(task)?.();
			return sendJson(response, 200, { result: 'success' });
		}
		if (url.endsWith('/messages')) {
			return sendJson(response, 200, this.reply(body));
		}
		if (url.endsWith('/models')) {
			return sendJson(response, 200, { data: [{ id: 'judge-1', type: 'model' }], has_more: false });
		}
		if (url.endsWith('/chat-messages')) {
			return sendChatTurn(response, this.chat(String(body['query'])));
		}
		if (!/\/workflows\/(?:draft\/)?run$/.test(url)) {
			return sendJson(response, 404, { code: 'not_found', message: 'Not found', status: 404 });
		}
		if (this.limit && this.#going.size >= this.limit.runs) {
			this.refused++;
			response.setHeader('retry-after', String(this.limit.retryAfter));
			return sendJson(response, this.limit.status ?? 429, { code: 'too_many_requests', message: 'Slower, please', status: 429 });
		}
		const id = `r${this.begun.length + 1}`;
		await this.#streamRun({ id, ...(body as { model: string; inputs: Record<string, unknown> }) }, response);
	}

	async #streamRun(run: AskedRun, response: http.ServerResponse): Promise<void> {
		const { id } = run;
		this.begun.push(run);
		const stop = Promise.withResolvers<'stopped'>();
		this.#going.set(id, () => stop.resolve('stopped'));
		this.most = Math.max(this.most, this.#going.size);
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		const sendEvent = (event: string, data: object) =>
			response.write(`data: ${JSON.stringify({ event, task_id: id, workflow_run_id: id, data: { id, created_at: 1, ...data } })}\n\n`);
		const node = { node_id: 'work', node_type: 'code', title: 'Work', index: 1, predecessor_node_id: null, inputs: run.inputs };
		sendEvent('workflow_started', { workflow_id: 'w', inputs: run.inputs });
		sendEvent('node_started', { ...node, id: `${id}-work` });
		const stopped = (await Promise.race([stop.promise, this.until(run), delay(60_000, undefined, { ref: false })])) === 'stopped';
		const answer = this.answer(run);
		const ended = stopped ? 'stopped' : 'error' in answer ? 'failed' : 'succeeded';
		const outputs = 'outputs' in answer ? answer.outputs : {};
		const error = 'error' in answer ? answer.error : null;
		sendEvent('node_finished', {
			...node,
			id: `${id}-work`,
			status: ended,
			error,
			outputs,
			process_data: null,
			elapsed_time: 0.01,
			execution_metadata: { total_tokens: 3 },
			...('untested' in answer && { untested: answer.untested }),
		});
		this.#going.delete(id);
		sendEvent('workflow_finished', {
			workflow_id: 'w',
			status: ended,
			error,
			outputs,
			elapsed_time: 0.02,
			total_tokens: 3,
			total_steps: 1,
			finished_at: 2,
			...('end' in answer && answer.end),
		});
		response.end();
	}
}

function sendChatTurn(response: http.ServerResponse, said: { readonly answer: string } | { readonly error: string }): void {
	const ids = { task_id: 't', message_id: 'm', conversation_id: 'c', created_at: 1 };
	const events =
		'error' in said
			? [
					{ event: 'message', ...ids, answer: '' },
					{ event: 'error', ...ids, status: 400, code: 'completion_request_error', message: said.error },
				]
			: [
					{ event: 'message', ...ids, answer: said.answer },
					{ event: 'message_end', ...ids, metadata: { usage: { total_tokens: 7 } } },
				];
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	response.end(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''));
}

function sendJson(response: http.ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}
