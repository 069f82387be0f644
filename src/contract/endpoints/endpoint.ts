import type * as z from 'zod';
import type { RouteGroup } from '../faults/routeGroup.ts';
import type { ServiceKind } from '../serviceKinds.ts';

/** Schemas and limits of an endpoint. */
interface EndpointDetails {
	/** Description for the gateway's API description. */
	readonly summary?: string;
	/** Paths by kind of service, if they differ from the gateway's. */
	readonly paths?: Readonly<Partial<Record<ServiceKind, string>>>;
	readonly query?: z.ZodType;
	readonly body?: z.ZodType;
	/** Schema that the client checks instead of `body`: form fields, or fewer fields than the gateway checks. */
	readonly sent?: z.ZodType;
	/** Creates the schema of the response, for the API description only; absent for streams. `bytes` for files. */
	readonly response?: (() => z.ZodType) | 'bytes';
	/** Status code of a successful response. Default: 200. */
	readonly status?: number;
	/** `always` if every response is a stream; `on demand` if requests can ask for one. */
	readonly stream?: 'always' | 'on demand';
	/** True if the response can take minutes. Also set for endpoints that can stream. */
	readonly works?: boolean;
	/** True if the path contains a secret and mustn't be shown. */
	readonly secretPath?: boolean;
	/** Size limit of the body in bytes, if not the default. */
	readonly bodyLimit?: number;
}

/** Everything that the client, the gateway's router and the API description need to know about an operation. */
export interface Endpoint extends EndpointDetails {
	readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	readonly group: RouteGroup;
	/**
	 * Path on each kind of service. `{name}` matches one segment, `{name+}` one or more, as many as possible, so that
	 * `/v1beta/models/{model+}:generateContent` splits at the last colon (model names contain `/` and `:`; wire facts 4.3).
	 */
	readonly paths: Readonly<Partial<Record<ServiceKind, string>>>;
}

/** An endpoint that the gateway has. */
export interface ServedEndpoint extends Endpoint {
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly summary: string;
	readonly paths: Endpoint['paths'] & { readonly gateway: string };
}

/** Other kinds of service that have a group's endpoints at the same paths as the gateway. */
const sharedBy: Readonly<Partial<Record<RouteGroup, readonly ServiceKind[]>>> = {
	messages: ['anthropic', 'anthropic-compatible'],
	content: ['gemini'],
	openai: ['openai'],
};

/** Returns a function that defines the gateway's endpoints of a group. */
export function defineEndpoints(group: RouteGroup) {
	return <D extends EndpointDetails & { readonly summary: string }>(
		method: ServedEndpoint['method'],
		path: string,
		details: D,
	): D & ServedEndpoint => {
		const shared = (sharedBy[group] ?? []).map(kind => [kind, path]);
		return { ...details, method, group, paths: { gateway: path, ...Object.fromEntries(shared), ...details.paths } };
	};
}

/** Creates an endpoint that only Dify has. */
export function defineDifyEndpoint(method: Endpoint['method'], path: string, details: EndpointDetails = {}): Endpoint {
	return { ...details, method, group: 'agent', paths: { dify: path } };
}
