import type * as z from 'zod';
import type { RouteGroup } from '../faults/routeGroup.ts';
import type { ServiceKind } from '../serviceKinds.ts';

/** Schemas and limits of an endpoint. */
interface EndpointDetails {
	/** What it does, for the description of the gateway's API. */
	readonly summary?: string;
	/** Where kinds of service that do not share the gateway's path have it. */
	readonly paths?: Readonly<Partial<Record<ServiceKind, string>>>;
	readonly query?: z.ZodType;
	readonly body?: z.ZodType;
	/** What the client checks a body with instead of `body`: fields of a form, or less than the gateway checks. */
	readonly sent?: z.ZodType;
	/** Makes the schema of the response, unless it is a stream: nothing but the description needs it. `bytes` for those of a file. */
	readonly response?: (() => z.ZodType) | 'bytes';
	/** Status of a success; 200 by default. */
	readonly status?: number;
	/** Whether the response is a stream: always, or if the body requests it. */
	readonly stream?: 'always' | 'on demand';
	/** Whether the response comes when work is done, perhaps minutes later; so do those that may be streams. */
	readonly works?: boolean;
	/** Whether the path contains a secret, so that it is not shown. */
	readonly secretPath?: boolean;
	/** Bytes that a body may have, if not as many as usual. */
	readonly bodyLimit?: number;
}

/** All that the client, the router of the gateway and the description of its API need to know of one operation. */
export interface Endpoint extends EndpointDetails {
	readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	readonly group: RouteGroup;
	/**
	 * Path on each kind of service that has it. `{name}` stands for one segment, `{name+}` for one or more, as long as possible, so that
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

/** Kinds of service that have the endpoints of a group at the gateway's paths. */
const sharedBy: Readonly<Partial<Record<RouteGroup, readonly ServiceKind[]>>> = {
	messages: ['anthropic', 'anthropic-compatible'],
	content: ['gemini'],
	openai: ['openai'],
};

/** Makes endpoints of a group that the gateway has. */
export function endpointsOf(group: RouteGroup) {
	return <D extends EndpointDetails & { readonly summary: string }>(
		method: ServedEndpoint['method'],
		path: string,
		details: D,
	): D & ServedEndpoint => {
		const shared = (sharedBy[group] ?? []).map(kind => [kind, path]);
		return { ...details, method, group, paths: { gateway: path, ...Object.fromEntries(shared), ...details.paths } };
	};
}

/** Makes an endpoint that only Dify has. */
export function difyEndpoint(method: Endpoint['method'], path: string, details: EndpointDetails = {}): Endpoint {
	return { ...details, method, group: 'agent', paths: { dify: path } };
}
