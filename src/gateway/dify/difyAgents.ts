import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { toHttpDate, toTimestampMs } from '#contract/timestamps.ts';
import { maskKey } from '#models/keyMask.ts';
import { isErrorValue } from '#models/maskedEvents.ts';
import { type PassthroughProtocol, passReplyThrough, type UpstreamRequest } from '#models/passthrough.ts';
import { createConnectionFault } from '#models/upstreamFault.ts';
import type { Upstreams } from '#models/upstreams.ts';
import { createDispatcherFetch } from '#network/fetchThrough.ts';
import { mapStrings } from '#network/redaction.ts';
import { createLimitedFetch, findTooLargeError } from '#network/replyLimits.ts';
import type { Exchange } from '../server/exchange.ts';
import type { Route } from '../server/route.ts';
import type { DifyAgentConfig } from '../setup/config.ts';

/** A remote agent on a Dify deployment, with the key of its app. */
interface DifyAgent {
	/** Scheme, host and port. */
	readonly origin: string;
	/** Path of the deployment's service API without trailing slash, for example `/v1`. */
	readonly prefix: string;
	readonly key: string;
}

/**
 * Returns the deployment and the key of a remote agent.
 * @param keys keys by their names in the configuration; if the key is missing, the first request fails
 */
export function createDifyAgent(config: DifyAgentConfig, keys: ReadonlyMap<string, string>): DifyAgent {
	const url = new URL(config.base_url);
	// accept addresses with and without the version, like the client does
	return {
		origin: url.origin,
		prefix: `${url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')}/v1`,
		key: keys.get(config.key) ?? '',
	};
}

/**
 * Forwards requests for remote agents to their Dify deployments: to the same path without `/agent`, with the app's key and without `model`
 * (wire facts 1.0).
 */
export class DifyAgents {
	readonly #agents: ReadonlyMap<string, DifyAgent>;
	readonly #upstreams: Upstreams;
	readonly #fetch: typeof fetch;

	constructor(agents: ReadonlyMap<string, DifyAgent>, upstreams: Upstreams) {
		this.#agents = agents;
		this.#upstreams = upstreams;
		this.#fetch = createLimitedFetch(createDispatcherFetch(upstreams.dispatch));
	}

	get(name: string): DifyAgent | undefined {
		return this.#agents.get(name);
	}

	/** Returns routes that forward requests for remote agents to their deployments. */
	wrapRoutes(routes: readonly Route[]): readonly Route[] {
		return this.#agents.size === 0
			? routes
			: routes.map(route => ({ ...route, handle: exchange => this.#handleExchange(route, exchange) }));
	}

	/** Forwards an uploaded file. `body` is the multipart form that contains it. */
	async uploadFile(agent: DifyAgent, exchange: Exchange, contentType: string, body: Buffer): Promise<void> {
		await this.#forwardRequest(agent, exchange, {
			...createRequest(agent, exchange, 'POST', body),
			headers: createHeaders(agent, contentType),
		});
	}

	async #handleExchange(route: Route, exchange: Exchange): Promise<void> {
		const body = route.method === 'GET' ? undefined : await exchange.readRawJson();
		const model = route.method === 'GET' ? exchange.query.get('model') : (exchange.target.agent ?? getModelName(body));
		const agent = typeof model === 'string' ? this.#agents.get(model) : undefined;
		if (!agent) {
			await route.handle(exchange);
			return;
		}
		if (agent.key === '') {
			throw new ServiceFault(400, localizable`The gateway has no key for the Dify server of the agent '${String(model)}'.`, {
				code: 'app_unavailable',
			});
		}
		if (route.path === '/v1/agent/workflows/draft/run') {
			throw new ServiceFault(
				400,
				localizable`The agent '${String(model)}' runs on a Dify server, so its draft can't be run here. Run the published version.`,
				{
					code: 'app_unavailable',
				},
			);
		}
		if (route.path === '/v1/agent/workflows/debug') {
			throw new ServiceFault(400, localizable`The agent '${String(model)}' runs on a Dify server. Only local agents can be debugged.`, {
				code: 'app_unavailable',
			});
		}
		if (typeof body === 'object' && body !== null && 'mocks' in body) {
			throw new ServiceFault(
				400,
				localizable`The agent '${String(model)}' runs on a Dify server, which doesn't support mocks. Omit "mocks".`,
				{ params: 'mocks' },
			);
		}
		if (typeof body === 'object' && body !== null && 'attack' in body) {
			throw new ServiceFault(
				400,
				localizable`The agent '${String(model)}' runs on a Dify server, which doesn't support attacks. Omit "attack".`,
				{ params: 'attack' },
			);
		}
		if (typeof body === 'object' && body !== null && 'trigger' in body) {
			throw new ServiceFault(
				400,
				localizable`The agent '${String(model)}' runs on a Dify server, which always starts at the start node. Omit "trigger".`,
				{
					params: 'trigger',
				},
			);
		}
		const { model: _, ...rest } = (body ?? {}) as Record<string, unknown>;
		const forwarded = createRequest(agent, exchange, route.method, body === undefined ? null : Buffer.from(JSON.stringify(rest)));
		if (route.path === '/v1/agent/workflows/run/{id}' || route.method === 'DELETE') {
			await this.#forwardForTranslation(agent, forwarded, exchange);
		} else {
			await this.#forwardRequest(agent, exchange, forwarded);
		}
	}

