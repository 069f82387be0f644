import { type Cost, computeCost, type TokenPrice, type TokenUsage } from '#contract/text/tokenPrice.ts';
import type { ReplyFacts, Usage } from '#pages/chat/transcript/transcript.ts';

/** Sums the tokens and costs of a reply's requests. */
export class ReplyUsage {
	/** Totals of the previous requests. */
	#usageBefore: Usage = {};
	#costBefore: Cost | undefined;
	/** Number of previous requests. */
	#rounds = 0;
	/** Usage and price of the current request. */
	#now: Usage = {};
	#price: TokenPrice | undefined;
	/** Price for requests whose service sends none. */
	#knownPrice: TokenPrice | undefined;

	/** Sets the token price of the current request. */
	setPrice(price: TokenPrice): void {
		this.#price = price;
	}

	/** Sets the price for requests whose service sends none. */
	setKnownPrice(price: TokenPrice | undefined): void {
		this.#knownPrice = price;
	}

	/** Starts the next request. `reply` has the totals so far. */
	startRound({ usage, cost }: Pick<ReplyFacts, 'usage' | 'cost'>): void {
		this.#rounds++;
		this.#usageBefore = usage ?? {};
		this.#costBefore = cost;
		this.#price = undefined;
		this.#now = {};
	}

	/** Returns the totals after the service has reported the tokens of the current request, and maybe their cost. */
	addUsage(usage: Usage, billed: TokenUsage | undefined, known: Cost | undefined): Pick<ReplyFacts, 'usage' | 'lastUsage' | 'cost'> {
		const now = { ...this.#now, ...dropInvalidCounts(usage) };
		this.#now = now;
		const price = this.#price ?? this.#knownPrice;
		const cost = this.#sumCost(known ?? (price && billed && { amount: computeCost(billed, price), currency: price.currency }));
		const isFirst = this.#rounds === 0;
		return { usage: isFirst ? now : sumUsage(this.#usageBefore, now), ...(!isFirst && { lastUsage: now }), ...(cost && { cost }) };
	}

	/** Sums the cost of all requests. A cost in another currency replaces the sum. */
	#sumCost(cost: Cost | undefined): Cost | undefined {
		if (!cost || !Number.isFinite(cost.amount) || cost.amount < 0) {
			return undefined;
		}
		const before = this.#costBefore?.currency === cost.currency ? this.#costBefore.amount : 0;
		return { ...cost, amount: before + cost.amount };
	}
}

function sumUsage(one: Usage, other: Usage): Usage {
	const names = new Set([...Object.keys(one), ...Object.keys(other)] as (keyof Usage)[]);
	return Object.fromEntries([...names].map(name => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

/** Drops invalid token counts, because services may send anything and the counts are summed. */
function dropInvalidCounts(usage: Usage): Usage {
	return Object.fromEntries(Object.entries(usage).filter(([, count]) => Number.isFinite(count) && count >= 0));
}
