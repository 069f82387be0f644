import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { toTokenUsage } from '#models/calls/modelUsage.ts';
import { capOutputTokens } from '#models/edits/outputCap.ts';
import { checkFinish } from '#models/failedFinish.ts';
import { fitCall } from '#models/fit/fitCall.ts';
import type { ToolNames } from '#models/fit/toolNames.ts';
import { createLanguageModel } from '#models/languageModel.ts';
import { awaitProvider, toModelFault } from '#models/modelFault.ts';
import { createRouteHeader, getStandInWarnings, type ModelRoute } from '#models/modelRoute.ts';
import { type PassthroughProtocol, passReplyThrough, type UpstreamRequest } from '#models/passthrough.ts';
import { ReplyLength } from '#models/replyLength.ts';
import type { RouteTable } from '#models/routeTable.ts';
import { inlineFiles } from '#models/translate/inlineFiles.ts';
import type { ModelCall } from '#models/translate/modelCall.ts';
import type { ReplyWriter } from '#models/translate/replyWriter.ts';
import { createWarningHeader } from '#models/translate/warningHeader.ts';
import { Upstreams, type UpstreamTimeouts } from '#models/upstreams.ts';
import { createDispatcherFetch } from '#network/fetchThrough.ts';
import type { NetworkSettings } from '#network/networkSettings.ts';
import { createLimitedFetch } from '#network/replyLimits.ts';
import type { Exchange } from '../server/exchange.ts';
import { getCallerWarnings, streamReply } from './streamReply.ts';
import { TextCalls } from './textCalls.ts';

/** How a protocol encodes a model's reply. */
interface ReplyForm {
	/** True if the caller requested a stream. */
	readonly stream: boolean;
	createWriter(): ReplyWriter;
	formatWhole(result: LanguageModelV4GenerateResult): unknown;
}

/** A call that is ready to be made. */
export interface PreparedCall {
	readonly model: LanguageModelV4;
	readonly options: LanguageModelV4CallOptions;
	/** Restores the caller's tool names in the parts of the reply. */
	readonly names: ToolNames;
	/** Messages about what was lost or changed. */
	readonly warnings: readonly string[];
}

/** Options for serving an exchange. */
export interface ServeOptions {
	/** True if the reply may be cached. */
	readonly mayCache?: boolean;
	/** True if a route can respond instead of the first one. */
	mayFallBack?(first: ModelRoute, other: ModelRoute): boolean;
}

/** Settings for reaching upstreams. */
interface GenerationOptions {
	readonly network?: NetworkSettings;
	readonly timeouts?: Partial<UpstreamTimeouts>;
	readonly allowPrivateNetwork?: boolean;
	/** Handles each call; by default, nothing is recorded. */
	readonly calls?: TextCalls;
}

/** The routing table, the connections and the models, shared by all text generation endpoints (C, D, E) and the `llm` nodes. */
export class TextGeneration {
	readonly table: RouteTable;
	readonly upstreams: Upstreams;
	readonly calls: TextCalls;

	readonly #network: NetworkSettings;
	readonly #allowPrivateNetwork: boolean;

	/**
	 * @param network how to reach upstreams and files in prompts
	 * @param allowPrivateNetwork true if such files may be fetched from private addresses
	 */
	constructor(
		table: RouteTable,
		{ network = {}, timeouts = {}, allowPrivateNetwork = false, calls = new TextCalls() }: GenerationOptions = {},
	) {
		this.table = table;
		this.upstreams = new Upstreams(network, timeouts);
		this.calls = calls;
		this.#network = network;
		const fetch = createDispatcherFetch(this.upstreams.dispatch);
		this.fetch = createLimitedFetch(fetch);
		this.eventFetch = createLimitedFetch(fetch, 'events');
		this.#allowPrivateNetwork = allowPrivateNetwork;
	}

	/** A `fetch` for whole replies of upstreams, with the connections of a passthrough and a size limit. */
	readonly fetch: typeof globalThis.fetch;
	/** A `fetch` for event streams, with a size limit for each event. */
	readonly eventFetch: typeof globalThis.fetch;

