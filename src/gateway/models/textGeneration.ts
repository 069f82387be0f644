import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { Exchange } from '../server/exchange.ts';
import { languageModel } from './languageModel.ts';
import { modelFault } from './modelFault.ts';
import type { ModelRoute } from './modelRoute.ts';
import type { RouteTable } from './routeTable.ts';
import { streamReply } from './streamReply.ts';
import { inlineFiles } from './translate/inlineFiles.ts';
import type { ReplyWriter } from './translate/replyWriter.ts';
import { upstreamFetch } from './upstreamFetch.ts';
import { Upstreams } from './upstreams.ts';

/** How one protocol writes a model's reply. */
export interface ReplyForm {
	/** Whether the caller asked for a stream. */
	readonly stream: boolean;
	writer(): ReplyWriter;
	whole(result: LanguageModelV4GenerateResult): unknown;
}

/** What C, D, E and the `llm` nodes share: the routing table, the connections and the models. */
export class TextGeneration {
	readonly table: RouteTable;
	readonly upstreams: Upstreams;

	readonly #allowPrivateNetwork: boolean;

	/** `allowPrivateNetwork`: whether files that a prompt names may be fetched from private addresses. */
	constructor(table: RouteTable, { upstreams = new Upstreams(), allowPrivateNetwork = false } = {}) {
		this.table = table;
		this.upstreams = upstreams;
		this.#allowPrivateNetwork = allowPrivateNetwork;
	}

	/** Answers an exchange from the route's model, translated. Throws a fault in place of an answer. */
	async answer(exchange: Exchange, route: ModelRoute, requested: string, call: LanguageModelV4CallOptions, form: ReplyForm): Promise<void> {
		const { signal } = exchange;
		try {
			const { model, options } = await this.prepare(route, requested, call, signal);
			if (!form.stream) {
				exchange.sendJson(200, form.whole(await model.doGenerate(options)));
				return;
			}
			const { stream } = await model.doStream(options);
			await streamReply(exchange, route, stream, form.writer());
		} catch (error) {
			if (!signal.aborted) {
				throw modelFault(error, route);
			}
		}
	}

	/** The route's model, and a call as it can take it: files that it cannot fetch itself are fetched here. */
	async prepare(
		route: ModelRoute,
		requested: string,
		call: LanguageModelV4CallOptions,
		signal: AbortSignal,
		fetch = upstreamFetch(this.upstreams),
	): Promise<{ model: LanguageModelV4; options: LanguageModelV4CallOptions }> {
		const model = await languageModel(route, requested, fetch);
		const prompt = await inlineFiles(call.prompt, await model.supportedUrls, this.#allowPrivateNetwork, signal);
		return { model, options: { ...call, prompt, abortSignal: signal } };
	}

	/** Ends all connections to upstreams. */
	close(): Promise<void> {
		return this.upstreams.close();
	}
}
