import type { GateLevel } from '#engine/run/gate.ts';
import { VariableLog } from '#engine/variables/variableLog.ts';
import type { VariablePool } from '#engine/variables/variables.ts';
import type { Branch } from './branches.ts';

/** Number of entries that are kept at least, and that are dropped at once when there are more. */
const maxEntries = 10_000;
const droppedAtOnce = 1_000;
/** Maximum weight of the variables that are kept, in characters. */
const maxKeptWeight = 300_000_000;
/** Maximum number of branches and hits of breakpoints in all entries, because one entry can have ten thousand of them. */
const maxKeptReferences = 20_000_000;

/** A branch as it was at an earlier time. It doesn't change. */
export interface PastBranch extends Pick<Branch, 'id' | 'level' | 'node' | 'predecessor' | 'error'> {
	/** A node that was ready counts as `standing`, even if the run didn't stop there. */
	readonly state: 'standing' | 'failed' | 'running';
	/** Identifies the branch in other entries. */
	readonly origin: Branch;
}

/** A moment of a debugged run: a node was about to start, or its attempt has failed. */
export interface HistoryEntry {
	/** Branch of the node. */
	readonly branch: PastBranch;
	/** All branches, including those of surrounding nodes. */
	readonly branches: readonly PastBranch[];
	/** Breakpoints that were hit, as identified by `Breakpoints`. */
	readonly hits: readonly object[];
	/** Set for a failed attempt: whether the failure stops a run that stops at failures which end the run. */
	readonly failure?: { readonly endsRun: boolean };
	/** Position in the log of variables. */
	readonly position: number;
}

/** The past of a debugged run. Entries count from 0; the oldest ones of a long run are dropped. */
export class DebugHistory {
	readonly log = new VariableLog();
	#entries: HistoryEntry[] = [];
	#dropped = 0;
	#presentStart = 0;
	#references = 0;
	readonly #records = new WeakMap<Branch, PastBranch>();

	/** Number of the oldest entry. */
	get first(): number {
		return this.#dropped;
	}

	/** Number of entries so far. */
	get length(): number {
		return this.#dropped + this.#entries.length;
	}

	/** Number of the first entry that still shows the present, because no node has started since. */
	get presentStart(): number {
		return this.#presentStart;
	}

	/** Returns an entry that wasn't dropped. */
	getEntry(number: number): HistoryEntry {
		return this.#entries[number - this.#dropped] as HistoryEntry;
	}

	/** Adds an entry for a branch. @param branches all branches now */
	add(branch: Branch, branches: Iterable<Branch>, facts: Pick<HistoryEntry, 'hits' | 'failure'> = { hits: [] }): void {
		const entry: HistoryEntry = {
			branch: this.#recordBranch(branch),
			branches: Array.from(branches, each => this.#recordBranch(each)),
			position: this.log.position,
			...facts,
		};
		this.#entries.push(entry);
		this.#references += countReferences(entry);
		if (this.#entries.length >= maxEntries + droppedAtOnce) {
			this.#dropEntries(droppedAtOnce);
		}
		while ((this.log.weight > maxKeptWeight || this.#references > maxKeptReferences) && this.#entries.length > 1) {
			this.#dropEntries(Math.ceil(this.#entries.length / 10));
		}
	}

	/** Adds an entry for a node that runs again on request. */
	addRerun(branch: Branch, branches: Iterable<Branch>): void {
		const { state, error } = branch;
		Object.assign(branch, { state: 'coming', error: undefined } satisfies Partial<Branch>);
		this.add(branch, branches);
		Object.assign(branch, { state, error } satisfies Partial<Branch>);
		this.onStarted();
	}

	/** Records that a node has started: the entries so far are the past. */
	onStarted(): void {
		this.#presentStart = this.length;
	}

	#dropEntries(count: number): void {
		for (const entry of this.#entries.slice(0, count)) {
			this.#references -= countReferences(entry);
		}
		this.#entries = this.#entries.slice(count);
		this.#dropped += count;
		this.log.dropWritesBefore((this.#entries[0] as HistoryEntry).position);
	}

	/** Returns the branch as it is now. Branches that haven't changed share one record. */
	#recordBranch(branch: Branch): PastBranch {
		const { id, level, node, predecessor, error } = branch;
		const state = toPastState(branch.state);
		const known = this.#records.get(branch);
		if (known?.state === state && known.error === error) {
			return known;
		}
		const record = { id, level, node, predecessor, error, state, origin: branch };
		this.#records.set(branch, record);
		return record;
	}
}

function countReferences({ branches, hits }: HistoryEntry): number {
	return branches.length + hits.length;
}

/** Returns a branch of the present as one to step back from. A node at a model call can be left too. */
export function toStandingBranch(branch: Branch | undefined): PastBranch | undefined {
	return branch && { ...branch, state: branch.state === 'asking' ? 'standing' : toPastState(branch.state), origin: branch };
}

/** Returns the state that a branch has in the past. A node at a model call is running. */
function toPastState(state: Branch['state']): PastBranch['state'] {
	return state === 'coming' ? 'standing' : state === 'asking' ? 'running' : state;
}

/** The variables and branches of a run at one entry of its history. */
export class PastMoment {
	/** Branches whose nodes didn't contain other branches. */
	readonly leaves: readonly PastBranch[];
	readonly entry: HistoryEntry;
	readonly #levels = new Map<GateLevel, GateLevel>();
	readonly #pools = new Map<VariablePool, VariablePool>();

	constructor(entry: HistoryEntry) {
		this.entry = entry;
		const levels = new Set(entry.branches.map(({ level }) => level));
		const containing = new Set(
			[...levels].flatMap(({ around }) =>
				around ? entry.branches.filter(({ level, node }) => level === around.level && node.id === around.node.id) : [],
			),
		);
		this.leaves = entry.branches.filter(branch => !containing.has(branch));
	}

	/** Returns the branch with this ID. If several have it, returns a paused one. */
	findBranch(id: number): PastBranch | undefined {
		const found = this.leaves.filter(branch => branch.id === id);
		return found.find(({ state }) => state !== 'running') ?? found.at(-1);
	}

	/** Reads the variables now, because a long history forgets them. */
	restoreAll(): void {
		for (const branch of this.leaves) {
			this.restoreVariables(branch);
		}
	}

	/** Returns a branch with the variables of that time. */
	restoreVariables(branch: PastBranch): PastBranch {
		return { ...branch, level: this.#getLevel(branch.level) };
	}

	#getLevel(level: GateLevel): GateLevel {
		const known = this.#levels.get(level);
		if (known) {
			return known;
		}
		const { run, graph, place, around } = level;
		const past: GateLevel = {
			run,
			graph,
			place,
			around: around && { ...around, level: this.#getLevel(around.level) },
			variables: level.variables.copyAt(this.entry.position, this.#pools),
			runNodeAgain: node => level.runNodeAgain(node),
		};
		this.#levels.set(level, past);
		return past;
	}
}
