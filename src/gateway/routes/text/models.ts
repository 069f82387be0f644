import type { IncomingMessage } from 'node:http';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import { openAiEndpoints } from '#contract/endpoints/openAiEndpoints.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { findMaxOutput } from '#contract/text/modelPrices.ts';
import type { RouteTable } from '#models/routeTable.ts';
import type { AgentModels } from '../../agentModels/agentModels.ts';
import { isAgentModel } from '../../agentModels/agentNames.ts';
import type { Exchange } from '../../server/exchange.ts';
import { createRoute, type Route } from '../../server/route.ts';
import { getModelListGroup } from '../../server/router.ts';
import { ModelNames } from '../../textGeneration/modelNames.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import { createUnknownModelError } from '../openai/openAiRequest.ts';

/**
 * Routes for model lists, which official SDKs request: `/v1beta/models` in Google's format (wire facts 4.3), and `/v1/models` in one format
 * for clients of Anthropic and OpenAI, each of which reads its own fields (wire facts 2.1). Agents are only listed for clients of OpenAI's
 * protocol.
 */
export function createModelRoutes(generation: TextGeneration, agents?: Pick<AgentModels, 'listNames'>): Route[] {
	const names = new ModelNames(generation);
	const getGroup = ({ headers }: IncomingMessage) => getModelListGroup(headers);
	const listSharedNames = async ({ group }: Exchange) => [
		...(await names.listNames()),
		...(group === 'openai' && agents ? await agents.listNames() : []),
	];
	const { table } = generation;
	return [
		{
			...createRoute(endpoints.listMessagesModels, async exchange => sendSharedModels(exchange, table, await listSharedNames(exchange))),
			getGroup,
		},
		{
			...createRoute(openAiEndpoints.getMessagesModel, async exchange => sendSharedModel(exchange, table, await listSharedNames(exchange))),
			getGroup,
		},
		createRoute(endpoints.listContentModels, async exchange => sendContentModels(exchange, await names.listNames())),
		createRoute(endpoints.getContentModel, async exchange => sendContentModel(exchange, table, await names.listNames())),
	];
}

/**
 * Sends a page for clients of Anthropic, forward with `after_id` or backward with `before_id`, and refuses an unknown ID. Sends the whole
 * list for clients of OpenAI.
 */
function sendSharedModels(exchange: Exchange, table: RouteTable, names: readonly string[]): void {
	const { start, end, more } =
		exchange.group === 'messages' ? findPage(exchange.query, names) : { start: 0, end: names.length, more: false };
	const data = names.slice(start, end).map(name => toSharedModel(name, table));
	exchange.sendJson(200, { object: 'list', data, has_more: more, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null });
}

function findPage(
	query: URLSearchParams,
	names: readonly string[],
): { readonly start: number; readonly end: number; readonly more: boolean } {
	const limit = readPageSize(query.get('limit'), 20, 'limit');
	const after = query.get('after_id');
	const before = query.get('before_id');
	const findIndex = (id: string, name: string): number => {
		const index = names.indexOf(id);
		if (index < 0) {
			throw new ServiceFault(400, `${name}: no model has this id`);
		}
		return index;
	};
	if (before !== null) {
		const end = findIndex(before, 'before_id');
		const start = Math.max(end - limit, 0);
		return { start, end, more: start > 0 };
	}
	const start = after === null ? 0 : findIndex(after, 'after_id') + 1;
	const end = Math.min(start + limit, names.length);
	return { start, end, more: end < names.length };
}

function sendSharedModel(exchange: Exchange, table: RouteTable, names: readonly string[]): void {
	const name = exchange.params['model'] ?? '';
	if (!names.includes(name) && !isAnyNameServed(name, table)) {
		throw exchange.group === 'messages' ? new ServiceFault(404, `model: ${name}`) : createUnknownModelError(name);
	}
	exchange.sendJson(200, toSharedModel(name, table));
}

/**
 * True if the route serves any model name: the offline model, or a pattern with a single upstream model. Such routes have no names to list.
 */
function isAnyNameServed(name: string, table: RouteTable): boolean {
	const route = table.findRoute(name);
	return (
		route !== undefined &&
		(route.provider === 'offline' || route.upstreamModel !== undefined) &&
		(!isAgentModel(name) || table.hasRoute(name))
	);
}

function sendContentModels(exchange: Exchange, names: readonly string[]): void {
	const { query } = exchange;
	const size = readPageSize(query.get('pageSize') ?? query.get('page_size'), 50, 'pageSize');
	const token = query.get('pageToken') ?? query.get('page_token') ?? '';
	const start = token === '' ? 0 : Number(Buffer.from(token, 'base64url').toString());
	if (!Number.isInteger(start) || start < 0) {
		throw new ServiceFault(400, 'page_token is invalid.');
	}
	const end = start + size;
	exchange.sendJson(200, {
		models: names.slice(start, end).map(toContentModel),
		...(end < names.length && { nextPageToken: Buffer.from(String(end)).toString('base64url') }),
	});
}

function sendContentModel(exchange: Exchange, table: RouteTable, names: readonly string[]): void {
	const name = exchange.params['model'] ?? '';
	if (!names.includes(name) && !isAnyNameServed(name, table)) {
		throw new ServiceFault(404, `models/${name} is not found for API version v1beta. Call ListModels to see the list of available models.`);
	}
	exchange.sendJson(200, toContentModel(name));
}

function readPageSize(text: string | null, usual: number, name: string): number {
	if (text === null || text === '') {
		return usual;
	}
	const size = Number(text);
	if (!Number.isInteger(size) || size < 1 || size > 1000) {
		throw new ServiceFault(400, `${name}: expected a whole number from 1 to 1000`);
	}
	return size;
}

/**
 * Creates a model with the fields of both protocols. Both require a creation time, which is unknown, so it's the time when the gateway
 * started.
 */
function toSharedModel(name: string, table: RouteTable) {
	const route = table.findRoute(name);
	const maxTokens = route && (route.maxOutputTokens ?? findMaxOutput(route.upstreamModel ?? name));
	return {
		id: name,
		object: 'model',
		type: 'model',
		created: Math.floor(servedSince / 1000),
		created_at: new Date(servedSince).toISOString(),
		display_name: name,
		owned_by: route === undefined || (isAgentModel(name) && !table.hasRoute(name)) ? 'agent-workbench' : route.provider,
		...(route?.contextTokens !== undefined && { max_input_tokens: route.contextTokens }),
		...(maxTokens !== undefined && { max_tokens: maxTokens }),
	};
}

/** Time when this process started, in Unix milliseconds. */
const servedSince = Math.floor(performance.timeOrigin / 1000) * 1000;

function toContentModel(name: string) {
	return {
		name: `models/${name}`,
		baseModelId: name,
		version: '1',
		displayName: name,
		supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
	};
}
