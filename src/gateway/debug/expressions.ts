import { CodeRunner } from '#engine/code/codeRunner.ts';
import type { Evaluated } from './breakpoints.ts';
import type { ExpressionValues } from './expressionValues.ts';

/** Timeout for the expressions of one position in milliseconds. */
const timeoutMs = 1_000;

/**
 * Evaluates each expression separately, so that an error in one doesn't affect the others. `eval` can use the names in its scope. It runs
 * in the sandbox, which has no access to anything outside.
 */
const program = `async function main({ __expressions, nodes, inputs, item, index, loop, env, conversation, sys }) {
	const __results = [];
	for (const __expression of __expressions) {
		try {
			const __value = await eval('(' + __expression + '\\n)');
			__results.push({ value: typeof __value === 'function' || typeof __value === 'symbol' ? String(__value) : __value });
		} catch (__error) {
			__results.push({ error: String(__error) });
		}
	}
	return __results;
}`;

/** Runs the JavaScript of debug sessions in the sandbox of code nodes. Uses separate threads, so that it never delays other runs. */
export class Expressions {
	readonly #runner = new CodeRunner({ timeoutMs }, 1);

	/** Evaluates expressions. Rejects with a message if this takes too long or the values are too big, or with the signal's reason. */
	async evaluateAll(expressions: readonly string[], values: ExpressionValues, signal: AbortSignal): Promise<readonly Evaluated[]> {
		const results = await this.#runner.run(program, { ...values, __expressions: expressions }, signal);
		return Array.isArray(results) && results.length === expressions.length
			? results.map(result => (typeof result?.error === 'string' ? { error: result.error } : { value: result?.value }))
			: expressions.map(() => ({ error: 'The expression interfered with its evaluation' }));
	}

	/** Stops the threads. */
	close(): Promise<void> {
		return this.#runner.close();
	}
}
