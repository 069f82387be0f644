import type { IncomingMessage } from 'node:http';
import { ModelNames } from '../models/modelNames.ts';
import type { TextGeneration } from '../models/textGeneration.ts';
import type { Exchange } from '../server/exchange.ts';
import type { Route } from '../server/route.ts';
import { groupOfModelLists } from '../server/router.ts';
import { ServiceFault } from '../server/serviceFault.ts';

/** Model lists, which official SDKs ask for: `/v1/models` in Anthropic's form, `/v1beta/models` in Google's (wire facts 2.1 and 4.3). */
export function modelRoutes(generation: TextGeneration): Route[] {
	const names = new ModelNames(generation);
	return [
		{
			method: 'GET',
			path: '/v1/models',
			group: 'openai',
			groupOf: groupOfList,
			handle: async exchange => listMessagesModels(exchange, await names.all()),
		},
		{
			method: 'GET',
			path: '/v1/models/{model+}',
			group: 'openai',
			groupOf: groupOfList,
			handle: async exchange => oneMessagesModel(exchange, await names.all()),
		},
		{ method: 'GET', path: '/v1beta/models', group: 'content', handle: async exchange => listContentModels(exchange, await names.all()) },
		{
			method: 'GET',
			path: '/v1beta/models/{model+}',
			group: 'content',
			handle: async exchange => oneContentModel(exchange, await names.all()),
		},
	];
}

const groupOfList = ({ headers }: IncomingMessage) => groupOfModelLists(headers);

/** Pages forward behind `after_id`, or backward before `before_id`; a name that is not in the list is refused. */
function listMessagesModels(exchange: Exchange, names: readonly string[]): void {
	const { query } = exchange;
	const limit = pageSize(query.get('limit'), 20, 'limit');
	const after = query.get('after_id');
	const before = query.get('before_id');
	const at = (id: string, name: string): number => {
		const index = names.indexOf(id);
		if (index < 0) {
			throw new ServiceFault(400, `${name}: no model has this id`);
		}
		return index;
	};
	let start = after === null ? 0 : at(after, 'after_id') + 1;
	let end = Math.min(start + limit, names.length);
	let more = end < names.length;
	if (before !== null) {
		end = at(before, 'before_id');
		start = Math.max(end - limit, 0);
		more = start > 0;
	}
	const data = names.slice(start, end).map(messagesModel);
	exchange.sendJson(200, { data, has_more: more, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null });
}

function oneMessagesModel(exchange: Exchange, names: readonly string[]): void {
	const name = exchange.params['model'] ?? '';
	if (!names.includes(name)) {
		throw new ServiceFault(404, `model: ${name}`);
	}
	exchange.sendJson(200, messagesModel(name));
}

function listContentModels(exchange: Exchange, names: readonly string[]): void {
	const { query } = exchange;
	const size = pageSize(query.get('pageSize') ?? query.get('page_size'), 50, 'pageSize');
	const token = query.get('pageToken') ?? query.get('page_token') ?? '';
	const start = token === '' ? 0 : Number(Buffer.from(token, 'base64url').toString());
	if (!Number.isInteger(start) || start < 0) {
		throw new ServiceFault(400, 'page_token is invalid.');
	}
	const end = start + size;
	exchange.sendJson(200, {
		models: names.slice(start, end).map(contentModel),
		...(end < names.length && { nextPageToken: Buffer.from(String(end)).toString('base64url') }),
	});
}

function oneContentModel(exchange: Exchange, names: readonly string[]): void {
	const name = exchange.params['model'] ?? '';
	if (!names.includes(name)) {
		throw new ServiceFault(404, `models/${name} is not found for API version v1beta. Call ListModels to see the list of available models.`);
	}
	exchange.sendJson(200, contentModel(name));
}

function pageSize(text: string | null, usual: number, name: string): number {
	if (text === null || text === '') {
		return usual;
	}
	const size = Number(text);
	if (!Number.isInteger(size) || size < 1 || size > 1000) {
		throw new ServiceFault(400, `${name}: expected a whole number from 1 to 1000`);
	}
	return size;
}

/** When a model was made is not known here: the field is required, and the epoch says nothing. */
function messagesModel(name: string) {
	return { type: 'model', id: name, display_name: name, created_at: '1970-01-01T00:00:00Z' };
}

function contentModel(name: string) {
	return {
		name: `models/${name}`,
		baseModelId: name,
		version: '1',
		displayName: name,
		supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
	};
}
