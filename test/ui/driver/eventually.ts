import { AssertionError } from 'node:assert';
import type { Locator } from 'playwright-core';

/** Maximum wait for a state, in milliseconds. */
const limit = 60_000;

/**
 * Repeats an assertion until it holds, because a value read right after a gesture can be the old one.
 *
 *     await retryUntilPassing(async () => assert.equal(await field.inputValue(), 'formal'));
 *
 * @throws the error of the last attempt
 */
export async function retryUntilPassing(assertion: () => Promise<void>): Promise<void> {
	for (const end = performance.now() + limit; ; ) {
		try {
			return await assertion();
		} catch (error) {
			if (!(error instanceof AssertionError) || performance.now() > end) {
				throw error;
			}
		}
		await new Promise(resolve => setTimeout(resolve, 50));
	}
}

/** Waits for an element to be visible or hidden, and resolves to false if that takes longer, so that a gesture can be repeated. */
export function waitBriefly(element: Locator, milliseconds: number, state: 'visible' | 'hidden' = 'visible'): Promise<boolean> {
	return element.waitFor({ state, timeout: milliseconds }).then(
		() => true,
		() => false,
	);
}
