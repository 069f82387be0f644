import { randomUUID } from 'node:crypto';
import { isInitializeRequest, type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/** Maximum number of sessions, and how long an unused session is kept. */
interface SessionLimits {
	readonly most: number;
	readonly idleMs: number;
	/** Returns the milliseconds of a monotonic clock. */
	now(): number;
}

const defaultLimits: SessionLimits = { most: 100, idleMs: 3_600_000, now: () => performance.now() };

interface Session {
	readonly server: Server;
	readonly transport: WebStandardStreamableHTTPServerTransport;
	usedAt: number;
	/** Number of active calls. */
	calls: number;
	/** Number of streams on which the client listens for changes: one or none. */
	listening: number;
}

/**
 * Sessions of clients with protocol versions up to 2025-11-25. A call is canceled by a message in its session, or when the session ends. A
 * client whose session has ended gets status 404 and starts a new one.
 */
export class McpSessions {
	readonly #makeServer: (started: () => () => void) => Server;
	readonly #limits: SessionLimits;
	readonly #sessions = new Map<string, Session>();
	readonly #sweep: NodeJS.Timeout;

	/** @param makeServer creates the server of a session; its argument must be called when a call starts */
	constructor(makeServer: (started: () => () => void) => Server, limits = defaultLimits) {
		this.#makeServer = makeServer;
		this.#limits = limits;
		this.#sweep = setInterval(() => this.endIdleSessions(), 60_000).unref();
	}

	/** Number of open sessions. */
	get size(): number {
		return this.#sessions.size;
	}

	/**
	 * Responds to one request.
	 * @param body parsed body of a POST
	 */
	async handleRequest(request: Request, body: unknown): Promise<Response> {
		const id = request.headers.get('mcp-session-id');
		if (id === null) {
			return isInitializeRequest(body) ? this.#startSession(request, body) : refuseWithoutSession(request);
		}
		const session = this.#sessions.get(id);
		if (!session) {
			return createError(404, -32001, 'Session not found. Start a new one with "initialize".');
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

	/** Notifies all listening clients. */
	notifyToolsChanged(): void {
		for (const { server } of this.#sessions.values()) {
			// a client whose stream is broken sees the change the next time it requests the list
			server.sendToolListChanged().catch(() => {});
		}
	}

	/** Ends sessions that were unused for too long. */
	endIdleSessions(): void {
		const { idleMs, now } = this.#limits;
		for (const session of this.#sessions.values()) {
			if (session.calls === 0 && session.listening === 0 && now() - session.usedAt > idleMs) {
				void session.transport.close();
			}
		}
	}

	/** Ends all sessions with their active calls. */
	async close(): Promise<void> {
		clearInterval(this.#sweep);
		await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
	}

	async #startSession(request: Request, body: unknown): Promise<Response> {
		if (!this.#makeRoom()) {
			return createError(503, -32000, `Too many MCP sessions with active calls (limit: ${this.#limits.most}). Try again later.`);
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

	/**
	 * Ends the least recently used session that has no active call, if there are too many sessions. Prefers sessions that aren't listening.
	 */
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

/**
 * Refuses a request without a session. There is nothing to read or end without one (2026-07-28), and older versions may only send
 * "initialize".
 */
function refuseWithoutSession(request: Request): Response {
	return request.method === 'POST'
		? createError(400, -32000, 'Expected the header Mcp-Session-Id, an "initialize" request, or a request of protocol version 2026-07-28.')
		: createError(405, -32000, `${request.method} isn't allowed without the header Mcp-Session-Id. Expected POST.`, { allow: 'POST' });
}

function createError(status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
	return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers });
}
