import { randomUUID } from 'node:crypto';
import { isInitializeRequest, type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/** How many sessions are kept, and how long one that nobody uses. */
interface SessionLimits {
	readonly most: number;
	readonly idleMs: number;
	/** Milliseconds of a clock that only goes forward. */
	now(): number;
}

const defaultLimits: SessionLimits = { most: 100, idleMs: 3_600_000, now: () => performance.now() };

interface Session {
	readonly server: Server;
	readonly transport: WebStandardStreamableHTTPServerTransport;
	usedAt: number;
	/** Calls that go on. */
	calls: number;
	/** Streams that its client listens to for changes: one, or none. */
	listening: number;
}

/**
 * Sessions of clients that speak the protocol as it was until 2025-11-25. A call is cancelled by a message of its session, or with it; a client whose session
 * was ended is told so by 404, and begins a new one.
 */
export class McpSessions {
	readonly #makeServer: (started: () => () => void) => Server;
	readonly #limits: SessionLimits;
	readonly #sessions = new Map<string, Session>();
	readonly #sweep: NodeJS.Timeout;

	/** @param makeServer makes the server of a session; it is handed what is to be called when a call begins */
	constructor(makeServer: (started: () => () => void) => Server, limits = defaultLimits) {
		this.#makeServer = makeServer;
		this.#limits = limits;
		this.#sweep = setInterval(() => this.endIdle(), 60_000).unref();
	}

	/** Number of sessions that are kept. */
	get size(): number {
		return this.#sessions.size;
	}

	/**
	 * Answers one request.
	 * @param body of a POST, parsed
	 */
	async answer(request: Request, body: unknown): Promise<Response> {
		const id = request.headers.get('mcp-session-id');
		if (id === null) {
			return isInitializeRequest(body) ? this.#begin(request, body) : withoutSession(request);
		}
		const session = this.#sessions.get(id);
		if (!session) {
			return refusal(404, -32001, 'Session not found: it was ended, or begun elsewhere. Begin a new one with "initialize".');
		}
		session.usedAt = this.#limits.now();
		const response = await session.transport.handleRequest(request, { parsedBody: body });
		if (request.method === 'GET' && response.ok && !request.signal.aborted) {
			session.listening++;
			request.signal.addEventListener('abort', () => {
				session.listening--;
				session.usedAt = this.#limits.now();
			});
		}
		return response;
	}

	/** Tells all clients that listen. */
	toolsChanged(): void {
		for (const { server } of this.#sessions.values()) {
			// one whose stream broke hears of it with its next list
			server.sendToolListChanged().catch(() => {});
		}
	}

	/** Ends sessions that nobody has used for long. */
	endIdle(): void {
		const { idleMs, now } = this.#limits;
		for (const session of this.#sessions.values()) {
			if (session.calls === 0 && session.listening === 0 && now() - session.usedAt > idleMs) {
				void session.transport.close();
			}
		}
	}

	/** Ends all sessions, and the calls that go on in them. */
	async close(): Promise<void> {
		clearInterval(this.#sweep);
		await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
	}

	async #begin(request: Request, body: unknown): Promise<Response> {
		if (!this.#makeRoom()) {
			return refusal(503, -32000, `At most ${this.#limits.most} MCP sessions can have calls that go on: try again later.`);
		}
		const transport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			onsessioninitialized: id => void this.#sessions.set(id, session),
		});
		const server = this.#makeServer(() => {
			session.calls++;
			return () => {
				session.calls--;
				session.usedAt = this.#limits.now();
			};
		});
		const session: Session = { server, transport, usedAt: this.#limits.now(), calls: 0, listening: 0 };
		server.onclose = () => transport.sessionId !== undefined && this.#sessions.delete(transport.sessionId);
		await server.connect(transport);
		return transport.handleRequest(request, { parsedBody: body });
	}

	/** Ends the session that was used the longest ago where there are too many: of those without a call, first of those that do not listen. */
	#makeRoom(): boolean {
		if (this.#sessions.size < this.#limits.most) {
			return true;
		}
		const [oldest] = [...this.#sessions.values()]
			.filter(({ calls }) => calls === 0)
			.sort((a, b) => a.listening - b.listening || a.usedAt - b.usedAt);
		void oldest?.transport.close();
		return oldest !== undefined;
	}
}

/** Without a session nothing can be got or ended (2026-07-28), and of before only "initialize" is taken. */
function withoutSession(request: Request): Response {
	return request.method === 'POST'
		? refusal(400, -32000, 'Expected the header Mcp-Session-Id, the request "initialize", or a request of protocol version 2026-07-28.')
		: refusal(405, -32000, `${request.method} is not allowed without the header Mcp-Session-Id: expected POST.`, { allow: 'POST' });
}

function refusal(status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
	return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers });
}
