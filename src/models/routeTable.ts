import { findClosestNames } from '#base/text/closestNames.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { createWildcardMatcher } from '#base/text/wildcard.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { findModelPrice, type PriceRule } from '#contract/text/modelPrices.ts';
import { createModelRoute, isOfflineName, type ModelRoute } from './modelRoute.ts';
import type { RouteConfig } from './routeConfig.ts';

const offlineModelName = 'offline';
/** Maximum number of names listed in an error. */
const maxListed = 20;

/** Maximum length of a model name in characters: longer than the names of any service, including cloud resource names. */
export const longestModelName = 512;

/**
 * Maps model names to routes; the first matching route counts. Without routes, the offline model serves every name, so that everything can
 * be tried. With routes, it only serves its own name unless `offline` is set, because a misspelled name must not look like a success.
 */
export class RouteTable {
	readonly #routes: readonly { readonly matches: (model: string) => boolean; readonly route: ModelRoute }[];

	readonly #offlineServesAll: boolean;
	readonly #prices: readonly PriceRule[];

	/**
	 * @param keys upstream keys by name
	 * @param offline true if the offline model serves unmatched names even if there are routes
	 * @param prices prices of models whose routes have none
	 */
	constructor(
		routes: readonly RouteConfig[] = [],
		keys: ReadonlyMap<string, string> = new Map(),
		offline = false,
		prices: readonly PriceRule[] = [],
	) {
		this.#prices = prices;
		this.#offlineServesAll = offline || routes.length === 0;
		this.#routes = routes.map(config => ({ matches: createWildcardMatcher(config.model), route: createModelRoute(config, keys) }));
	}

	/**
	 * Returns the route of a model; undefined if the model isn't served.
	 * @throws {ServiceFault} 400 if the name is too long
	 */
	findRoute(model: string): ModelRoute | undefined {
		if (model.length > longestModelName) {
			throw new ServiceFault(
				400,
				localizable`The model name is too long: ${model.length} characters, expected at most ${longestModelName}. It starts with '${model.slice(0, 40)}'.`,
				{ params: 'model' },
			);
		}
		const route = this.#routes.find(({ matches }) => matches(model))?.route;
		return route ?? (this.#offlineServesAll || isOfflineName(model) ? offlineRoute : undefined);
	}

	/** Returns the route of a model with its price. Throws an error (404) that lists the served models, similar names first. */
	getRoute(model: string): ModelRoute {
		const route = this.findRoute(model);
		if (route) {
			return this.#addPrice(route, model);
		}
		const asked = model.slice(0, 200);
		const names = [...new Set([...this.getRoutes().map(({ pattern }) => pattern), ...this.getListedNames()])];
		const nearest = [...new Set([...findClosestNames(asked, names), ...names])];
		const more = nearest.length > maxListed ? ', …' : '';
		const listed = nearest.slice(0, maxListed).join(', ') + more;
		throw new ServiceFault(404, localizable`The model '${asked}' isn't served here. Available models: ${listed}.`, { params: 'model' });
	}

	/** Adds the price of the model that answers, if it's known and the route has none. */
	#addPrice(route: ModelRoute, model: string): ModelRoute {
		const price =
			route.price ?? (route.provider === 'offline' ? undefined : findModelPrice(this.#prices, route.origin, route.upstreamModel ?? model));
		return price && !route.price ? { ...route, price } : route;
	}

	/** True if a configured route matches a name. */
	hasRoute(model: string): boolean {
		return this.#routes.some(({ matches }) => matches(model));
	}

	/** Returns the routes to try for a model, in order: its route, then the route's fallbacks. */
	getPlan(model: string): readonly [ModelRoute, ...ModelRoute[]] {
		const first = this.getRoute(model);
		if (first.fallback.length === 0) {
			return [first];
		}
		return [
			first,
			...first.fallback.map(name => {
				const route = this.getRoute(name);
				return { ...route, upstreamModel: route.upstreamModel ?? name };
			}),
		];
	}

	/** Returns the names for model lists: those of routes for a single model, and the offline model unless a route has its name. */
	getListedNames(): readonly string[] {
		const named = this.#routes.map(({ route }) => route.pattern).filter(pattern => !pattern.includes('*'));
		return [...new Set([...named, ...(this.findRoute(offlineModelName) === offlineRoute ? [offlineModelName] : [])])];
	}

	/** Returns all routes in order, for model lists that query the services. */
	getRoutes(): readonly ModelRoute[] {
		return this.#routes.map(({ route }) => route);
	}
}

/** The offline model without a route. Headers and the request log show this pattern as the route. */
const offlineRoute = createModelRoute({ model: 'none (offline)', provider: 'offline' }, new Map());
