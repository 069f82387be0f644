import * as z from 'zod';
import type { ServedEndpoint } from '#contract/endpoints/endpoint.ts';
import type { RouteGroup } from '#contract/faults/routeGroup.ts';
import type { Route } from '../server/route.ts';

type Json = Readonly<Record<string, unknown>>;

/** Creates the OpenAPI 3.1 description of the service: all its routes, with the schemas of their requests and responses. */
export function createOpenApi(routes: readonly Route[]): Json {
	const paths: Record<string, Record<string, Json>> = {};
	for (const { endpoint } of routes) {
		if (endpoint) {
			const path = endpoint.paths.gateway.replaceAll('+}', '}');
			paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(endpoint, path) };
		}
	}
	return {
		openapi: '3.1.0',
		info: {
			title: 'Agent Workbench gateway',
			version: '1',
			description: 'Agent workflows, conversations and text generation in one HTTP service.',
		},
		paths,
		components: {
			securitySchemes: {
				agent: { type: 'http', scheme: 'bearer' },
				mcp: { type: 'http', scheme: 'bearer' },
				messages: { type: 'apiKey', in: 'header', name: 'x-api-key' },
				content: { type: 'apiKey', in: 'query', name: 'key' },
				openai: { type: 'http', scheme: 'bearer' },
			},
			schemas: { agentError, messagesError, contentError, openaiError, mcpError },
		},
	};
}

function toOperation(endpoint: ServedEndpoint, path: string): Json {
	const { summary, group, query, body, status = 200 } = endpoint;
	const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
		name,
		in: 'path',
		required: true,
		schema: { type: 'string' },
	}));
	return {
		summary,
		security: group === 'open' ? [] : [{ [group]: [] }],
		parameters: [...placeholders, ...(query ? toParameters(query) : [])],
		...(body && { requestBody: { required: true, content: { 'application/json': { schema: toSchema(body, 'input') } } } }),
		responses: {
			[status]: { description: 'Success.', content: toContent(endpoint) },
			...(group !== 'open' && { default: { description: 'Rejected or failed.', content: createErrorContent(group) } }),
		},
	};
}

function toParameters(schema: z.ZodType): readonly Json[] {
	const { properties = {}, required = [] } = toSchema(schema, 'input') as {
		properties?: Record<string, Json>;
		required?: readonly string[];
	};
	return Object.entries(properties).map(([name, property]) => ({ name, in: 'query', required: required.includes(name), schema: property }));
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
	const { $schema: _, ...plain } = z.toJSONSchema(schema, {
		io,
		override({ zodSchema, jsonSchema }) {
			// responses may have additional fields
			if (io === 'output' && zodSchema._zod.def.type === 'object' && !('catchall' in zodSchema._zod.def && zodSchema._zod.def.catchall)) {
				jsonSchema.additionalProperties = {};
			}
		},
	});
	return plain;
}

function toContent({ response, stream }: ServedEndpoint): Json {
	return {
		...(response === 'bytes' && { 'application/octet-stream': {} }),
		...(response && response !== 'bytes' && { 'application/json': { schema: toSchema(response(), 'output') } }),
		...(stream && { 'text/event-stream': { schema: { type: 'string' } } }),
	};
}

function createErrorContent(group: RouteGroup): Json {
	return { 'application/json': { schema: { $ref: `#/components/schemas/${group}Error` } } };
}

const text = { type: 'string' };
const agentError = {
	type: 'object',
	required: ['code', 'message', 'status'],
	properties: { code: text, message: text, status: { type: 'integer' }, params: text },
};
const messagesError = {
	type: 'object',
	required: ['type', 'error'],
	properties: { type: { const: 'error' }, error: { type: 'object', properties: { type: text, message: text } }, request_id: text },
};
const contentError = {
	type: 'object',
	required: ['error'],
	properties: {
		error: { type: 'object', properties: { code: { type: 'integer' }, message: text, status: text, details: { type: 'array' } } },
	},
};
const nullable = { type: ['string', 'null'] };
const openaiError = {
	type: 'object',
	required: ['error'],
	properties: {
		error: {
			type: 'object',
			required: ['message', 'type', 'param', 'code'],
			properties: { message: text, type: text, param: nullable, code: nullable },
		},
	},
};
const mcpError = {
	type: 'object',
	required: ['jsonrpc', 'error'],
	properties: { jsonrpc: { const: '2.0' }, id: {}, error: { type: 'object', properties: { code: { type: 'integer' }, message: text } } },
};
