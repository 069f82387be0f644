import type http from 'node:http';
import type { DifyDeployment } from './difyDeployment.ts';
import type { FakeAccount, FakeApp, Fields } from './state.ts';

/** A request and its context. */
export interface Exchange {
	readonly fake: DifyDeployment;
	readonly request: http.IncomingMessage;
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	readonly query: URLSearchParams;
	/** Path parameters by their names in the route. */
	params: Record<string, string>;
	/** JSON body; empty if there is none. */
	readonly body: Fields;
	readonly raw: Buffer;
	/** The signed-in account. */
	account?: FakeAccount;
	/** The app of the key or path. */
	app?: FakeApp;
	/** Cookies to set. */
	readonly cookies: string[];
}

/** An error in the format of the surface that throws it. */
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

/** A response other than 200 with JSON. */
export class Reply {
	readonly status: number;
	/** Strings are sent unchanged, everything else as JSON. */
	readonly body: unknown;
	readonly type: string;

	constructor(status: number, body: unknown, type = 'application/json') {
		this.status = status;
		this.body = body;
		this.type = type;
	}
}

/** A stream of events; `undefined` is a ping. */
export class Stream {
	readonly events: AsyncIterable<Fields | undefined> | Iterable<Fields | undefined>;

	constructor(events: AsyncIterable<Fields | undefined> | Iterable<Fields | undefined>) {
		this.events = events;
	}
}

/** Handles a request: its result is sent as JSON with 200 unless it is a {@link Reply} or a {@link Stream}. */
export type Handler = (exchange: Exchange) => unknown;

export interface Route {
	readonly method: string;
	/** Path under the surface, for example `/apps/{app}/dsl`. */
	readonly path: string;
	readonly handle: Handler;
	/** True if no sign-in is required. */
	readonly open?: boolean;
}

export interface Surface {
	readonly prefix: string;
	getRoutes(): readonly Route[];
	/** Allows a request or throws. */
	authorizeRequest(exchange: Exchange, route: Route): void;
	formatRefusal(refusal: Refusal): Fields;
}

/** Finds the route of a path and its parameters. */
export function findRoute(
	routes: readonly Route[],
	method: string,
	path: string,
): { route: Route; params: Record<string, string> } | undefined {
	for (const route of routes) {
		const match = route.method === method ? createPathPattern(route.path).exec(path) : null;
		if (match) {
			const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value ?? '')]);
			return { route, params: Object.fromEntries(params) };
		}
	}
	return undefined;
}

const patterns = new Map<string, RegExp>();

function createPathPattern(path: string): RegExp {
	const known = patterns.get(path);
	if (known) {
		return known;
	}
	const source = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/:]+)');
	const pattern = new RegExp(`^${source}$`);
	patterns.set(path, pattern);
	return pattern;
}

/** Returns a string of the body; `undefined` if it is absent or null. */
export function getBodyText(body: Fields, name: string): string | undefined {
	const value = body[name];
	return typeof value === 'string' ? value : undefined;
}

/** Returns an object of the body; empty if it is absent. */
export function getBodyFields(body: Fields, name: string): Fields {
	const value = body[name];
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Returns an integer of the query within limits. `refusal` has the status and code of the error. */
export function getQueryInteger(
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
