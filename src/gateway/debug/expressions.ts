import { CodeRunner } from '#engine/code/codeRunner.ts';
import type { Evaluated } from './breakpoints.ts';
import type { ExpressionValues } from './expressionValues.ts';

/** Milliseconds that the expressions of one place may take. */
const timeoutMs = 1_000;

/**
 * Evaluates each expression by itself, so that a fault of one is none of the others. `eval` sees the names around it; it is that of the sandbox, which
 * reaches nothing outside.
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

/** JavaScript of debug sessions, in the sandbox of code nodes: threads of its own, so that nothing of it holds up a run that is not debugged. */
export class Expressions {
	readonly #runner = new CodeRunner({ timeoutMs }, 1);

	/** Evaluates expressions over values. Rejects, with a sentence, where they take too long or the values are too big; and with the signal's reason. */
	async evaluate(expressions: readonly string[], values: ExpressionValues, signal: AbortSignal): Promise<readonly Evaluated[]> {
		const results = await this.#runner.run(program, { ...values, __expressions: expressions }, signal);
		return Array.isArray(results) && results.length === expressions.length
			? results.map(result => (typeof result?.error === 'string' ? { error: result.error } : { value: result?.value }))
			: expressions.map(() => ({ error: 'It broke what evaluates it' }));
	}

	/** Ends the threads. */
	close(): Promise<void> {
		return this.#runner.close();
	}
}
