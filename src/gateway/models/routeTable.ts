import { wildcard } from '../../protocol/wildcard.ts';
import type { RouteConfig } from '../config.ts';
import { ServiceFault } from '../server/serviceFault.ts';
import { type ModelRoute, modelRoute } from './modelRoute.ts';

/** Name of the built-in model, which serves every model name that no route matches. */
const offlineModelName = 'offline';

/** Characters of a model's name at most: more than any service has in its names, cloud resource names included. */
export const longestModelName = 512;

/** Routing table from model name to provider: the first matching route wins, and what none matches goes to the offline model. */
export class RouteTable {
	readonly #routes: readonly { readonly matches: (model: string) => boolean; readonly route: ModelRoute }[];

	/** `keys`: upstream keys by name. */
	constructor(routes: readonly RouteConfig[] = [], keys: ReadonlyMap<string, string> = new Map()) {
		this.#routes = routes.map(config => ({ matches: wildcard(config.model), route: modelRoute(config, keys) }));
	}

	/** @throws {ServiceFault} 400 for a name that is too long for a model's */
	find(model: string): ModelRoute {
		if (model.length > longestModelName) {
			throw new ServiceFault(
				400,
				`The model name is too long: ${model.length} characters, expected at most ${longestModelName}. It begins with '${model.slice(0, 40)}'.`,
				{ params: 'model' },
			);
		}
		return this.#routes.find(({ matches }) => matches(model))?.route ?? offlineRoute;
	}

	/** Whether a route takes a name: what none takes goes to the offline model. */
	takes(model: string): boolean {
		return this.find(model) !== offlineRoute;
	}

	/** The routes that serve a model, in the order in which they are asked: the first as {@link find} has it, then those that it falls back to. */
	plan(model: string): readonly [ModelRoute, ...ModelRoute[]] {
		const first = this.find(model);
		if (first.fallback.length === 0) {
			return [first];
		}
		return [
			first,
			...first.fallback.map(name => {
				const route = this.find(name);
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

const offlineRoute = modelRoute({ model: '*', provider: 'offline' }, new Map());
