import type * as z from 'zod';
import { isRecord } from '#base/records/plainValues.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { createSchemaProblem, parseWithSchema } from '#contract/problems.ts';
import { type FieldSpan, findTopLevelFields, readFieldValue, replaceSpans } from '#models/edits/topLevelFields.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import { openAiProtocol } from '#models/protocols.ts';
import { createUpstreamHeaders, createUpstreamQuery } from '#models/upstreamRequest.ts';
import { isAgentModel } from '../../agentModels/agentNames.ts';
import type { Exchange } from '../../server/exchange.ts';
import { parseJson } from '../../server/parseJson.ts';
import type { ServeOptions, TextGeneration } from '../../textGeneration/textGeneration.ts';

/** A request in OpenAI's protocol, parsed just enough to route it. */
export interface OpenAiRequest {
	readonly body: Buffer;
	readonly fields: ReadonlyMap<string, FieldSpan>;
	/** The model as the caller wrote it. */
	readonly model: string;
}

/** Reads a request. Throws an error (400) in OpenAI's wording if the body isn't a JSON object or has no model. */
export async function readOpenAiRequest(exchange: Exchange): Promise<OpenAiRequest> {
	const body = await exchange.readJsonBody();
	const fields = findTopLevelFields(body);
	if (!fields) {
		parseJson(body, createJsonError());
		throw createObjectError();
	}
	const span = fields.get('model');
	const model = span && readFieldValue(body, span);
	if (typeof model !== 'string' || model === '') {
		throw new ServiceFault(
			400,
			model === undefined || model === null ? 'You must provide a model parameter.' : "Invalid 'model': expected a non-empty string.",
			{ params: 'model' },
		);
	}
	return { body, fields, model };
}

/**
 * Checks a body against its schema, treating null fields as absent. Throws an error (400) that names the field in its message and as
 * `param`.
 */
export function checkOpenAiBody<S extends z.ZodType>(schema: S, body: Buffer): z.output<S> {
	const json = parseJson(body, createJsonError());
	if (!isRecord(json)) {
		throw createObjectError();
	}
	const value = Object.fromEntries(Object.entries(json).filter(([, field]) => field !== null));
	const result = parseWithSchema(schema, value);
	if (result.success) {
		return result.data;
	}
	const { path, message, isMissing } = createSchemaProblem(result.error, value);
	const param = formatParam(path);
	throw createFieldError(param, isMissing ? `Missing required parameter: '${param}'.` : `Invalid '${param}': ${message}.`);
}

/** Creates an error (400) for a field; `param` is its path, for example `messages[0].content`. */
export function createFieldError(param: string, sentence: string): ServiceFault {
	return new ServiceFault(400, sentence, { params: param });
}

/** Creates an error (404) for an unknown model. */
export function createUnknownModelError(model: string, hint = ''): ServiceFault {
	return new ServiceFault(404, `The model '${model.slice(0, 200)}' doesn't exist or isn't served here.${hint}`, { params: 'model' });
}

/**
 * Returns the route of a model. Throws an error (404) for a model that isn't served, and for an agent that the settings don't offer,
 * because the offline model would answer for it otherwise.
 */
export function getOpenAiRoute({ table }: TextGeneration, model: string): ModelRoute {
	if (isAgentModel(model) && !table.hasRoute(model)) {
		throw createUnknownModelError(
			model,
			" Agents can be used as models in chat completions and responses if the gateway's agents_as_models setting lists them.",
		);
	}
	return table.getRoute(model);
}

/** Serves a request with the routes of its model, like {@link TextGeneration.serveExchange}. Rejects with errors of {@link getOpenAiRoute} too. */
export async function serveOpenAi(
	generation: TextGeneration,
	exchange: Exchange,
	{ model }: OpenAiRequest,
	attempt: (route: ModelRoute) => Promise<void>,
	options?: ServeOptions,
): Promise<void> {
	getOpenAiRoute(generation, model);
	await generation.serveExchange(exchange, model, attempt, options);
}

/** True if the route's upstream speaks OpenAI's protocol, so that requests can be forwarded unchanged. */
export function isOpenAiClient({ provider }: ModelRoute): boolean {
	return provider === 'openai-compatible' || provider === 'ollama';
}

/**
 * Forwards a request to a service of the same protocol. Only changes the model name.
 * @param path for example `/chat/completions`
 */
export function forwardOpenAi(
	generation: TextGeneration,
	exchange: Exchange,
	{ body, fields }: OpenAiRequest,
	route: ModelRoute,
	path: string,
	protocol = openAiProtocol,
): Promise<void> {
	return generation.forwardRequest(
		exchange,
		route,
		{
			origin: route.origin,
			path: `${route.prefix}${route.provider === 'ollama' ? '/v1' : ''}${path}${createUpstreamQuery(exchange.target.search)}`,
			method: 'POST',
			headers: createUpstreamHeaders(route, exchange.request.headers),
			body: replaceModel(body, fields.get('model'), route.upstreamModel),
		},
		protocol,
	);
}

function replaceModel(body: Buffer, span: FieldSpan | undefined, model: string | undefined): Buffer {
	return span && model !== undefined
		? replaceSpans(body, [{ start: span.valueStart, end: span.valueEnd, text: JSON.stringify(model) }])
		: body;
}

function formatParam(path: readonly (string | number)[]): string {
	return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? key : `.${key}`)).join('');
}

function createJsonError(): ServiceFault {
	return new ServiceFault(400, 'We could not parse the JSON body of your request. Expected a JSON object.');
}

function createObjectError(): ServiceFault {
	return new ServiceFault(400, 'The body of your request must be a JSON object.');
}
