import { AssertionError } from 'node:assert';

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
