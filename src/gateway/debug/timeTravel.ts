import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { type Branch, createNotPausedFault, toDebugBranch } from './branches.ts';
import type { EvaluateAt } from './breakpoints.ts';
import type { DebugSession } from './debugSession.ts';
import { type PastBranch, PastMoment, toPastState } from './history.ts';
import type { InspectedBranch } from './inspection.ts';
import { findNextEntry, findOuterBranch, findPreviousEntry, isInside } from './pastPaths.ts';
import { PastStops } from './pastStops.ts';
import type { EmitDebugEvent, Stop } from './stopReports.ts';

/** A place that a step back started from. */
interface TrailPlace {
	/** `undefined` for the present. */
	readonly position: number | undefined;
	/** ID of the branch that stepped back, and the branch if it was in the past. */
	readonly id: number;
	readonly branch: PastBranch;
}

type SearchEnd = (...found: [position: number, stop: Stop] | [position: undefined, stop: undefined]) => void;

/**
 * Moves a client back and forth through the history of a stopped run. In the past, the run itself stays stopped. Commands that continue
 * it follow the history first and act on the run only at its end.
 */
export class TimeTravel {
	readonly #session: DebugSession;
	readonly #emit: EmitDebugEvent;
	readonly #stops: PastStops;
	/** Number of the shown entry and its moment; `undefined` in the present. */
	#place: { readonly position: number; readonly moment: PastMoment; readonly stop: Stop } | undefined;
	/** Where the last steps back started, so that steps forward lead there again even if the path parts. */
	#trail: TrailPlace[] = [];
	/** Aborted when another command replaces a search for a stop. */
	#search = new AbortController();
	#isSearching = false;

	constructor(session: DebugSession, emit: EmitDebugEvent, evaluate: EvaluateAt) {
		this.#session = session;
		this.#emit = emit;
		this.#stops = new PastStops(session.history, session.breakpoints, session.failureStops, evaluate);
	}

	/** True if the client looks at the past. */
	get isPast(): boolean {
		return this.#place !== undefined;
	}

	/** Returns a branch of the shown moment with the variables of that moment. Throws a `ServiceFault` (409) if it doesn't exist. */
	getBranch(id: number): InspectedBranch {
		const past = this.#place?.moment.findBranch(id);
		const branch = this.#place ? past && this.#place.moment.restoreVariables(past) : this.#session.branches.findBranchById(id);
		if (!branch) {
			throw new ServiceFault(409, localizable`This branch doesn't exist anymore. Expected a branch of the last 'debug_stopped' event.`);
		}
		return branch;
	}

