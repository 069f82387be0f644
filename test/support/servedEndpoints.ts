import type { Endpoint, ServedEndpoint } from '#contract/endpoints/endpoint.ts';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import { openAiEndpoints } from '#contract/endpoints/openAiEndpoints.ts';

/** Endpoints of the gateway by method and path, as in its description. */
export const servedEndpoints: Readonly<Record<string, ServedEndpoint>> = Object.fromEntries(
	Object.values<Endpoint>({ ...endpoints, ...openAiEndpoints })
		.filter((endpoint): endpoint is ServedEndpoint => endpoint.paths.gateway !== undefined)
		.map(endpoint => [`${endpoint.method} ${endpoint.paths.gateway.replaceAll('+}', '}')}`, endpoint]),
);
