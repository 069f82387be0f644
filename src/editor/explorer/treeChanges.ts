/**
 * Milliseconds between two changes that are told. VS Code shows the first at once, and of those that follow only the last, once 200 ms went
 * by without one (`Event.debounce` in its extHostTreeViews.ts): told in shorter intervals, they would not be shown for as long as they go on.
 */
const tellEveryMs = 210;

/**
 * Milliseconds for which a node whose children were handed over, and those children, are not told to have changed. The extension host would
 * forget the children while the window still takes them up, and the window would keep them: rows that nothing opens any more.
 */
const handOverMs = 50;

/** What changes: nodes that know their parents; `undefined` stands for the root. */
interface Node<T> {
	readonly parent?: T | undefined;
}

/** Collects what has changed in a tree: a change after a quiet while is told at once, those that follow together. */
export class TreeChanges<T extends Node<T>> {
	readonly #tell: (nodes: T[] | undefined) => void;
	readonly #stale = new Set<T | undefined>();
	/** How many hand-overs of its children go on or have just ended, for each node that has any. */
	readonly #handOvers = new Map<T | undefined, number>();
	#timer: NodeJS.Timeout | undefined;
	#told = Promise.withResolvers<void>();
	#disposed = false;

	/** `tell` gets the nodes to be rendered again; `undefined`: the whole tree. */
	constructor(tell: (nodes: T[] | undefined) => void) {
		this.#tell = tell;
	}

	/** Tells of these nodes, of `undefined` as the whole tree: in the next turn, so that changes of one turn are told together. */
	add(...nodes: readonly (T | undefined)[]): void {
		for (const node of nodes) {
			this.#stale.add(node);
		}
		this.#schedule(0);
	}

	/** Gets the children of a node (`undefined`: the root) for the view, and tells no change of them meanwhile. */
	async loadChildren<C>(node: T | undefined, children: () => Promise<C>): Promise<C> {
		const count = (by: number) => this.#handOvers.set(node, (this.#handOvers.get(node) ?? 0) + by);
		count(1);
		try {
			return await children();
		} finally {
			setTimeout(() => {
				if (count(-1).get(node) === 0) {
					this.#handOvers.delete(node);
					this.#schedule(0);
				}
			}, handOverMs);
		}
	}

	/** Resolves once the changes so far of a node have been told. */
	async waitForReport(node: T): Promise<void> {
		while (!this.#disposed && (this.#stale.has(node) || this.#stale.has(undefined))) {
			await this.#told.promise;
		}
	}

	dispose(): void {
		this.#disposed = true;
		clearTimeout(this.#timer);
		this.#told.resolve();
	}

	#schedule(ms: number): void {
		if (this.#stale.size > 0 && !this.#disposed) {
			this.#timer ??= setTimeout(() => this.#reportChanges(), ms);
		}
	}

	#reportChanges(): void {
		this.#timer = undefined;
		const nodes = [...this.#stale].filter(node => !this.#handOvers.has(node) && !(node && this.#handOvers.has(node.parent)));
		if (nodes.length === 0) {
			return;
		}
		for (const node of nodes) {
			this.#stale.delete(node);
		}
		this.#timer = setTimeout(() => this.#reportChanges(), tellEveryMs);
		this.#tell(nodes.includes(undefined) ? undefined : (nodes as T[]));
		this.#told.resolve();
		this.#told = Promise.withResolvers();
	}
}
