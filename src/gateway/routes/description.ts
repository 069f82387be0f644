import type { Route } from '../server/route.ts';

/** `/openapi.json`: what the service takes, made of the schemas that it checks requests with. `routes` is asked at the first request. */
export function descriptionRoutes(routes: () => readonly Route[]): readonly Route[] {
	let description: Promise<unknown> | undefined;
	return [
		{
			method: 'GET',
			path: '/openapi.json',
			group: 'open',
			async handle(exchange) {
				description ??= import('../openapi/openapi.ts').then(({ openApi }) => openApi(routes()));
				exchange.sendJson(200, await description);
			},
		},
	];
}