	/**
	 * Responds to an exchange with the routes of a model: the first one, or a fallback. `attempt` responds with one route, by calling {@link
	 * forward} or {@link respondWithModel}. Handles what all calls have in common: retries, the cache, the record.
	 */
	serveExchange(
		exchange: Exchange,
		model: string,
		attempt: (route: ModelRoute) => Promise<void>,
		{ mayCache = true, mayFallBack = () => true }: ServeOptions = {},
	): Promise<void> {
		const [first, ...others] = this.table.getPlan(model);
		return this.calls.serveCall(exchange, model, [first, ...others.filter(route => mayFallBack(first, route))], attempt, mayCache);
	}

	/** Forwards a request to a route's service, which uses the caller's protocol. Rejects with the errors of {@link passReplyThrough}. */
	forwardRequest(exchange: Exchange, route: ModelRoute, request: UpstreamRequest, protocol: PassthroughProtocol): Promise<void> {
		const { timeoutMs, key } = route;
		const answered = exchange.call ? {} : createRouteHeader(route);
		const own = { ...(timeoutMs !== undefined && { headersTimeout: timeoutMs }), ...(key !== undefined && { key }) };
		if (route.maxOutputTokens === undefined || !request.body) {
			return passReplyThrough(this.upstreams, { ...request, ...own, replyHeaders: answered }, exchange.response, protocol, exchange.call);
		}
		const { body, warnings } = capOutputTokens(request.body, route, request.path);
		const capped = { ...request, ...own, body, replyHeaders: { ...createWarningHeader(warnings), ...answered } };
		return passReplyThrough(this.upstreams, capped, exchange.response, protocol, exchange.call);
	}

	/** Responds to an exchange with the translated reply of the route's model. Throws an error if that fails. */
	async respondWithModel(exchange: Exchange, route: ModelRoute, requested: string, call: ModelCall, form: ReplyForm): Promise<void> {
		const { signal } = exchange;
		try {
			const fetch = form.stream ? this.eventFetch : this.fetch;
			const { model, options, names, warnings } = await this.prepareCall(route, requested, call, signal, fetch);
			if (!form.stream) {
				const result = await awaitProvider(model.doGenerate(options), route);
				if (exchange.call) {
					exchange.call.usage = toTokenUsage(result.usage);
				}
				checkFinish(result, route);
				const content = result.content.map(part => names.restoreName(part));
				const header = createWarningHeader([...warnings, ...getCallerWarnings(exchange, result.warnings)]);
				exchange.sendJson(200, form.formatWhole({ ...result, content }), header);
				return;
			}
			const { stream } = await awaitProvider(model.doStream(options), route);
			await streamReply(exchange, route, stream, form.createWriter(), { names, warnings, length: new ReplyLength(requested) });
		} catch (error) {
			if (!signal.aborted) {
				throw toModelFault(error, route);
			}
		}
	}

	/**
	 * Returns the route's model, and the call adapted to it: fitted to its service, with files included that the service can't fetch itself.
	 * `warnings` grows during the call.
	 */
	async prepareCall(
		route: ModelRoute,
		requested: string,
		call: ModelCall,
		signal: AbortSignal,
		fetch: typeof globalThis.fetch,
	): Promise<PreparedCall> {
		const { options, names, warnings: lost } = fitCall(call, route, route.upstreamModel ?? requested);
		const warnings = [...getStandInWarnings(route, requested), ...lost];
		const model = await createLanguageModel(route, requested, limitTime(fetch, route.timeoutMs), sentence => warnings.push(sentence));
		const reach = { network: this.#network, allowPrivateNetwork: this.#allowPrivateNetwork };
		const prompt = await inlineFiles(options.prompt, await model.supportedUrls, reach, signal);
		return { model, options: { ...options, prompt, abortSignal: signal }, names, warnings };
	}

	/** Closes all connections to upstreams. */
	close(): Promise<void> {
		return this.upstreams.close();
	}
}

/** Returns a `fetch` whose responses must start within `ms` milliseconds. Otherwise, it rejects like a connection that timed out. */
function limitTime(fetch: typeof globalThis.fetch, ms: number | undefined): typeof globalThis.fetch {
	if (ms === undefined) {
		return fetch;
	}
	return async (input, init = {}) => {
		const controller = new AbortController();
		const timer = setTimeout(
			() => controller.abort(Object.assign(new Error('The response took too long'), { code: 'UND_ERR_HEADERS_TIMEOUT' })),
			ms,
		);
		const signals = [controller.signal, ...(init.signal ? [init.signal] : [])];
		try {
			return await fetch(input, { ...init, signal: AbortSignal.any(signals) });
		} finally {
			clearTimeout(timer);
		}
	};
}
