import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { usageOf } from '#models/calls/modelUsage.ts';
import { withOutputCap } from '#models/edits/outputCap.ts';
import { checkFinish } from '#models/failedFinish.ts';
import { fitCall } from '#models/fit/fitCall.ts';
import type { ToolNames } from '#models/fit/toolNames.ts';
import { languageModel } from '#models/languageModel.ts';
import { awaitProvider, modelFault } from '#models/modelFault.ts';
import { type ModelRoute, routeHeader, standInWarnings } from '#models/modelRoute.ts';
import { type PassthroughProtocol, passThrough, type UpstreamRequest } from '#models/passthrough.ts';
import { ReplyLength } from '#models/replyLength.ts';
import type { RouteTable } from '#models/routeTable.ts';
import { inlineFiles } from '#models/translate/inlineFiles.ts';
import type { ModelCall } from '#models/translate/modelCall.ts';
import type { ReplyWriter } from '#models/translate/replyWriter.ts';
import { warningHeader } from '#models/translate/warningHeader.ts';
import { Upstreams, type UpstreamTimeouts } from '#models/upstreams.ts';
import { fetchThrough } from '#network/fetchThrough.ts';
import type { NetworkSettings } from '#network/networkSettings.ts';
import { limitedFetch } from '#network/replyLimits.ts';
import type { Exchange } from '../server/exchange.ts';
import { callersSentences, streamReply } from './streamReply.ts';
import { TextCalls } from './textCalls.ts';

/** How one protocol writes a model's reply. */
interface ReplyForm {
	/** Whether the caller asked for a stream. */
	readonly stream: boolean;
	writer(): ReplyWriter;
	whole(result: LanguageModelV4GenerateResult): unknown;
}

/** A call that is ready to be made. */
export interface PreparedCall {
	readonly model: LanguageModelV4;
	readonly options: LanguageModelV4CallOptions;
	/** Gives the parts of the reply back the names that the caller knows. */
	readonly names: ToolNames;
	/** Sentences on what was lost or changed on the way. */
	readonly warnings: readonly string[];
}

/** What of an exchange differs from others. */
export interface ServeOptions {
	/** Whether its reply may come from the cache and go there. */
	readonly mayCache?: boolean;
	/** Whether a route can answer in place of the first. */
	mayFallBack?(first: ModelRoute, other: ModelRoute): boolean;
}

/** How text generation reaches others. */
interface GenerationOptions {
	readonly network?: NetworkSettings;
	readonly timeouts?: Partial<UpstreamTimeouts>;
	readonly allowPrivateNetwork?: boolean;
	/** What is made of each call; by default nothing is kept. */
	readonly calls?: TextCalls;
}

/** What C, D, E and the `llm` nodes share: the routing table, the connections and the models. */
export class TextGeneration {
	readonly table: RouteTable;
	readonly upstreams: Upstreams;
	readonly calls: TextCalls;

	readonly #network: NetworkSettings;
	readonly #allowPrivateNetwork: boolean;

	/** `network`: how upstreams, and files that a prompt names, are reached; `allowPrivateNetwork`: whether those files may be fetched from private addresses. */
	constructor(
		table: RouteTable,
		{ network = {}, timeouts = {}, allowPrivateNetwork = false, calls = new TextCalls() }: GenerationOptions = {},
	) {
		this.table = table;
		this.upstreams = new Upstreams(network, timeouts);
		this.calls = calls;
		this.#network = network;
		const fetch = fetchThrough(this.upstreams.dispatch);
		this.fetch = limitedFetch(fetch);
		this.eventFetch = limitedFetch(fetch, 'events');
		this.#allowPrivateNetwork = allowPrivateNetwork;
	}

	/** `fetch` of whole replies from upstreams: the connections of a passthrough, but what is read has a limit. */
	readonly fetch: typeof globalThis.fetch;
	/** The same for event streams, of which each event has a limit. */
	readonly eventFetch: typeof globalThis.fetch;