	/** Moves to the node that ran before on a branch, or to the node around it. Throws a `ServiceFault` (409) if there is none. */
	stepBack(id: number): void {
		this.#cancelSearch();
		const branch = this.#findBranch(id);
		const { history } = this.#session;
		const target = findPreviousEntry(history, branch, this.#place?.position ?? history.length);
		if (target === undefined) {
			this.#throwAtStart();
		}
		this.#trail.push({ position: this.#place?.position, id, branch });
		this.#showEntry(target, { reason: 'step', branch: history.getEntry(target).branch.id });
	}

	/** Moves to the latest earlier stop at a breakpoint or failure, or else to the first node. Throws a `ServiceFault` (409) at the first node. */
	reverse(): void {
		this.#requireStopped();
		const { history } = this.#session;
		const from = this.#place?.position ?? history.presentStart;
		if (from <= history.first) {
			this.#throwAtStart();
		}
		this.#searchStop(from - 1, -1, (position = history.first, stop) => {
			this.#trail = [];
			this.#showEntry(position, stop ?? { reason: 'entry', branch: history.getEntry(position).branch.id });
		});
	}

	/** Returns to where the run itself is stopped. */
	returnToPresent(): void {
		this.#cancelSearch();
		this.#trail = [];
		if (this.#place) {
			this.#place = undefined;
			this.#session.returnToPresent();
		}
	}

	/** Continues to the next stop of the history, or else continues the run. */
	continueRun(): void {
		this.#cancelSearch();
		if (!this.#place) {
			this.#session.continueRun();
			return;
		}
		this.#searchStop(this.#place.position + 1, 1, (position, stop) => {
			this.#trail = [];
			if (stop) {
				this.#showEntry(position, stop);
			} else {
				this.returnToPresent();
				this.#session.continueRun();
			}
		});
	}

	/** Steps a branch, in the past at most to the present. Throws a `ServiceFault` (409) if the branch isn't paused. */
	stepBranch(id: number, how: 'over' | 'into' | 'out'): void {
		this.#cancelSearch();
		if (!this.#place) {
			this.#session.stepBranch(id, how);
			return;
		}
		const { position, moment } = this.#place;
		const { history } = this.#session;
		const branch = moment.findBranch(id);
		if (!branch || branch.state === 'running') {
			throw createNotPausedFault();
		}
		const moved = how === 'out' ? findOuterBranch(moment.entry, branch.level) : branch;
		if (!moved) {
			this.continueRun();
			return;
		}
		const inner = how === 'into' ? this.#findInnerEntry(branch, position) : undefined;
		const back = how === 'out' ? undefined : this.#takeTrail(branch, inner !== undefined);
		if (!back) {
			this.#trail = [];
		}
		const next = back ? back.position : (inner ?? findNextEntry(history, moved, position));
		const target = next ?? history.length;
		const isPassed = (number: number) => {
			const { branch: each, failure } = history.getEntry(number);
			return number < target && (each.origin === moved.origin ? failure !== undefined : isInside(each, moved));
		};
		this.#searchStop(
			position + 1,
			1,
			(stopped, stop) => {
				if (stop) {
					this.#trail = [];
					this.#showEntry(stopped, stop);
				} else {
					const reached = next === undefined ? id : history.getEntry(next).branch.id;
					this.#showEntry(target, { reason: 'step', branch: back?.id ?? reached });
				}
			},
			isPassed,
		);
	}

	/** Stops the run, or a search in its history. */
	pauseRun(): void {
		const wasSearching = this.#isSearching;
		this.#cancelSearch();
		if (this.#place) {
			this.#showEntry(this.#place.position, { ...this.#place.stop, reason: 'pause' });
		} else if (wasSearching) {
			this.#session.returnToPresent({ reason: 'pause', branch: 0 });
		} else {
			this.#session.pauseRun();
		}
	}

	/** Throws a `ServiceFault` (409) if the client looks at the past. */
	requirePresent(): void {
		if (this.#place) {
			throw new ServiceFault(
				409,
				localizable`The past can't be changed. To continue from here with other values, use 'Fork from Here'. To change the run itself, return to the present.`,
			);
		}
	}

	/** Shows an entry of the history, or the present if no node has started since. */
	#showEntry(position: number, stop: Stop): void {
		const { history } = this.#session;
		if (position >= history.presentStart) {
			this.#trail = [];
			this.#place = undefined;
			this.#session.returnToPresent(stop);
			return;
		}
		if (position < history.first) {
			this.#throwAtStart();
		}
		if (!this.#place) {
			this.#session.leavePresent();
		}
		const moment = new PastMoment(history.getEntry(position));
		moment.restoreAll();
		this.#place = { position, moment, stop };
		this.#emit({
			event: 'debug_stopped',
			data: {
				...stop,
				branches: moment.leaves.map(branch => toDebugBranch(branch)),
				past: { step: position + 1, of: history.length },
			},
		});
	}

	/**
	 * Searches the entries from one on, forward or backward, for a stop.
	 * @param onEnd receives the entry and its stop, if there is one; not called if another command replaces the search
	 */
	#searchStop(from: number, step: 1 | -1, onEnd: SearchEnd, isWanted: (number: number) => boolean = () => true): void {
		this.#cancelSearch();
		const { signal } = this.#search;
		this.#isSearching = true;
		const search = async () => {
			const { history } = this.#session;
			for (let position = Math.max(from, history.first); position >= history.first && position < history.length; position += step) {
				const stop = isWanted(position) ? await this.#stops.findStop(position, signal) : undefined;
				signal.throwIfAborted();
				if (stop) {
					return { position, stop };
				}
			}
			return undefined;
		};
		const finish = (found: { readonly position: number; readonly stop: Stop } | undefined) => {
			this.#isSearching = false;
			if (found) {
				onEnd(found.position, found.stop);
			} else {
				onEnd(undefined, undefined);
			}
		};
		// if an entry was dropped meanwhile, the client stays where it is
		search()
			.then(finish)
			.catch(() => signal.aborted || this.pauseRun());
	}

	#cancelSearch(): void {
		this.#search.abort();
		this.#search = new AbortController();
		this.#isSearching = false;
	}

	/** Returns the place that the branch has stepped back from, if a step forward leads there. */
	#takeTrail(branch: PastBranch, goesInside: boolean): TrailPlace | undefined {
		const place = this.#trail.pop();
		const isOwn = branch.origin === this.#place?.moment.entry.branch.origin;
		return place && isOwn && isInside(place.branch, branch) === goesInside ? place : undefined;
	}

	/** Returns the number of the first entry inside the node of a branch. */
	#findInnerEntry(branch: PastBranch, after: number): number | undefined {
		const { history } = this.#session;
		const next = findNextEntry(history, branch, after);
		for (let number = Math.max(after + 1, history.first); number < (next ?? history.length); number++) {
			const entry = history.getEntry(number);
			if (!entry.failure && isInside(entry.branch, branch)) {
				return number;
			}
		}
		return undefined;
	}

	#findBranch(id: number): PastBranch {
		this.#requireStopped();
		const found: PastBranch | undefined = this.#place
			? this.#place.moment.findBranch(id)
			: toRecord(this.#session.branches.findBranchById(id));
		if (!found) {
			throw createNotPausedFault();
		}
		return found;
	}

	#requireStopped(): void {
		if (!this.#session.isStopped) {
			throw createNotPausedFault();
		}
	}

	#throwAtStart(): never {
		throw new ServiceFault(
			409,
			this.#session.history.first === 0
				? localizable`This is the start of the run.`
				: localizable`Earlier steps of this long run aren't stored anymore.`,
		);
	}
}

function toRecord(branch: Branch | undefined): PastBranch | undefined {
	// a node at a model call can be left too
	return branch && { ...branch, state: branch.state === 'asking' ? 'standing' : toPastState(branch.state), origin: branch };
}
