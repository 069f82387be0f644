import type { IncomingMessage } from 'node:http';
import type { ServedEndpoint } from '#contract/endpoints/endpoint.ts';
import type { RouteGroup } from '#contract/faults/routeGroup.ts';
import type { Exchange } from './exchange.ts';

/** One operation of the service. */
export interface Route extends Pick<ServedEndpoint, 'method' | 'group' | 'bodyLimit'> {
	/** Path with placeholders, as in {@link ServedEndpoint}. */
	readonly path: string;
	/** The documented endpoint. */
	readonly endpoint?: ServedEndpoint;
	/** Returns the group of a request, if clients of several protocols use the same path. */
	getGroup?(request: IncomingMessage): RouteGroup;
	/** Responds to the exchange, or throws a `ServiceFault`. */
	handle(exchange: Exchange): void | Promise<void>;
}

/** Creates the route of an endpoint. */
export function createRoute(endpoint: ServedEndpoint, handle: Route['handle']): Route {
	const { method, group, bodyLimit, paths } = endpoint;
	return { method, path: paths.gateway, group, ...(bodyLimit !== undefined && { bodyLimit }), endpoint, handle };
}

/** Default body limit in bytes, the same as in Anthropic's API (wire facts 2.1). */
export const defaultBodyLimit = 32 * 1024 * 1024;
