import type http from 'node:http';
import type { DifyDeployment } from './difyDeployment.ts';
import type { FakeAccount, FakeApp, Fields } from './state.ts';

/** One request while it is answered. */
export interface Exchange {
	readonly fake: DifyDeployment;
	readonly request: http.IncomingMessage;
	readonly method: string;
	/** Without query. */
	readonly path: string;
	readonly query: URLSearchParams;
	/** Parts of the path by their name in the route. */
	params: Record<string, string>;
	/** What was sent as JSON; empty where nothing was. */
	readonly body: Fields;
	readonly raw: Buffer;
	/** Who asks, after the surface let them in. */
	account?: FakeAccount;
	/** The app whose key or path was named. */
	app?: FakeApp;
	/** Cookies to set. */
	readonly cookies: string[];
}

/** A refusal in the form of whatever surface it is thrown on. */
export class Refusal extends Error {
	readonly status: number;
	readonly code: string;
	readonly more: Fields;
	readonly headers: Record<string, string>;

	constructor(status: number, code: string, message: string, more: Fields = {}, headers: Record<string, string> = {}) {
		super(message);
		this.status = status;
		this.code = code;
		this.more = more;
		this.headers = headers;
	}
}

/** An answer that is not 200 with JSON. */
export class Reply {
	readonly status: number;
	/** Text is sent as it is; all else as JSON. */
	readonly body: unknown;
	readonly type: string;

	constructor(status: number, body: unknown, type = 'application/json') {
		this.status = status;
		this.body = body;
		this.type = type;
	}
}

/** A stream of events; one that is `undefined` is a ping. */
export class Stream {
	readonly events: AsyncIterable<Fields | undefined> | Iterable<Fields | undefined>;

	constructor(events: AsyncIterable<Fields | undefined> | Iterable<Fields | undefined>) {
		this.events = events;
	}
}

/** Answers a request: what it returns is sent as JSON with 200 unless it is a {@link Reply} or a {@link Stream}. */
export type Handler = (exchange: Exchange) => unknown;

export interface Route {
	readonly method: string;
	/** Below the surface, as in `/apps/{app}/dsl`. */
	readonly path: string;
	readonly handle: Handler;
	/** Open to who is not signed in. */
	readonly open?: boolean;
}

export interface Surface {
	readonly prefix: string;
	routes(): readonly Route[];
	/** Lets a request in or throws. */
	enter(exchange: Exchange, route: Route): void;
	refused(refusal: Refusal): Fields;
}

/** The route of a path, and what its names stand for. */
export function routed(
	routes: readonly Route[],
	method: string,
	path: string,
): { route: Route; params: Record<string, string> } | undefined {
	for (const route of routes) {
		const match = route.method === method ? patternOf(route.path).exec(path) : null;
		if (match) {
			const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value ?? '')]);
			return { route, params: Object.fromEntries(params) };
		}
	}
	return undefined;
}

const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
	const known = patterns.get(path);
	if (known) {
		return known;
	}
	const source = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/:]+)');
	const pattern = new RegExp(`^${source}$`);
	patterns.set(path, pattern);
	return pattern;
}

/** A text of the body; `undefined` where it is absent or null. */
export function text(body: Fields, name: string): string | undefined {
	const value = body[name];
	return typeof value === 'string' ? value : undefined;
}

/** An object of the body; empty where it is absent. */
export function fields(body: Fields, name: string): Fields {
	const value = body[name];
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** A whole number of the query within its bounds; `code` names the refusal of others. */
export function whole(
	exchange: Exchange,
	name: string,
	{ usual, most }: { usual: number; most: number },
	refusal: [number, string],
): number {
	const given = exchange.query.get(name);
	const value = given === null ? usual : Number(given);
	if (!Number.isInteger(value) || value < 1 || value > most) {
		throw new Refusal(...refusal, `${name}: Input should be from 1 to ${most}`);
	}
	return value;
}
