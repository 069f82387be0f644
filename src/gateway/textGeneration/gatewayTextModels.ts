import { computeCost } from '#contract/text/tokenPrice.ts';
import { formatExactPrice } from '#engine/nodes/model/priceText.ts';
import type { ModelPart, ModelRequest, TextModels } from '#engine/run/engineTypes.ts';
import { type CallerInfo, TextCall } from '#models/calls/textCall.ts';
import { tryRoutes } from '#models/calls/tries.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import { streamNodeParts } from './nodeParts.ts';
import { createReplyKey } from './replyCache.ts';
import type { TextGeneration } from './textGeneration.ts';

/** The run whose nodes use the models. */
type AskingRun = Parameters<NonNullable<TextModels['bindToRun']>>[0];

/** Text generation for nodes of agents, with the same routing table, retries, cache and call records as the endpoints. */
export class GatewayTextModels implements TextModels {
	readonly #generation: TextGeneration;
	readonly #run: AskingRun | undefined;

	constructor(generation: TextGeneration, run?: AskingRun) {
		this.#generation = generation;
		this.#run = run;
	}

	bindToRun(run: AskingRun): TextModels {
		return new GatewayTextModels(this.#generation, run);
	}

	getContextTokens(model: string): number | undefined {
		return this.#generation.table.findRoute(model)?.contextTokens;
	}

	async *streamReply(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
		const { table, calls } = this.#generation;
		const plan = table.getPlan(request.model);
		const key = calls.cache?.isUsedFor(plan[0], this.#run?.cache) ? createReplyKey(plan[0], 'node', JSON.stringify(request)) : undefined;
		const keepsBodies = calls.recorder?.keepsBodies ?? false;
		const call = new TextCall('node', request.model, toCaller(this.#run), keepsBodies);
		if (keepsBodies) {
			call.request = JSON.stringify(request);
		}
		let ended = false;
		try {
			const kept = key === undefined ? undefined : calls.cache?.get(key, plan[0]);
			if (kept) {
				call.route = plan[0];
				call.isHit = true;
				call.usage = kept.usage;
				yield* addPrices(JSON.parse(kept.body.toString()) as ModelPart[], call);
			} else {
				const given: ModelPart[] = [];
				for await (const part of this.#streamParts(call, plan, request, signal)) {
					if (key !== undefined || keepsBodies) {
						given.push(part);
					}
					yield* addPrices([part], call);
				}
				const body = Buffer.from(JSON.stringify(given));
				if (key !== undefined && call.route === plan[0]) {
					calls.cache?.add(key, plan[0], { headers: {}, body, ...(call.usage && { usage: call.usage }) });
				}
				if (keepsBodies) {
					call.reply.add(Buffer.from(JSON.stringify(joinTexts(given))));
				}
			}
			ended = true;
			call.finishCall({ status: 200 });
		} catch (error) {
			ended = true;
			const { status = 500, message } = error as { readonly status?: number; readonly message?: string };
			call.finishCall(signal.aborted ? stopped : { status, error: message ?? 'The call failed.' });
			throw error;
		} finally {
			if (!ended) {
				call.finishCall(stopped);
			}
			calls.recorder?.add(call);
		}
	}

	/** Yields the response of the first route that starts one. Other routes can be tried until the first part arrives. */
	async *#streamParts(
		call: TextCall,
		plan: readonly ModelRoute[],
		request: ModelRequest,
		signal: AbortSignal,
	): AsyncGenerator<ModelPart, void> {
		const startReply = async (route: ModelRoute) => {
			const parts = streamNodeParts(this.#generation, route, request, signal, usage => {
				call.usage = usage;
			});
			return { parts, first: await parts.next() };
		};
		const { parts, first } = await tryRoutes(call, plan, signal, startReply, () => false);
		if (!first.done) {
			yield first.value;
			yield* parts;
		}
	}
}

/** Outcome of a call if the run was stopped, or if the rest of the response isn't needed. */
const stopped = { status: 499, error: 'The run was stopped before the response was complete.' };

/** Joins consecutive text parts, because a secret to be masked may be split between them. */
function joinTexts(parts: readonly ModelPart[]): readonly ModelPart[] {
	const whole: ModelPart[] = [];
	for (const part of parts) {
		const last = whole.at(-1);
		if (part.type === 'text' && last?.type === 'text') {
			whole[whole.length - 1] = { ...last, text: last.text + part.text };
		} else {
			whole.push(part);
		}
	}
	return whole;
}

/** Adds the price of the tokens if it's known. */
function* addPrices(parts: readonly ModelPart[], { route, usage, isHit }: TextCall): Generator<ModelPart> {
	for (const part of parts) {
		const price = route?.price;
		if (part.type === 'finish' && price && usage) {
			const totalPrice = formatExactPrice(isHit ? 0 : computeCost(usage, price));
			yield { ...part, usage: { ...part.usage, totalPrice, currency: price.currency } };
		} else {
			yield part;
		}
	}
}

function toCaller(run: AskingRun | undefined): CallerInfo {
	const { user = '', agentName: agent = '', runId = '', secrets = [] } = run ?? {};
	return { user, agent, run: runId, secrets };
}
