import { endpoints } from '#contract/endpoints/endpoints.ts';
import { createRoute, type Route } from '../server/route.ts';

/**
 * Route of `/openapi.json`, the description of the service. It's created from the service's schemas, by calling `routes` on the first
 * request.
 */
export function createDescriptionRoutes(routes: () => readonly Route[]): readonly Route[] {
	let description: Promise<unknown> | undefined;
	return [
		createRoute(endpoints.description, async exchange => {
			description ??= import('../openapi/openapi.ts').then(({ createOpenApi: openApi }) => openApi(routes()));
			exchange.sendJson(200, await description);
		}),
	];
}