	#forwardRequest(agent: DifyAgent, exchange: Exchange, forwarded: UpstreamRequest): Promise<void> {
		return passReplyThrough(this.#upstreams, { ...forwarded, key: agent.key }, exchange.response, difyProtocol);
	}

	/**
	 * Forwards a request, and converts responses that differ between Dify's versions to the contract's form: run details, and 204 for a
	 * deletion.
	 */
	async #forwardForTranslation(
		{ key }: DifyAgent,
		{ origin, path, method, headers, body }: UpstreamRequest,
		exchange: Exchange,
	): Promise<void> {
		const init = { method, headers, body: body?.toString() ?? null, signal: exchange.signal };
		const response = await this.#fetch(origin + path, init).catch((error: unknown) => {
			throw createConnectionFault(error, origin);
		});
		if (response.status === 204) {
			exchange.sendJson(200, { result: 'success' });
			return;
		}
		const answer: unknown = await response.json().catch((error: unknown) => {
			if (findTooLargeError(error)) {
				throw new ServiceFault(502, localizable`The response from ${origin} is too large.`);
			}
		});
		if (typeof answer !== 'object' || answer === null) {
			throw new ServiceFault(502, localizable`The response from ${origin} isn't valid JSON (status ${response.status}).`);
		}
		const translated = response.ok && 'inputs' in answer ? toContractDetail(answer) : answer;
		const hidesKey = !response.ok || isErrorValue(answer);
		exchange.sendJson(response.status, hidesKey ? mapStrings(translated, text => maskKey(text, key)) : translated);
	}
}

/** Creates a request for the deployment: the exchange's path without `/agent`, its query without `model`. */
function createRequest(agent: DifyAgent, exchange: Exchange, method: Route['method'], body: Buffer | null): UpstreamRequest {
	const query = new URLSearchParams(exchange.target.search);
	query.delete('model');
	const search = query.size > 0 ? `?${query}` : '';
	return {
		origin: agent.origin,
		path: agent.prefix + toDifyPath(exchange.target.path) + search,
		method,
		headers: createHeaders(agent, 'application/json'),
		body,
	};
}

/** Returns Dify's path after its version: the same as the contract's, except for the events of a run (wire facts 1.0). */
function toDifyPath(path: string): string {
	return path.slice('/v1/agent'.length).replace(/^\/workflows\/run\/([^/]+)\/events$/, '/workflow/$1/events');
}

function createHeaders(agent: DifyAgent, contentType: string): Record<string, string> {
	return { authorization: `Bearer ${agent.key}`, 'content-type': contentType };
}

function getModelName(body: unknown): unknown {
	return typeof body === 'object' && body !== null && 'model' in body ? body.model : undefined;
}

function toContractDetail(detail: object): object {
	const { inputs, created_at, finished_at } = detail as Readonly<Record<string, unknown>>;
	return {
		...detail,
		inputs: typeof inputs === 'string' ? inputs : JSON.stringify(inputs),
		created_at: toContractDate(created_at),
		finished_at: toContractDate(finished_at),
	};
}

function toContractDate(value: unknown): string | null {
	const ms = toTimestampMs(value);
	return ms === undefined ? null : toHttpDate(ms);
}

const difyProtocol: PassthroughProtocol = {
	isErrorBody: body => typeof body === 'object' && body !== null && 'code' in body && 'message' in body,
	formatStreamFault: fault =>
		`data: ${JSON.stringify({ event: 'error', status: fault.status, code: 'internal_server_error', message: fault.message })}\n\n`,
};
