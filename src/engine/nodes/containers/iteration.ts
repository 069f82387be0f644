import * as z from 'zod';
import { defaultMaxSteps } from '../../run/runScheduler.ts';
import { toPythonRepr } from '../../variables/pythonText.ts';
import { VariablePool } from '../../variables/variables.ts';
import { checkWeight } from '../../variables/weight.ts';
import { MissingVariableError, NodeError } from '../nodeError.ts';
import { defineNodeType, type NodeContext } from '../nodeType.ts';
import { selectorSchema } from '../schemas.ts';
import { createReportedFailure } from './reportedFailure.ts';
import { RoundMap } from './roundMap.ts';

/** Maximum number of concurrent iterations, as in the hosted service. */
const maxParallel = 10;

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
		.transform(limit => Math.min(Math.max(1, Math.trunc(limit ?? maxParallel)), maxParallel)),
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

/** Iteration node: runs its inner graph once for each item of a list, sequentially or several at once. */
export const iteration = defineNodeType({
	type: 'iteration',
	schema,
	async run(context) {
		const { settings, record, rounds } = context;
		const items = getIteratedItems(context);
		const inputs = { iterator_selector: items };
		record.inputs = inputs;
		rounds.emit('started', { inputs, metadata: { iteration_length: items.length } });
		const work = new IterationRun(context, items);
		const failure = await work.runIterations();
		const { values } = work;
		// must be checked before the lists are joined, and before the end event reports all outputs
		checkWeight(values);
		const outputs = { output: flattenValues(values, settings.flatten_output) };
		const totals = work.getTotals();
		record.metadata = totals.execution_metadata;
		const status = failure ? 'failed' : 'succeeded';
		rounds.emit('completed', { inputs, outputs, status, error: failure?.message ?? null, steps: items.length, ...totals });
		if (failure) {
			throw failure;
		}
		return { outputs };
	},
});

/** Refuses a list with more items than a run may start nodes. Otherwise the run would fail only at the last items. */
function getIteratedItems({ settings: { iterator_selector: selector }, variables, services }: Context): readonly unknown[] {
	const list = variables.get(selector);
	if (list === undefined) {
		throw new MissingVariableError(selector, `iterator variable ${toPythonRepr(selector)} not found`, 'WorkflowNodeError');
	}
	if (list !== null && !Array.isArray(list)) {
		throw new NodeError(`invalid iterator value: ${toPythonRepr(selector)} is not a list`, 'WorkflowNodeError');
	}
	const maxSteps = services.settings.maxSteps ?? defaultMaxSteps;
	if (list !== null && list.length > maxSteps) {
		throw new NodeError(
			`${toPythonRepr(selector)} has ${list.length} items, but a run can start at most ${maxSteps} nodes, including those of iterations. Shorten the list, or raise the limit (agentWorkbench.gateway.maxSteps, or engine.max_steps of the gateway).`,
			'WorkflowNodeError',
		);
	}
	return list ?? [];
}

function flattenValues(values: readonly unknown[], flatten: boolean): readonly unknown[] {
	const known = values.filter(value => value !== null);
	return flatten && known.length > 0 && known.every(Array.isArray) ? known.flat() : values;
}

/** Runs the iterations of one node. */
class IterationRun {
	readonly #context: Context;
	readonly #items: readonly unknown[];
	/** Results by index; sparse if an iteration has no result. */
	readonly #results: unknown[] = [];
	readonly #durations = new RoundMap();
	/** Error of the first failed iteration, if it ends the node. */
	#failure: Error | undefined;
	#tokens = 0;
	#next = 0;

	constructor(context: Context, items: readonly unknown[]) {
		this.#context = context;
		this.#items = items;
	}

	/** Results of the iterations so far, in order. */
	get values(): readonly unknown[] {
		return this.#results.filter(() => true);
	}

	/** @returns the error of the node, if any; iterations running concurrently with a failed one may finish */
	async runIterations(): Promise<Error | undefined> {
		const { is_parallel, parallel_nums } = this.#context.settings;
		const lanes = Math.min(is_parallel ? parallel_nums : 1, this.#items.length);
		await Promise.all(Array.from({ length: lanes }, () => this.#runLane()));
		this.#context.signal.throwIfAborted();
		return this.#failure;
	}

	getTotals() {
		return {
			total_tokens: this.#tokens,
			execution_metadata: { total_tokens: this.#tokens, iteration_duration_map: this.#durations.values },
		};
	}

	async #runLane(): Promise<void> {
		while (this.#next < this.#items.length && !this.#failure && !this.#context.signal.aborted) {
			await this.#runIteration(this.#next++);
		}
	}

	async #runIteration(index: number): Promise<void> {
		const { node, variables, settings, rounds } = this.#context;
		const started = performance.now();
		rounds.emit('next', { index });
		const inside = VariablePool.createCopy(variables);
		inside.setAllValues(node.id, { item: this.#items[index], index });
		const end = await rounds.run(index, inside);
		this.#tokens += end.tokens;
		this.#durations.set(index, (performance.now() - started) / 1000);
		if (end.status === 'stopped') {
			return;
		}
		if (end.status === 'succeeded') {
			this.#results[index] = inside.get(settings.output_selector) ?? null;
			if (index === this.#items.length - 1) {
				rounds.keepOutputs(end.outputs);
			}
		} else if (settings.error_handle_mode === 'continue-on-error') {
			this.#results[index] = null;
		} else if (settings.error_handle_mode === 'terminated') {
			this.#failure ??= createReportedFailure(end.error);
		}
	}
}
