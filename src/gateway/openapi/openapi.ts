import * as z from 'zod';
import type { RouteGroup } from '#contract/faults/routeGroup.ts';
import type { Route } from '../server/route.ts';
import { type OperationNotes, operations } from './operations.ts';

type Json = Readonly<Record<string, unknown>>;

/** The service in OpenAPI 3.1: every route it serves, with the schemas that requests are checked with and those of answers. */
export function openApi(routes: readonly Route[]): Json {
	const paths: Record<string, Record<string, Json>> = {};
	for (const route of routes) {
		const path = route.path.replaceAll('+}', '}');
		const notes = operations[`${route.method} ${path}`];
		paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, path, notes) };
	}
	return {
		openapi: '3.1.0',
		info: {
			title: 'Agent Workbench gateway',
			version: '1',
			description: 'Agent workflows, conversations and text generation behind one HTTP service.',
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

function operation(route: Route, path: string, notes: OperationNotes | undefined): Json {
	const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
		name,
		in: 'path',
		required: true,
		schema: { type: 'string' },
	}));
	return {
		summary: notes?.summary ?? '',
		security: route.group === 'open' ? [] : [{ [route.group]: [] }],
		parameters: [...placeholders, ...(notes?.query ? queryParameters(notes.query) : [])],
		...(notes?.body && { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(notes.body, 'input') } } } }),
		responses: {
			[path.endsWith('/files/upload') ? '201' : '200']: { description: 'Success.', content: contentOf(notes) },
			...(route.group !== 'open' && { default: { description: 'Refused or failed.', content: errorContent(route.group) } }),
		},
	};
}

function queryParameters(schema: z.ZodType): readonly Json[] {
	const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
		properties?: Record<string, Json>;
		required?: readonly string[];
	};
	return Object.entries(properties).map(([name, property]) => ({ name, in: 'query', required: required.includes(name), schema: property }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
	const { $schema: _, ...plain } = z.toJSONSchema(schema, { io });
	return plain;
}

function contentOf({ answer, stream }: Partial<OperationNotes> = {}): Json {
	return {
		...(answer === 'bytes' && { 'application/octet-stream': {} }),
		...(answer && answer !== 'bytes' && { 'application/json': { schema: schemaOf(answer, 'output') } }),
		...(stream && { 'text/event-stream': { schema: { type: 'string' } } }),
	};
}

function errorContent(group: RouteGroup): Json {
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
