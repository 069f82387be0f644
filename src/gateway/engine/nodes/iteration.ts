import * as z from 'zod';
import { pythonRepr } from '../pythonText.ts';
import { VariablePool } from '../variables.ts';
import { type NodeContext, NodeError, nodeType } from './nodeType.ts';
import { selectorSchema } from './schemas.ts';

const schema = z.looseObject({
	iterator_selector: selectorSchema,
	output_selector: selectorSchema,
	is_parallel: z
		.boolean()
		.nullish()
		.transform(parallel => parallel ?? false),
	parallel_nums: z
		.number()
		.nullish()
		.transform(limit => Math.max(1, limit ?? 10)),
	error_handle_mode: z
		.enum(['terminated', 'continue-on-error', 'remove-abnormal-output'])
		.nullish()
		.transform(mode => mode ?? 'terminated'),
	flatten_output: z
		.boolean()
		.nullish()
		.transform(flatten => flatten ?? true),
});
type Context = NodeContext<z.output<typeof schema>>;

/** What a round gave. `failed`: nothing, and the mode says what that means. */
interface Round {
	readonly failed: boolean;
	readonly value: unknown;
}

/** Runs its inner graph once for each item of a list, one after the other or several at a time. */
export const iteration = nodeType({
	type: 'iteration',
	schema,
	container: true,
	async run(context) {
		const { settings, record, rounds } = context;
		const items = listOfItems(context);
		const inputs = { iterator_selector: items };
		record.inputs = inputs;
		rounds.emit('started', { inputs, metadata: { iteration_length: items.length } });
		const work = new IterationRun(context, items);
		try {
			const output = collected(await work.run(), settings.error_handle_mode === 'remove-abnormal-output', settings.flatten_output);
			const outputs = { output };
			rounds.emit('completed', { inputs, outputs, status: 'succeeded', error: null, steps: items.length, ...work.totals() });
			return { outputs };
		} catch (error) {
			const { message } = error as Error;
			rounds.emit('completed', { inputs, outputs: {}, status: 'failed', error: message, steps: items.length, ...work.totals() });
			throw error;
		} finally {
			record.metadata = work.totals().execution_metadata;
		}
	},
});

function listOfItems({ settings: { iterator_selector: selector }, variables }: Context): readonly unknown[] {
	const list = variables.get(selector);
	if (list === undefined) {
		throw new NodeError(`iterator variable ${pythonRepr(selector)} not found`, 'IteratorVariableNotFoundError');
	}
	if (list !== null && !Array.isArray(list)) {
		throw new NodeError(`invalid iterator value: ${pythonRepr(selector)} is not a list`, 'InvalidIteratorValueError');
	}
	return list ?? [];
}

function collected(rounds: readonly Round[], drop: boolean, flatten: boolean): readonly unknown[] {
	const values = (drop ? rounds.filter(round => !round.failed) : rounds).map(round => round.value);
	const known = values.filter(value => value !== null);
	return flatten && known.length > 0 && known.every(Array.isArray) ? known.flat() : values;
}

/** The rounds of one iteration. */
class IterationRun {
	readonly #context: Context;
	readonly #items: readonly unknown[];
	readonly #results: Round[] = [];
	readonly #durations: Record<string, number> = {};
	/** Ends the other rounds when one fails. */
	readonly #abort = new AbortController();
	#failure: Error | undefined;
	#tokens = 0;
	#next = 0;

	constructor(context: Context, items: readonly unknown[]) {
		this.#context = context;
		this.#items = items;
	}

	/** @throws {Error} of the first round that failed, if that ends the iteration */
	async run(): Promise<readonly Round[]> {
		const { is_parallel, parallel_nums } = this.#context.settings;
		const lanes = Math.min(is_parallel ? parallel_nums : 1, this.#items.length);
		await Promise.all(Array.from({ length: lanes }, () => this.#lane()));
		if (this.#failure) {
			throw this.#failure;
		}
		this.#context.signal.throwIfAborted();
		return this.#results;
	}

	totals() {
		return {
			total_tokens: this.#tokens,
			execution_metadata: { total_tokens: this.#tokens, iteration_duration_map: this.#durations },
		};
	}

	async #lane(): Promise<void> {
		while (this.#next < this.#items.length && !this.#abort.signal.aborted && !this.#context.signal.aborted) {
			await this.#round(this.#next++);
		}
	}

	async #round(index: number): Promise<void> {
		const { node, variables, settings, rounds } = this.#context;
		const started = performance.now();
		rounds.emit('next', { index });
		const inside = new VariablePool(variables);
		inside.setAll(node.id, { item: this.#items[index], index });
		const end = await rounds.run(index, inside, this.#abort.signal);
		this.#tokens += end.tokens;
		this.#durations[index] = (performance.now() - started) / 1000;
		if (end.status === 'stopped') {
			return;
		}
		const failed = end.status === 'failed';
		if (failed && settings.error_handle_mode === 'terminated') {
			this.#failure = end.error ?? new NodeError('A round failed', 'IterationNodeError');
			this.#abort.abort(this.#failure);
			return;
		}
		this.#results[index] = { failed, value: failed ? null : (inside.get(settings.output_selector) ?? null) };
	}
}
