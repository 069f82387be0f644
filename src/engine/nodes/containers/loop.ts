import * as z from 'zod';
import type { AgentNode } from '../../agentFile/agentTypes.ts';
import { areConditionsMet, conditionSchema, joinSchema } from '../../variables/conditions.ts';
import type { VariablePool } from '../../variables/variables.ts';
import { checkWeight } from '../../variables/weight.ts';
import { MissingVariableError, NodeError } from '../nodeError.ts';
import { defineNodeType, type NodeContext } from '../nodeType.ts';
import { createListSchema } from '../schemas.ts';
import { createReportedFailure } from './reportedFailure.ts';
import { RoundMap } from './roundMap.ts';

const variableSchema = z.looseObject({
	label: z.string(),
	var_type: z.string(),
	value_type: z.enum(['constant', 'variable']),
	value: z.unknown().optional(),
});
type LoopVariable = z.output<typeof variableSchema>;

const schema = z.looseObject({
	loop_count: z.coerce.number().int().min(1),
	break_conditions: createListSchema(conditionSchema),
	logical_operator: joinSchema,
	loop_variables: createListSchema(variableSchema),
});
type Context = NodeContext<z.output<typeof schema>>;

type Reason = 'loop_break' | 'loop_completed' | 'error';

/** Loop node: repeats its inner graph until a condition holds, a loop-end node is reached, or the count is used up. */
export const loop = defineNodeType({
	type: 'loop',
	schema,
	async run(context) {
		const { settings, record, rounds, variables, node } = context;
		variables.setAllValues(
			node.id,
			Object.fromEntries(settings.loop_variables.map(variable => [variable.label, getFirstValue(variable, variables)])),
		);
		variables.declareTypes(node.id, Object.fromEntries(settings.loop_variables.map(({ label, var_type }) => [label, var_type])));
		const inputs = { loop_count: settings.loop_count, ...variables.getAllValues(node.id) };
		// events of a loop contain these values several times
		checkWeight(inputs);
		record.inputs = inputs;
		rounds.emit('started', { inputs, metadata: { loop_length: settings.loop_count } });
		const work = new LoopRun(context);
		const completeLoop = (reason: Reason, outputs: Record<string, unknown>, error: string | null) => {
			const totals = work.getTotals(reason);
			record.metadata = totals.execution_metadata;
			rounds.emit('completed', {
				inputs,
				outputs,
				status: error === null ? 'succeeded' : 'failed',
				error,
				// the count set in the file, unless no iteration was started (cases h03, h10)
				steps: work.begun ? settings.loop_count : 0,
				completed_reason: reason,
				...totals,
			});
		};
		try {
			const reason = await work.runIterations();
			const outputs = work.rounds > 0 ? { ...variables.getAllValues(node.id), loop_round: work.rounds } : {};
			checkWeight([inputs, outputs]);
			completeLoop(reason, outputs, null);
			return { outputs };
		} catch (error) {
			context.signal.throwIfAborted();
			const failure = createReportedFailure(error as Error);
			completeLoop('error', {}, failure.message);
			throw failure;
		}
	},
});

/**
 * Returns the initial value of a loop variable. @throws {NodeError} if its source variable doesn't exist, or a constant has the wrong type
 */
function getFirstValue({ label, var_type: type, value_type, value }: LoopVariable, variables: VariablePool): unknown {
	if (value_type === 'variable') {
		const selector = Array.isArray(value) ? value.map(String) : [];
		const found = variables.get(selector);
		if (found === undefined) {
			throw new MissingVariableError(selector, `Invalid value for loop variable ${label}`, 'WorkflowNodeError');
		}
		return found;
	}
	if (typeof value !== 'string' || type === 'string') {
		return value ?? (type === 'string' ? '' : null);
	}
	try {
		return type === 'boolean' ? JSON.parse(value.toLowerCase()) : value.trim() === '' ? getEmptyConstant(type) : JSON.parse(value);
	} catch (cause) {
		throw new NodeError(`Loop variable ${label}: '${value}' isn't a value of type ${type}`, 'WorkflowNodeError', { cause });
	}
}

function getEmptyConstant(type: string): unknown {
	return type.startsWith('array') ? [] : type === 'object' ? {} : 0;
}

class LoopRun {
	readonly #context: Context;
	readonly #durations = new RoundMap();
	readonly #variableMap = new RoundMap();
	#tokens = 0;
	/** Number of completed iterations. */
	rounds = 0;
	/** True once an iteration has started. */
	begun = false;

	constructor(context: Context) {
		this.#context = context;
	}

	async runIterations(): Promise<Reason> {
		const { settings, variables, node, rounds } = this.#context;
		if (this.#isBreakConditionMet(true)) {
			return 'loop_break';
		}
		for (let index = 0; index < settings.loop_count; index++) {
			const broke = await this.#runIteration(index);
			if (broke || this.#isBreakConditionMet(false)) {
				return 'loop_break';
			}
			if (index + 1 < settings.loop_count) {
				rounds.emit('next', { index: index + 1, pre_loop_output: { ...variables.getAllValues(node.id), loop_round: index + 1 } });
			}
		}
		return 'loop_completed';
	}

	getTotals(reason: Reason) {
		return {
			total_tokens: this.#tokens,
			execution_metadata: {
				total_tokens: this.#tokens,
				completed_reason: reason,
				loop_duration_map: this.#durations.values,
				loop_variable_map: this.#variableMap.values,
			},
		};
	}

	async #runIteration(index: number): Promise<boolean> {
		const { node, variables, rounds } = this.#context;
		const started = performance.now();
		removeInnerOutputs(node, variables);
		this.begun = true;
		const end = await rounds.run(index, variables);
		this.#tokens += end.tokens;
		this.#durations.set(index, (performance.now() - started) / 1000);
		if (end.status !== 'succeeded') {
			throw end.error ?? new NodeError('An iteration was stopped', 'LoopNodeError');
		}
		rounds.keepOutputs(end.outputs);
		this.#variableMap.set(index, variables.getAllValues(node.id));
		this.rounds++;
		return end.broke;
	}

	/** Before the first iteration, conditions that can't be evaluated count as false, because outputs of inner nodes don't exist yet. */
	#isBreakConditionMet(first: boolean): boolean {
		const { break_conditions: conditions, logical_operator: join } = this.#context.settings;
		if (conditions.length === 0) {
			return false;
		}
		try {
			return areConditionsMet(conditions, join, this.#context.variables);
		} catch (error) {
			if (first && error instanceof NodeError) {
				return false;
			}
			throw error;
		}
	}
}

/** Removes the outputs of all nodes inside a container. A loop in it would otherwise check its conditions with those of the last iteration. */
function removeInnerOutputs({ inner }: AgentNode, variables: VariablePool): void {
	for (const node of inner?.nodes.values() ?? []) {
		variables.removeNode(node.id);
		removeInnerOutputs(node, variables);
	}
}
