import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import { createNotPausedFault, toDebugBranch } from './branches.ts';
import type { EvaluateAt } from './breakpoints.ts';
import type { DebugSession } from './debugSession.ts';
import { type PastBranch, PastMoment, toStandingBranch } from './history.ts';
import type { InspectedBranch } from './inspection.ts';
import { PastChanges } from './pastChanges.ts';
import { findInnerEntry, findNextEntry, findOuterBranch, findPreviousEntry, isInside, listLaterNodes } from './pastPaths.ts';
import { PastSearch, PastStops } from './pastStops.ts';
import type { EmitDebugEvent, Stop } from './stopReports.ts';

/** A place that a step back started from. */
interface TrailPlace {
	/** `undefined` for the present. */
	readonly position: number | undefined;
	/** ID of the branch that stepped back, and the branch if it was in the past. */
	readonly id: number;
	readonly branch: PastBranch;
}

/** An entry of the history that is shown. */
interface PastPlace {
	readonly position: number;
	readonly moment: PastMoment;
	readonly stop: Stop;
	readonly changes: PastChanges;
}

/**
 * Moves a client back and forth through the history of a stopped run. In the past, the run itself stays stopped. Commands that continue
 * it follow the history first and act on the run only at its end.
 */
export class TimeTravel {
	readonly #session: DebugSession;
	readonly #emit: EmitDebugEvent;
	/** The shown entry; `undefined` in the present. */
	#place: PastPlace | undefined;
	/** Where the last steps back started, so that steps forward lead there again even if the path parts. */
	#trail: TrailPlace[] = [];
	readonly #search: PastSearch;

	constructor(session: DebugSession, emit: EmitDebugEvent, evaluate: EvaluateAt) {
		this.#session = session;
		this.#emit = emit;
		const stops = new PastStops(session.history, session.breakpoints, session.failureStops, evaluate);
		// if an entry was dropped meanwhile, the client stays where it is
		this.#search = new PastSearch(session.history, stops, () => this.pauseRun());
	}

	/** True if the client looks at the past. */
	get isPast(): boolean {
		return this.#place !== undefined;
	}

	/** Changes that the user made at the shown step; `undefined` in the present. */
	get changes(): PastChanges | undefined {
		return this.#place?.changes;
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
		this.#search.cancel();
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
		this.#search.findStop(from - 1, -1, (position = history.first, stop) => {
			this.#trail = [];
			this.#showEntry(position, stop ?? { reason: 'entry', branch: history.getEntry(position).branch.id });
		});
	}

	/** Returns to where the run itself is stopped. */
	returnToPresent(): void {
		this.#search.cancel();
		this.#trail = [];
		if (this.#place) {
			this.#place = undefined;
			this.#session.returnToPresent();
		}
	}

	/** Continues to the next stop of the history, or else continues the run. */
	continueRun(): void {
		this.#search.cancel();
		if (!this.#place) {
			this.#session.continueRun();
			return;
		}
		this.#requireUnchanged(this.#place);
		this.#search.findStop(this.#place.position + 1, 1, (position, stop) => {
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
		this.#search.cancel();
		if (!this.#place) {
			this.#session.stepBranch(id, how);
			return;
		}
		this.#requireUnchanged(this.#place);
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
		const inner = how === 'into' ? findInnerEntry(history, branch, position) : undefined;
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
		this.#search.findStop(
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
		const wasSearching = this.#search.isActive;
		this.#search.cancel();
		if (this.#place) {
			this.#place = { ...this.#place, stop: { ...this.#place.stop, reason: 'pause' } };
			this.#reportPlace(this.#place);
		} else if (wasSearching) {
			this.#session.returnToPresent({ reason: 'pause', branch: 0 });
		} else {
			this.#session.pauseRun();
		}
	}

	/** Throws a `ServiceFault` (409) if the client looks at the past. */
	requirePresent(): void {
		if (this.#place) {
			throw new ServiceFault(409, localizable`This isn't possible in the past. Return to the present first.`);
		}
	}

	/** Reruns a node, or in the past has a fork start with it. Throws a `ServiceFault` (409) if the branch isn't paused. */
	restartNode(id: number): void {
		if (this.#place) {
			this.#place.changes.addRestart(this.#findBranch(id));
			this.reportChanges();
		} else {
			this.#session.restartNode(id);
		}
	}

	/** Reports the number of changes at the shown step. */
	reportChanges(): void {
		if (this.#place) {
			this.#reportPlace(this.#place);
		}
	}

	/** Returns the part of the agent that a fork from the shown step runs. Throws a `ServiceFault` (409) in the present. */
	createFork(): PartialRun {
		if (!this.#place) {
			throw new ServiceFault(409, localizable`A fork starts from an earlier step. Step back first.`);
		}
		return this.#place.changes.createPart(this.#session.recordedRun);
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
		const entry = history.getEntry(position);
		const moment = new PastMoment(entry);
		moment.restoreAll();
		this.#place = { position, moment, stop, changes: new PastChanges(entry) };
		this.#reportPlace(this.#place);
	}

	#reportPlace({ position, moment, stop, changes }: PastPlace): void {
		const { count } = changes;
		const later = listLaterNodes(this.#session.history, position);
		this.#emit({
			event: 'debug_stopped',
			data: {
				...stop,
				branches: moment.leaves.map(branch => toDebugBranch(branch, changes.canRestart(branch) ? branch.node : undefined)),
				past: {
					step: position + 1,
					of: this.#session.history.length,
					...(count > 0 && { changes: count }),
					...(later.length > 0 && { later }),
				},
			},
		});
	}

	#requireUnchanged({ changes }: PastPlace): void {
		if (changes.count > 0) {
			throw new ServiceFault(409, localizable`The values of this step were changed. Start a fork, or return to the present.`);
		}
	}

	/** Returns the place that the branch has stepped back from, if a step forward leads there. */
	#takeTrail(branch: PastBranch, goesInside: boolean): TrailPlace | undefined {
		const place = this.#trail.pop();
		const isOwn = branch.origin === this.#place?.moment.entry.branch.origin;
		return place && isOwn && isInside(place.branch, branch) === goesInside ? place : undefined;
	}

	#findBranch(id: number): PastBranch {
		this.#requireStopped();
		const found: PastBranch | undefined = this.#place
			? this.#place.moment.findBranch(id)
			: toStandingBranch(this.#session.branches.findBranchById(id));
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
