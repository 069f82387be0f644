import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import { computeCost, formatPriceLine, priceHeader, type TokenUsage } from '#contract/text/tokenPrice.ts';
import { Redactor } from '#network/redaction.ts';
import { maskKey } from '../keyMask.ts';
import { createRouteHeader, getAnsweringModel, type ModelRoute } from '../modelRoute.ts';
import { ReplyBytes } from './replyBytes.ts';

/** The caller of a text generation. Strings are empty if unknown. */
export interface CallerInfo {
	/** End user of a run, or the start of the client's `user-agent`. */
	readonly user: string;
	/** Calling agent, and its run. */
	readonly agent: string;
	readonly run: string;
	/** Secret values of the agent, which prompts of its nodes may contain. */
	readonly secrets?: readonly string[];
}

/** The result of a finished call. */
export interface CallEnd {
	/**
	 * HTTP status sent to the caller; 499 if the caller disconnected before the end. If the reply broke off after its head, the status of the
	 * error.
	 */
	readonly status: number;
	/** Error message; absent if the call succeeded. */
	readonly error?: string;
}

/** A text generation call: the routes tried, its usage, and what is logged. */
export class TextCall {
	/** Path of the endpoint; `node` for nodes of agents. */
	readonly endpoint: string;
	/** Model name that the caller used. */
	readonly model: string;
	readonly caller: CallerInfo;
	/** Unix milliseconds. */
	readonly at = Date.now();
	readonly reply: ReplyBytes;
	/** The request body, if bodies are logged. */
	request: Buffer | string | undefined;
	/** True if another attempt may follow, so that a refusal isn't sent to the caller yet. */
	hasNext = false;
	/** Number of requests made for the call. */
	tries = 0;
	/** True if the reply came from the cache. */
	isHit = false;
	usage: TokenUsage | undefined;
	/** Why a started reply broke off, unless the caller disconnected. */
	fault: ServiceFault | undefined;
	end: CallEnd | undefined;
	elapsedMs = 0;
	readonly #started = performance.now();
	#added: Readonly<Record<string, string>> | undefined;
	#route: ModelRoute | undefined;
	/** Keys of all tried routes. */
	#keys: readonly string[] = [];

	/** @param keeps true to store the whole reply, for the cache or the log */
	constructor(endpoint: string, model: string, caller: CallerInfo, keeps: boolean) {
		this.endpoint = endpoint;
		this.model = model;
		this.caller = caller;
		this.reply = new ReplyBytes(keeps);
	}

	/** The current or last route. */
	get route(): ModelRoute | undefined {
		return this.#route;
	}

	set route(route: ModelRoute | undefined) {
		this.#route = route;
		if (route?.key !== undefined && !this.#keys.includes(route.key)) {
			this.#keys = [...this.#keys, route.key];
		}
	}

	/** The requested model, followed by the answering model if that differs. */
	get answered(): string {
		const { model } = this;
		const answering = this.#route && getAnsweringModel(this.#route, model);
		return answering === undefined || answering === model ? model : `${model} → ${answering}`;
	}

	/** Masks the keys of all tried routes and the agent's secret values in a string to be logged. */
	maskSecrets(text: string): string {
		const withoutKeys = this.#keys.reduce(maskKey, text);
		const { secrets = [] } = this.caller;
		return secrets.length > 0 ? new Redactor(secrets).redactText(withoutKeys) : withoutKeys;
	}

	/** Headers sent to the caller in addition to the reply's: the answering route, cache use, and token prices of the route. */
	get headers(): Readonly<Record<string, string>> {
		const route = this.#route;
		const headers = { ...(route && createRouteHeader(route)), ...this.#added };
		const price = route?.price;
		if (!price) {
			return headers;
		}
		const { currency } = price;
		return { ...headers, [priceHeader]: formatPriceLine(this.isHit ? { input: 0, output: 0, currency } : price) };
	}

	/** Adds a header to {@link headers}. */
	addHeader(name: string, value: string): void {
		this.#added = { ...this.#added, [name]: value };
	}

	finishCall(end: CallEnd): void {
		this.end = end;
		this.elapsedMs = performance.now() - this.#started;
	}

	/** Returns the cost in the currency of the route; undefined if tokens or price are unknown. Cache hits are free. */
	getCost(): number | undefined {
		const price = this.route?.price;
		return price && this.usage ? (this.isHit ? 0 : computeCost(this.usage, price)) : undefined;
	}
}

const longestProgram = 80;

/** Identifies the caller by the first word of its `user-agent`. The rest is dropped because it could contain a secret. */
export function identifyCaller(headers: IncomingHttpHeaders): CallerInfo {
	const agent = headers['user-agent'] ?? '';
	const space = agent.indexOf(' ');
	return { user: agent.slice(0, space < 0 ? longestProgram : Math.min(space, longestProgram)), agent: '', run: '' };
}