	/**
	 * Answers an exchange by the routes that serve a model: the first, or one that it falls back to. `attempt` answers by one route, with {@link pass} or
	 * {@link answer}. All that calls have in common is done around it: tries, the cache, the record.
	 */
	serve(
		exchange: Exchange,
		model: string,
		attempt: (route: ModelRoute) => Promise<void>,
		{ mayCache = true, mayFallBack = () => true }: ServeOptions = {},
	): Promise<void> {
		const [first, ...others] = this.table.plan(model);
		return this.calls.serve(exchange, model, [first, ...others.filter(route => mayFallBack(first, route))], attempt, mayCache);
	}

	/** Passes a request on to a route's service, which speaks the caller's protocol. Rejects as {@link passThrough} does. */
	pass(exchange: Exchange, route: ModelRoute, request: UpstreamRequest, protocol: PassthroughProtocol): Promise<void> {
		const { timeoutMs, key } = route;
		const answered = exchange.call ? {} : routeHeader(route);
		const own = { ...(timeoutMs !== undefined && { headersTimeout: timeoutMs }), ...(key !== undefined && { key }) };
		if (route.maxOutputTokens === undefined || !request.body) {
			return passThrough(this.upstreams, { ...request, ...own, replyHeaders: answered }, exchange.response, protocol, exchange.call);
		}
		const { body, warnings } = withOutputCap(request.body, route, request.path);
		const capped = { ...request, ...own, body, replyHeaders: { ...warningHeader(warnings), ...answered } };
		return passThrough(this.upstreams, capped, exchange.response, protocol, exchange.call);
	}

	/** Answers an exchange from the route's model, translated. Throws a fault in place of an answer. */
	async answer(exchange: Exchange, route: ModelRoute, requested: string, call: ModelCall, form: ReplyForm): Promise<void> {
		const { signal } = exchange;
		try {
			const fetch = form.stream ? this.eventFetch : this.fetch;
			const { model, options, names, warnings } = await this.prepare(route, requested, call, signal, fetch);
			if (!form.stream) {
				const result = await awaitProvider(model.doGenerate(options), route);
				if (exchange.call) {
					exchange.call.usage = usageOf(result.usage);
				}
				checkFinish(result, route);
				const content = result.content.map(part => names.restore(part));
				const header = warningHeader([...warnings, ...callersSentences(exchange, result.warnings)]);
				exchange.sendJson(200, form.whole({ ...result, content }), header);
				return;
			}
			const { stream } = await awaitProvider(model.doStream(options), route);
			await streamReply(exchange, route, stream, form.writer(), { names, warnings, length: new ReplyLength(requested) });
		} catch (error) {
			if (!signal.aborted) {
				throw modelFault(error, route);
			}
		}
	}

	/**
	 * The route's model, and a call as it can take it: fitted to its service, and with files that it cannot fetch itself fetched here. `warnings` grows while
	 * the call is made.
	 */
	async prepare(
		route: ModelRoute,
		requested: string,
		call: ModelCall,
		signal: AbortSignal,
		fetch: typeof globalThis.fetch,
	): Promise<PreparedCall> {
		const { options, names, warnings: lost } = fitCall(call, route, route.upstreamModel ?? requested);
		const warnings = [...standInWarnings(route, requested), ...lost];
		const model = await languageModel(route, requested, inTime(fetch, route.timeoutMs), sentence => warnings.push(sentence));
		const reach = { network: this.#network, allowPrivateNetwork: this.#allowPrivateNetwork };
		const prompt = await inlineFiles(options.prompt, await model.supportedUrls, reach, signal);
		return { model, options: { ...options, prompt, abortSignal: signal }, names, warnings };
	}

	/** Ends all connections to upstreams. */
	close(): Promise<void> {
		return this.upstreams.close();
	}
}

/** `fetch` whose replies have to begin within so many milliseconds. Rejects otherwise as a connection that timed out. */
function inTime(fetch: typeof globalThis.fetch, ms: number | undefined): typeof globalThis.fetch {
	if (ms === undefined) {
		return fetch;
	}
	return async (input, init = {}) => {
		const controller = new AbortController();
		const timer = setTimeout(
			() => controller.abort(Object.assign(new Error('No reply came in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' })),
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
