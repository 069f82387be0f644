import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import { priceHeader, priceLine, priceOf, type TokenUsage } from '#contract/text/tokenPrice.ts';
import { Redactor } from '#network/redaction.ts';
import { withoutKey } from '../keyMask.ts';
import { answeringModel, type ModelRoute, routeHeader } from '../modelRoute.ts';
import { ReplyBytes } from './replyBytes.ts';

/** Who makes a call of text generation. Texts are empty where they are not known. */
export interface CallerInfo {
	/** End user of a run, or the program that asks, as its `user-agent` begins. */
	readonly user: string;
	/** Agent that asks, and its run. */
	readonly agent: string;
	readonly run: string;
	/** Values that the agent keeps secret; nodes' prompts may hold them. */
	readonly secrets?: readonly string[];
}

/** What was kept of a call when it had ended. */
export interface CallEnd {
	/** HTTP status that the caller got; 499 if it went away before, the fault's if the reply broke off after its head. */
	readonly status: number;
	/** A sentence; absent where the call succeeded. */
	readonly error?: string;
}

/** One call of text generation, from its request to its end: which routes were asked, what it took, what is kept of it. */
export class TextCall {
	/** Path of the endpoint; `node` for nodes of agents. */
	readonly endpoint: string;
	/** As the caller wrote it. */
	readonly model: string;
	readonly caller: CallerInfo;
	/** Unix milliseconds. */
	readonly at = Date.now();
	readonly reply: ReplyBytes;
	/** The request, where bodies are kept. */
	request: Buffer | string | undefined;
	/** Whether another try may follow the one that is made, so that its refusal is not yet for the caller. */
	hasNext = false;
	/** Requests that were made for it. */
	tries = 0;
	/** Whether its reply came from the cache. */
	isHit = false;
	usage: TokenUsage | undefined;
	/** Why a reply that had started did not come to its end, unless the caller went away. */
	fault: ServiceFault | undefined;
	end: CallEnd | undefined;
	elapsedMs = 0;
	readonly #started = performance.now();
	#told: Readonly<Record<string, string>> | undefined;
	#route: ModelRoute | undefined;
	/** Keys of all routes that were asked. */
	#keys: readonly string[] = [];

	/** @param keeps whether the whole reply is kept: for the cache, or the log */
	constructor(endpoint: string, model: string, caller: CallerInfo, keeps: boolean) {
		this.endpoint = endpoint;
		this.model = model;
		this.caller = caller;
		this.reply = new ReplyBytes(keeps);
	}

	/** The route that is asked, or was last. */
	get route(): ModelRoute | undefined {
		return this.#route;
	}

	set route(route: ModelRoute | undefined) {
		this.#route = route;
		if (route?.key !== undefined && !this.#keys.includes(route.key)) {
			this.#keys = [...this.#keys, route.key];
		}
	}

	/** The model that answered, after the one that was asked for if that is another. */
	get answered(): string {
		const { model } = this;
		const answering = this.#route && answeringModel(this.#route, model);
		return answering === undefined || answering === model ? model : `${model} → ${answering}`;
	}

	/** A text that is kept of the call: without the keys of any route that was asked, and without what the agent keeps secret. */
	masked(text: string): string {
		const withoutKeys = this.#keys.reduce(withoutKey, text);
		const { secrets = [] } = this.caller;
		return secrets.length > 0 ? new Redactor(secrets).text(withoutKeys) : withoutKeys;
	}

	/**
	 * What is sent to the caller beside the reply: the route that answered, the cache, if it is used, and the price of the route's tokens, if it has one.
	 */
	get headers(): Readonly<Record<string, string>> {
		const route = this.#route;
		const told = { ...(route && routeHeader(route)), ...this.#told };
		const price = route?.price;
		if (!price) {
			return told;
		}
		const { currency } = price;
		return { ...told, [priceHeader]: priceLine(this.isHit ? { input: 0, output: 0, currency } : price) };
	}

	/** One more thing for {@link headers}. */
	tell(name: string, value: string): void {
		this.#told = { ...this.#told, [name]: value };
	}

	/** The call has ended. */
	finish(end: CallEnd): void {
		this.end = end;
		this.elapsedMs = performance.now() - this.#started;
	}

	/** What its tokens cost, in the currency of the route; undefined where tokens or price are not known. What came from the cache is free. */
	cost(): number | undefined {
		const price = this.route?.price;
		return price && this.usage ? (this.isHit ? 0 : priceOf(this.usage, price)) : undefined;
	}
}

const longestProgram = 80;

/** Who asks, as far as a request tells: the first word of its `user-agent`, without what could be a secret behind it. */
export function callerOf(headers: IncomingHttpHeaders): CallerInfo {
	const agent = headers['user-agent'] ?? '';
	const space = agent.indexOf(' ');
	return { user: agent.slice(0, space < 0 ? longestProgram : Math.min(space, longestProgram)), agent: '', run: '' };
}
