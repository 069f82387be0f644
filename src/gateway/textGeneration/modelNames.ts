import type { ModelRoute } from '#models/modelRoute.ts';
import { longestModelName } from '#models/routeTable.ts';
import { createUpstreamHeaders } from '#models/upstreamRequest.ts';
import { createDispatcherFetch } from '#network/fetchThrough.ts';
import { createLimitedFetch, serviceReplyLimits } from '#network/replyLimits.ts';
import type { TextGeneration } from './textGeneration.ts';

/** How long an upstream's list is cached, and how long to wait for the list, in milliseconds. */
const listAgeMs = 60_000;
const listWaitMs = 3_000;
/** Maximum size of a list: enough for thousands of models with all their details. */
const maxListBytes = 4 * 1024 * 1024;

/**
 * Names of the models that the gateway serves: those of the routes and, for a route with a pattern, the matching models in its upstream's
 * list. An upstream that doesn't respond in time is skipped.
 */
export class ModelNames {
	readonly #generation: TextGeneration;
	readonly #fetch: typeof fetch;
	readonly #lists = new Map<ModelRoute, { readonly at: number; readonly names: Promise<readonly string[]> }>();

	constructor(generation: TextGeneration) {
		this.#generation = generation;
		this.#fetch = createLimitedFetch(createDispatcherFetch(generation.upstreams.dispatch), 'whole', {
			...serviceReplyLimits,
			reply: maxListBytes,
		});
	}

	/** Returns all names without duplicates, in the order of the routes. The offline model comes last. */
	async listNames(): Promise<readonly string[]> {
		const { table } = this.#generation;
		const lists = await Promise.all(
			table.getRoutes().map(async route => {
				if (!route.pattern.includes('*')) {
					return [route.pattern];
				}
				const listed = route.provider === 'offline' || route.upstreamModel !== undefined ? [] : await this.#getList(route);
				return listed.filter(name => name.length <= longestModelName && table.findRoute(name) === route);
			}),
		);
		return [...new Set([...lists.flat(), ...table.getListedNames()])];
	}

	#getList(route: ModelRoute): Promise<readonly string[]> {
		const known = this.#lists.get(route);
		if (known && Date.now() - known.at < listAgeMs) {
			return known.names;
		}
		for (const [other, { at }] of this.#lists) {
			if (Date.now() - at >= listAgeMs) {
				this.#lists.delete(other);
			}
		}
		const names = this.#fetchList(route).catch(() => []);
		this.#lists.set(route, { at: Date.now(), names });
		return names;
	}

	async #fetchList(route: ModelRoute): Promise<readonly string[]> {
		const headers = createUpstreamHeaders(route, { 'anthropic-version': '2023-06-01' });
		const response = await this.#fetch(`${route.origin}${route.prefix}${listPaths[route.provider]}`, {
			headers,
			signal: AbortSignal.timeout(listWaitMs),
		});
		if (!response.ok) {
			await response.body?.cancel();
			return [];
		}
		const { data, models } = (await response.json()) as { data?: { id?: unknown }[]; models?: { name?: unknown }[] };
		const names = data?.map(({ id }) => id) ?? models?.map(({ name }) => String(name).replace(/^models\//, '')) ?? [];
		return names.filter(name => typeof name === 'string');
	}
}

const listPaths: Readonly<Record<string, string>> = {
	anthropic: '/v1/models?limit=1000',
	google: '/v1beta/models?pageSize=1000',
	'openai-compatible': '/models',
	ollama: '/v1/models',
};
