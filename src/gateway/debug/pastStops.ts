import { EventLoopYield } from '#base/timing/eventLoopYield.ts';
import { getAgentName } from './branches.ts';
import type { BreakpointState, Breakpoints, EvaluateAt, Evaluated } from './breakpoints.ts';
import type { FailureStops } from './failureStops.ts';
import { type DebugHistory, type HistoryEntry, PastMoment } from './history.ts';
import type { Stop } from './stopReports.ts';

/** Hits of a breakpoint in the past: how many there were so far, by entry. */
interface PastHits {
	readonly counts: Map<number, number>;
	/** Number of the first entry that wasn't checked yet. */
	next: number;
}

/** Finds the entries of a history where the run stopped, or would have stopped with the breakpoints that are set now. */
export class PastStops {
	readonly #history: DebugHistory;
	readonly #breakpoints: Breakpoints;
	readonly #failureStops: FailureStops;
	readonly #evaluate: EvaluateAt;
	readonly #hits = new WeakMap<BreakpointState, PastHits>();

	constructor(history: DebugHistory, breakpoints: Breakpoints, failureStops: FailureStops, evaluate: EvaluateAt) {
		this.#history = history;
		this.#breakpoints = breakpoints;
		this.#failureStops = failureStops;
		this.#evaluate = evaluate;
	}

	/** Returns why the run stops at an entry; `undefined` if it doesn't. Rejects with the signal's reason. */
	async findStop(number: number, signal: AbortSignal): Promise<Stop | undefined> {
		const entry = this.#history.getEntry(number);
		const { branch, failure } = entry;
		if (failure) {
			return this.#failureStops.isStop(failure.endsRun)
				? { reason: 'failure', branch: branch.id, ...(branch.error !== undefined && { error: branch.error }) }
				: undefined;
		}
		const stops: string[] = [];
		const hits = new Set(entry.hits);
		for (const state of this.#breakpoints.findBreakpoints(getAgentName(branch.level), branch.node.id)) {
			if (number >= state.since ? hits.has(state) : await this.#isHit(state, number, signal)) {
				stops.push(state.breakpoint.id);
			}
		}
		return stops.length > 0 ? { reason: 'breakpoint', branch: branch.id, breakpoints: stops } : undefined;
	}

	/** True if a breakpoint that was set later is hit. Counts its hits from the start of the history. Log messages aren't repeated. */
	async #isHit(state: BreakpointState, number: number, signal: AbortSignal): Promise<boolean> {
		const { condition, log_message: message } = state.breakpoint;
		if (message !== undefined) {
			return false;
		}
		const hits = this.#hits.get(state) ?? { counts: new Map<number, number>(), next: this.#history.first };
		this.#hits.set(state, hits);
		const others = new EventLoopYield();
		for (let at = Math.max(hits.next, this.#history.first); at <= number; at++) {
			if (others.isDue) {
				await others.yieldTurn();
				signal.throwIfAborted();
			}
			const entry = this.#history.getEntry(at);
			const { level, node } = entry.branch;
			const isOwn = this.#breakpoints.isAt(state, getAgentName(level), node.id);
			// without a condition there's nothing to wait for, which would take long with many entries
			if (!entry.failure && isOwn && (condition === undefined || (await this.#isConditionMet(condition, entry, signal)))) {
				hits.counts.set(at, hits.counts.size + 1);
			}
			hits.next = at + 1;
		}
		const count = hits.counts.get(number);
		return count !== undefined && (state.hitCondition?.(count) ?? true);
	}

	/** True if the condition of a breakpoint is met or can't be evaluated, as at a node that is about to start. */
	async #isConditionMet(condition: string, entry: HistoryEntry, signal: AbortSignal): Promise<boolean> {
		const branch = new PastMoment(entry).restoreVariables(entry.branch);
		const [outcome] = await this.#evaluate(branch)([condition]).catch((error: Error): readonly Evaluated[] => [{ error: error.message }]);
		signal.throwIfAborted();
		return !outcome || 'error' in outcome || Boolean(outcome.value);
	}
}

type SearchEnd = (...found: [position: number, stop: Stop] | [position: undefined, stop: undefined]) => void;

/** Searches a history for stops, one search at a time. */
export class PastSearch {
	readonly #history: DebugHistory;
	readonly #stops: PastStops;
	readonly #onError: () => void;
	#control = new AbortController();
	#isActive = false;

	/** @param onError called when a search has failed */
	constructor(history: DebugHistory, stops: PastStops, onError: () => void) {
		this.#history = history;
		this.#stops = stops;
		this.#onError = onError;
	}

	/** True until the last search has ended. */
	get isActive(): boolean {
		return this.#isActive;
	}

	/**
	 * Searches the entries from one on, forward or backward, for a stop.
	 * @param onEnd receives the entry and its stop, if there is one; not called if another command replaces the search
	 */
	findStop(from: number, step: 1 | -1, onEnd: SearchEnd, isWanted: (number: number) => boolean = () => true): void {
		this.cancel();
		const { signal } = this.#control;
		this.#isActive = true;
		this.#search(from, step, isWanted, signal)
			.then(found => {
				this.#isActive = false;
				if (found) {
					onEnd(found.position, found.stop);
				} else {
					onEnd(undefined, undefined);
				}
			})
			.catch(() => signal.aborted || this.#onError());
	}

	cancel(): void {
		this.#control.abort();
		this.#control = new AbortController();
		this.#isActive = false;
	}

	async #search(from: number, step: 1 | -1, isWanted: (number: number) => boolean, signal: AbortSignal) {
		const history = this.#history;
		const others = new EventLoopYield();
		for (let position = Math.max(from, history.first); position >= history.first && position < history.length; position += step) {
			if (others.isDue) {
				await others.yieldTurn();
				signal.throwIfAborted();
			}
			const stop = isWanted(position) ? await this.#stops.findStop(position, signal) : undefined;
			signal.throwIfAborted();
			if (stop) {
				return { position, stop };
			}
		}
		return undefined;
	}
}
