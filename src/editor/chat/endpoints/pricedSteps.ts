import type { TokenPrice } from '#contract/text/tokenPrice.ts';
import type { ReplyStep } from './endpoint.ts';

/**
 * The steps that events are read as, after the price of their tokens where the service tells one. `open` sends the request and calls back with the price
 * before the first event.
 */
export async function* pricedSteps<E>(
	open: (priced: (price: TokenPrice) => void) => AsyncIterable<E>,
	read: (event: E) => Iterable<ReplyStep>,
): AsyncGenerator<ReplyStep, void> {
	const told: TokenPrice[] = [];
	for await (const event of open(price => told.push(price))) {
		for (const price of told.splice(0)) {
			yield { type: 'price', price };
		}
		yield* read(event);
	}
}
