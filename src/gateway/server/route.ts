import type { IncomingMessage } from 'node:http';
import type { ServedEndpoint } from '#contract/endpoints/endpoint.ts';
import type { RouteGroup } from '#contract/faults/routeGroup.ts';
import type { Exchange } from './exchange.ts';

/** One operation of the service. */
export interface Route extends Pick<ServedEndpoint, 'method' | 'group' | 'bodyLimit'> {
	/** Path with placeholders, as a {@link ServedEndpoint} has it. */
	readonly path: string;
	/** What is described of it. */
	readonly endpoint?: ServedEndpoint;
	/** Group of one request, if callers of several protocols use the same path. */
	groupOf?(request: IncomingMessage): RouteGroup;
	/** Responds to the exchange, or throws a `ServiceFault`. */
	handle(exchange: Exchange): void | Promise<void>;
}

/** The route of an endpoint. */
export function serve(endpoint: ServedEndpoint, handle: Route['handle']): Route {
	const { method, group, bodyLimit, paths } = endpoint;
	return { method, path: paths.gateway, group, ...(bodyLimit !== undefined && { bodyLimit }), endpoint, handle };
}

/** Bytes of a body if an endpoint names no limit: that of Anthropic's API (wire facts 2.1). */
export const defaultBodyLimit = 32 * 1024 * 1024;
