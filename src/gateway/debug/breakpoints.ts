import type { DebugBreakpoint, DebugEvent } from '#contract/debugging.ts';
import { type HitCondition, parseHitCondition } from './hitCondition.ts';
import { parseLogMessage } from './logMessage.ts';

/** Evaluates several JavaScript expressions at a paused node. Rejects if none can be evaluated. */
export type Evaluate = (expressions: readonly string[]) => Promise<readonly Evaluated[]>;

/** Outcome of evaluating an expression. */
export type Evaluated = { readonly value: unknown } | { readonly error: string };

/** Outcome of checking a node's breakpoints. */
export interface BreakpointVerdict {
	/** IDs of the breakpoints that stop the run. */
	readonly stops: readonly string[];
	readonly outputs: readonly Output[];
}

type Output = Extract<DebugEvent, { event: 'debug_output' }>['data'];

interface Entry {
	readonly breakpoint: DebugBreakpoint;
	readonly hitCondition: HitCondition | undefined;
	hits: number;
}

/** The breakpoints of a session, by node. */
export class Breakpoints {
	/** Name of the debugged agent. */
	readonly #agent: string | undefined;
	#entries = new Map<string, Entry[]>();

	constructor(agent: string | undefined) {
		this.#agent = agent;
	}

	/** Replaces all breakpoints. Unchanged ones keep their hit counts. */
	set(breakpoints: readonly DebugBreakpoint[]): void {
		const before = new Map([...this.#entries.values()].flat().map(entry => [JSON.stringify(entry.breakpoint), entry]));
		this.#entries = new Map();
		for (const breakpoint of breakpoints) {
			const key = toEntryKey(breakpoint.agent, breakpoint.node);
			const entry = before.get(JSON.stringify(breakpoint)) ?? {
				breakpoint,
				hitCondition: parseHitCondition(breakpoint.hit_condition ?? '1'),
				hits: 0,
			};
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
		const named = this.#entries.get(toEntryKey(agent, node)) ?? [];
		// breakpoints of an agent that calls itself apply at every depth
		const own = agent !== undefined && agent === this.#agent ? (this.#entries.get(toEntryKey(undefined, node)) ?? []) : [];
		const entries = [...named, ...own];
		if (entries.length === 0) {
			return undefined;
		}
		const isPlain = entries.every(({ breakpoint }) => breakpoint.condition === undefined && breakpoint.log_message === undefined);
		return isPlain
			? { stops: entries.filter(countHit).map(({ breakpoint }) => breakpoint.id), outputs: [] }
			: judgeEntries(entries, evaluate);
	}
}

function toEntryKey(agent: string | undefined, node: string): string {
	return JSON.stringify([agent ?? null, node]);
}

/** Counts a hit of a breakpoint whose condition is met. An invalid hit condition is ignored. */
function countHit(entry: Entry): boolean {
	entry.hits++;
	return entry.hitCondition?.(entry.hits) ?? true;
}

async function judgeEntries(entries: readonly Entry[], evaluate: Evaluate): Promise<BreakpointVerdict> {
	const stops: string[] = [];
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
				stops.push(id);
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
			stops.push(id);
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
			stops.push(id);
		}
	}
	return { stops, outputs };
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
