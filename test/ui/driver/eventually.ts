import { AssertionError } from 'node:assert';

/** Longest that a state may take to come, in milliseconds. */
const limit = 60_000;

/**
 * Asserts again and again until it holds: what is read once, right after a gesture, may be what stood there before it.
 *
 *     await eventually(async () => assert.equal(await field.inputValue(), 'formal'));
 *
 * @throws what the last assertion threw
 */
export async function eventually(assertion: () => Promise<void>): Promise<void> {
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
