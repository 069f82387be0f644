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
		for (const state of this.#findBreakpoints(entry)) {
			if (number >= state.since ? entry.hits.includes(state) : await this.#isHit(state, number, signal)) {
				stops.push(state.breakpoint.id);
			}
		}
		return stops.length > 0 ? { reason: 'breakpoint', branch: branch.id, breakpoints: stops } : undefined;
	}

	#findBreakpoints({ branch: { level, node } }: HistoryEntry): readonly BreakpointState[] {
		return this.#breakpoints.findBreakpoints(getAgentName(level), node.id);
	}

	/** True if a breakpoint that was set later is hit. Counts its hits from the start of the history. Log messages aren't repeated. */
	async #isHit(state: BreakpointState, number: number, signal: AbortSignal): Promise<boolean> {
		if (state.breakpoint.log_message !== undefined) {
			return false;
		}
		const hits = this.#hits.get(state) ?? { counts: new Map<number, number>(), next: this.#history.first };
		this.#hits.set(state, hits);
		for (let at = Math.max(hits.next, this.#history.first); at <= number; at++) {
			const entry = this.#history.getEntry(at);
			if (!entry.failure && this.#findBreakpoints(entry).includes(state) && (await this.#isConditionMet(state, entry, signal))) {
				hits.counts.set(at, hits.counts.size + 1);
			}
			hits.next = at + 1;
		}
		const count = hits.counts.get(number);
		return count !== undefined && (state.hitCondition?.(count) ?? true);
	}

	/** True if the condition of a breakpoint is met or can't be evaluated, as at a node that is about to start. */
	async #isConditionMet({ breakpoint: { condition } }: BreakpointState, entry: HistoryEntry, signal: AbortSignal): Promise<boolean> {
		if (condition === undefined) {
			return true;
		}
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
		for (let position = Math.max(from, history.first); position >= history.first && position < history.length; position += step) {
			const stop = isWanted(position) ? await this.#stops.findStop(position, signal) : undefined;
			signal.throwIfAborted();
			if (stop) {
				return { position, stop };
			}
		}
		return undefined;
	}
}
