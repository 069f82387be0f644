import type { DebugBreakpoint, DebugEvent } from '#contract/debugging.ts';
import type { Branch } from './branches.ts';
import { type HitCondition, parseHitCondition } from './hitCondition.ts';
import { parseLogMessage } from './logMessage.ts';

/** Evaluates several JavaScript expressions at a paused node. Rejects if none can be evaluated. */
type Evaluate = (expressions: readonly string[]) => Promise<readonly Evaluated[]>;

/** Returns a function that evaluates expressions at a branch. */
export type EvaluateAt = (branch: Pick<Branch, 'level' | 'node'>) => Evaluate;

/** Outcome of evaluating an expression. */
export type Evaluated = { readonly value: unknown } | { readonly error: string };

/** Outcome of checking a node's breakpoints. */
export interface BreakpointVerdict {
	/** IDs of the breakpoints that stop the run. */
	readonly stops: readonly string[];
	/** The same breakpoints, with an identity that they keep when all breakpoints are set again. */
	readonly hits: readonly BreakpointState[];
	readonly outputs: readonly Output[];
}

type Output = Extract<DebugEvent, { event: 'debug_output' }>['data'];

/** A breakpoint and what it counts. Keeps its identity while only its ID changes. */
export interface BreakpointState {
	breakpoint: DebugBreakpoint;
	readonly hitCondition: HitCondition | undefined;
	hits: number;
	/** Number of history entries when it was set. */
	readonly since: number;
}

/** The breakpoints of a session, by node. */
export class Breakpoints {
	/** Name of the debugged agent. */
	readonly #agent: string | undefined;
	/** Returns the number of history entries. */
	readonly #countEntries: () => number;
	#entries = new Map<string, BreakpointState[]>();

	constructor(agent: string | undefined, countEntries: () => number) {
		this.#agent = agent;
		this.#countEntries = countEntries;
	}

	/** Replaces all breakpoints. Unchanged ones keep their hit counts, even if they have other IDs. */
	set(breakpoints: readonly DebugBreakpoint[]): void {
		const before = new Map<string, BreakpointState[]>();
		for (const state of [...this.#entries.values()].flat().reverse()) {
			const same = toContentKey(state.breakpoint);
			const known = before.get(same);
			if (known) {
				known.push(state);
			} else {
				before.set(same, [state]);
			}
		}
		this.#entries = new Map();
		for (const breakpoint of breakpoints) {
			const key = toEntryKey(breakpoint.agent, breakpoint.node);
			const entry = before.get(toContentKey(breakpoint))?.pop() ?? {
				breakpoint,
				hitCondition: parseHitCondition(breakpoint.hit_condition ?? '1'),
				hits: 0,
				since: this.#countEntries(),
			};
			entry.breakpoint = breakpoint;
			const known = this.#entries.get(key);
			if (known) {
				known.push(entry);
			} else {
				this.#entries.set(key, [entry]);
			}
		}
	}

	/** Checks the breakpoints of a node; undefined if it has none. Synchronous if there are no expressions. */
	judgeNode(agent: string | undefined, node: string, evaluate: Evaluate): BreakpointVerdict | Promise<BreakpointVerdict> | undefined {
		const entries = this.findBreakpoints(agent, node);
		if (entries.length === 0) {
			return undefined;
		}
		const isPlain = entries.every(({ breakpoint }) => breakpoint.condition === undefined && breakpoint.log_message === undefined);
		return isPlain ? createVerdict(entries.filter(countHit), []) : judgeEntries(entries, evaluate);
	}

	/** Returns the breakpoints of a node. */
	findBreakpoints(agent: string | undefined, node: string): readonly BreakpointState[] {
		const named = this.#entries.get(toEntryKey(agent, node)) ?? [];
		// breakpoints of an agent that calls itself apply at every depth
		const own = agent !== undefined && agent === this.#agent ? (this.#entries.get(toEntryKey(undefined, node)) ?? []) : [];
		return [...named, ...own];
	}

	/** True if a breakpoint is one of those that {@link findBreakpoints} returns for a node. */
	isAt({ breakpoint }: BreakpointState, agent: string | undefined, node: string): boolean {
		return breakpoint.node === node && (breakpoint.agent === agent || (breakpoint.agent === undefined && agent === this.#agent));
	}
}

function createVerdict(hits: readonly BreakpointState[], outputs: readonly Output[]): BreakpointVerdict {
	return { stops: hits.map(({ breakpoint }) => breakpoint.id), hits, outputs };
}

/** Returns a key of everything that matters of a breakpoint: clients give it another ID each time they set it. */
function toContentKey(breakpoint: DebugBreakpoint): string {
	return JSON.stringify({ ...breakpoint, id: '' });
}

function toEntryKey(agent: string | undefined, node: string): string {
	return JSON.stringify([agent ?? null, node]);
}

/** Counts a hit of a breakpoint whose condition is met. An invalid hit condition is ignored. */
function countHit(entry: BreakpointState): boolean {
	entry.hits++;
	return entry.hitCondition?.(entry.hits) ?? true;
}

async function judgeEntries(entries: readonly BreakpointState[], evaluate: Evaluate): Promise<BreakpointVerdict> {
	const hits: BreakpointState[] = [];
	const outputs: Output[] = [];
	for (const entry of entries) {
		const { id, node, agent, condition, log_message: message } = entry.breakpoint;
		const addOutput = (text: string, fault?: boolean) =>
			outputs.push({ node, ...(agent !== undefined && { agent }), breakpoint: id, text, ...(fault && { fault }) });
		if (condition !== undefined) {
			const result = await evaluateSafely(evaluate, [condition]);
			const outcome = result[0] as Evaluated;
			if ('error' in outcome) {
				addOutput(`Couldn't evaluate the condition \`${condition}\`: ${outcome.error}`, true);
				hits.push(entry);
				continue;
			}
			if (!outcome.value) {
				continue;
			}
		}
		if (!countHit(entry)) {
			continue;
		}
		if (message === undefined) {
			hits.push(entry);
			continue;
		}
		const parts = parseLogMessage(message);
		const values = await evaluateSafely(
			evaluate,
			parts.flatMap(part => ('expression' in part ? [part.expression] : [])),
		);
		const faults = values.flatMap(value => ('error' in value ? [value.error] : []));
		let next = 0;
		addOutput(parts.map(part => ('text' in part ? part.text : formatOutcome(values[next++] as Evaluated))).join(''));
		for (const fault of faults) {
			addOutput(`Couldn't evaluate the log message '${message}': ${fault}`, true);
		}
		if (faults.length > 0) {
			hits.push(entry);
		}
	}
	return createVerdict(hits, outputs);
}

async function evaluateSafely(evaluate: Evaluate, expressions: readonly string[]): Promise<readonly Evaluated[]> {
	if (expressions.length === 0) {
		return [];
	}
	try {
		return await evaluate(expressions);
	} catch (error) {
		return expressions.map(() => ({ error: (error as Error).message }));
	}
}

function formatOutcome(outcome: Evaluated): string {
	if ('error' in outcome) {
		return '{?}';
	}
	return typeof outcome.value === 'string' ? outcome.value : (JSON.stringify(outcome.value) ?? 'undefined');
}

/** The verdict on a node without breakpoints. */
export const noVerdict: BreakpointVerdict = { stops: [], hits: [], outputs: [] };
