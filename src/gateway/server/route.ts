import type { IncomingMessage } from 'node:http';
import type { RouteGroup } from '#contract/faults/routeGroup.ts';
import type { Exchange } from './exchange.ts';

/** One operation of the service. */
export interface Route {
	readonly method: 'GET' | 'POST' | 'DELETE';
	/**
	 * Path with placeholders: `{name}` stands for one segment, `{name+}` for one or more, as long as possible, so that
	 * `/v1beta/models/{model+}:generateContent` splits at the last colon (model names hold `/` and `:`; wire facts 4.3).
	 */
	readonly path: string;
	readonly group: RouteGroup;
	/** Group of one request, where callers of several protocols ask at the same path. */
	groupOf?(request: IncomingMessage): RouteGroup;
	/** Bytes a body may have; by default {@link defaultBodyLimit}. */
	readonly bodyLimit?: number;
	/** Answers the exchange, or throws a `ServiceFault`. */
	handle(exchange: Exchange): void | Promise<void>;
}

/** Bytes of a body where a route names no limit: that of Anthropic's API (wire facts 2.1). */
export const defaultBodyLimit = 32 * 1024 * 1024;
