import http from 'node:http';
import { closeServers, getServerUrl, listenOnLoopback } from './loopback.ts';

/** How a service fails: an HTTP status with the service's error body, a proxy's page, silence, or a broken connection. */
export type Fault = { status: number; code: string } | 'html' | 'silence' | 'cut';

/** A service on loopback with the contract's lists, and faults defined by a test. */
export class PlayedService {
	/** Requests received: method and path with query, without headers. */
	readonly requests: string[] = [];
	/** Credentials received, in any header. */
	readonly credentials: string[] = [];
	/** Accepted key; undefined accepts any. */
	key: string | undefined;
	/** Header that must contain the key; undefined accepts any header, or the address. */
	keyHeader: 'authorization' | 'x-api-key' | undefined;
	fault: Fault | undefined;
	agents: string[] | undefined = ['echo'];
	/** Entries of the model list, as sent. */
	models: object[] = [];
	runs = 3;
	conversations: { id: string; name: string }[] = [{ id: 'c1', name: 'First talk' }];
	/** Number of characters in the outputs of each run. */
	outputSize = 10;
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

	async #handleRequest(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
		const { method = '', url = '', headers } = request;
		this.requests.push(`${method} ${url.replace(/([?&]key=)[^&]*/, '$1…')}`);
		const parsed = new URL(url, 'http://localhost');
		const key = headers.authorization?.replace(/^Bearer /, '') ?? headers['x-api-key'] ?? parsed.searchParams.get('key') ?? '';
		const isInHeader = this.keyHeader === undefined || headers[this.keyHeader] !== undefined;
		this.credentials.push(String(key));
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk as Buffer);
		}
		if (this.fault) {
			sendFault(this.fault, response);
		} else if (this.key !== undefined && !(key === this.key && isInHeader)) {
			sendFault({ status: 401, code: 'unauthorized' }, response);
		} else {
			const text = Buffer.concat(chunks).toString();
			this.#routeRequest(method, parsed, text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}, response);
		}
	}

	#routeRequest(method: string, { pathname, searchParams }: URL, body: Record<string, unknown>, response: http.ServerResponse): void {
		const id = /\/conversations\/([^/]+)/.exec(pathname)?.[1];
		const conversation = this.conversations.find(each => each.id === id);
		if (pathname.endsWith('/agents') && this.agents) {
			sendJson(response, { data: this.agents.map(createAgentSummary) });
		} else if (pathname.endsWith('/workflows/logs')) {
			sendJson(response, this.#createLogPage(searchParams));
		} else if (/\/workflows\/run\/[^/]+$/.test(pathname)) {
			sendJson(response, { ...createRun(1, 'succeeded'), inputs: '{"text":"in"}', outputs: { text: 'x'.repeat(this.outputSize) } });
		} else if (pathname.endsWith('/models')) {
			sendJson(response, { data: this.models, has_more: false });
		} else if (conversation && method === 'POST') {
			conversation.name = body['auto_generate'] ? 'Made up' : String(body['name']);
			sendJson(response, createConversation(conversation));
		} else if (conversation && method === 'DELETE') {
			this.conversations = this.conversations.filter(each => each.id !== id);
			sendJson(response, { result: 'success' });
		} else if (pathname.endsWith('/conversations')) {
			sendJson(response, { data: this.conversations.map(createConversation), has_more: false, limit: 20 });
		} else {
			sendFault({ status: 404, code: 'not_found' }, response);
		}
	}

	#createLogPage(query: URLSearchParams): unknown {
		const page = Number(query.get('page') ?? 1);
		const limit = Number(query.get('limit') ?? 20);
		const total = query.get('keyword') === 'nothing' ? 0 : this.runs;
		const first = (page - 1) * limit;
		const data = Array.from({ length: Math.max(0, Math.min(limit, total - first)) }, (_, n) =>
			createLogEntry(first + n, query.get('status') ?? 'succeeded'),
		);
		return { page, limit, total, has_more: first + limit < total, data };
	}
}

function sendFault(fault: Fault, response: http.ServerResponse): void {
	if (fault === 'html') {
		response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome to the proxy</body></html>');
	} else if (fault === 'cut') {
		response.destroy();
	} else if (fault !== 'silence') {
		sendJson(response, { code: fault.code, message: `played ${fault.code}`, status: fault.status }, fault.status);
	}
}

function sendJson(response: http.ServerResponse, value: unknown, status = 200): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const createAgentSummary = (name: string) => ({
	name,
	mode: 'advanced-chat',
	description: '',
	published: true,
	draft: false,
	workflow_id: 'w',
	file: null,
	variables: [],
	error: null,
	updated_at: 1,
});

const createConversation = ({ id, name }: { id: string; name: string }) => ({
	id,
	name,
	inputs: {},
	status: 'normal',
	introduction: '',
	created_at: 1,
	updated_at: 2,
});

const createRun = (n: number, status: string) => ({
	id: `run-${n}`,
	workflow_id: 'w',
	status,
	error: status === 'failed' ? 'code: it broke' : null,
	elapsed_time: 0.4,
	total_tokens: 7,
	total_steps: 3,
	created_at: 1_700_000_000,
	finished_at: 1_700_000_001,
});

const createLogEntry = (n: number, status: string) => ({ id: `log-${n}`, workflow_run: createRun(n, status), created_at: 1_700_000_000 });
