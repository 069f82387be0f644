import { closest } from '#base/text/closestNames.ts';
import { wildcard } from '#base/text/wildcard.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { isOfflineName, type ModelRoute, modelRoute } from './modelRoute.ts';
import type { RouteConfig } from './routeConfig.ts';

/** Name of the built-in model. */
const offlineModelName = 'offline';
/** Names that a refusal lists. */
const maxListed = 20;

/** Characters of a model's name at most: more than any service has in its names, cloud resource names included. */
export const longestModelName = 512;

/**
 * Routing table from model name to provider: the first matching route wins. Without any route the offline model serves every name, so that everything can
 * be tried; with routes it serves its own name only, unless `offline` is set: a misspelled name must not look like a success.
 */
export class RouteTable {
	readonly #routes: readonly { readonly matches: (model: string) => boolean; readonly route: ModelRoute }[];

	readonly #offlineServesAll: boolean;

	/** `keys`: upstream keys by name; `offline`: whether the offline model serves what no route matches even if there are routes. */
	constructor(routes: readonly RouteConfig[] = [], keys: ReadonlyMap<string, string> = new Map(), offline = false) {
		this.#offlineServesAll = offline || routes.length === 0;
		this.#routes = routes.map(config => ({ matches: wildcard(config.model), route: modelRoute(config, keys) }));
	}

	/**
	 * The route of a model; undefined if the model isn't served.
	 * @throws {ServiceFault} 400 for a name that is too long for a model's
	 */
	find(model: string): ModelRoute | undefined {
		if (model.length > longestModelName) {
			throw new ServiceFault(
				400,
				`The model name is too long: ${model.length} characters, expected at most ${longestModelName}. It begins with '${model.slice(0, 40)}'.`,
				{ params: 'model' },
			);
		}
		const route = this.#routes.find(({ matches }) => matches(model))?.route;
		return route ?? (this.#offlineServesAll || isOfflineName(model) ? offlineRoute : undefined);
	}

	/** The route of a model. Throws a fault (404) that lists the models that are served, those with a similar name first. */
	routeOf(model: string): ModelRoute {
		const route = this.find(model);
		if (route) {
			return route;
		}
		const asked = model.slice(0, 200);
		const names = [...new Set([...this.routes().map(({ pattern }) => pattern), ...this.names()])];
		const nearest = [...new Set([...closest(asked, names), ...names])];
		const more = nearest.length > maxListed ? ', …' : '';
		throw new ServiceFault(404, `The model '${asked}' isn't served here. Models: ${nearest.slice(0, maxListed).join(', ')}${more}.`, {
			params: 'model',
		});
	}

	/** Whether a configured route matches a name. */
	takes(model: string): boolean {
		return this.#routes.some(({ matches }) => matches(model));
	}

	/** The routes that serve a model, in the order in which they are asked: the first as {@link routeOf} has it, then those that it falls back to. */
	plan(model: string): readonly [ModelRoute, ...ModelRoute[]] {
		const first = this.routeOf(model);
		if (first.fallback.length === 0) {
			return [first];
		}
		return [
			first,
			...first.fallback.map(name => {
				const route = this.routeOf(name);
				return { ...route, upstreamModel: route.upstreamModel ?? name };
			}),
		];
	}

	/** Names for model lists: those of the routes that stand for one model each, then the offline model where a route does not take its name. */
	names(): readonly string[] {
		const named = this.#routes.map(({ route }) => route.pattern).filter(pattern => !pattern.includes('*'));
		return [...new Set([...named, ...(this.find(offlineModelName) === offlineRoute ? [offlineModelName] : [])])];
	}

	/** The routes in order, for model lists that ask the services behind them. */
	routes(): readonly ModelRoute[] {
		return this.#routes.map(({ route }) => route);
	}
}

/** Its pattern is what headers and the request log show as the route. */
const offlineRoute = modelRoute({ model: 'none (offline)', provider: 'offline' }, new Map());
