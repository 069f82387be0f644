import type { TokenPrice } from '#contract/text/tokenPrice.ts';
import type { ReplyStep } from './endpoint.ts';

/**
 * Converts events to steps. If the service sends a token price, yields it first. `open` sends the request and reports the price before the
 * first event.
 */
export async function* readPricedSteps<E>(
	open: (priced: (price: TokenPrice) => void) => AsyncIterable<E>,
	read: (event: E) => Iterable<ReplyStep>,
): AsyncGenerator<ReplyStep, void> {
	const prices: TokenPrice[] = [];
	for await (const event of open(price => prices.push(price))) {
		for (const price of prices.splice(0)) {
			yield { type: 'price', price };
		}
		yield* read(event);
	}
}
