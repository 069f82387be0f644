/**
 * Minimum milliseconds between two notifications. VS Code shows the first notification immediately. Of those that follow, it shows only the
 * last, once 200 ms have passed without another (`Event.debounce` in its extHostTreeViews.ts). With shorter intervals, it would show
 * nothing of a steady stream.
 */
const notifyEveryMs = 210;

/**
 * Milliseconds to hold back changes of a node and its children after returning the children. Otherwise the extension host would drop the
 * children while the window still adds them, and the window would keep rows that can't be opened.
 */
const handOverMs = 50;

/** A node that knows its parent. The parent `undefined` is the root. */
interface Node<T> {
	readonly parent?: T | undefined;
}

/** Batches the changes of a tree. Reports a change after a quiet period immediately, and changes that follow together. */
export class TreeChanges<T extends Node<T>> {
	readonly #notify: (nodes: T[] | undefined) => void;
	readonly #stale = new Set<T | undefined>();
	/** Number of requests for a node's children that are in progress or have just ended. */
	readonly #handOvers = new Map<T | undefined, number>();
	#timer: NodeJS.Timeout | undefined;
	#notified = Promise.withResolvers<void>();
	#disposed = false;

	/** `notify` is called with the nodes to render again, or `undefined` for the whole tree. */
	constructor(notify: (nodes: T[] | undefined) => void) {
		this.#notify = notify;
	}

	/** Reports changed nodes (`undefined` for the whole tree) in the next turn, so that all changes of one turn are reported together. */
	add(...nodes: readonly (T | undefined)[]): void {
		for (const node of nodes) {
			this.#stale.add(node);
		}
		this.#scheduleReport(0);
	}

	/** Loads the children of a node (`undefined` for the root) for the view. Holds back changes of the node and its children meanwhile. */
	async loadChildren<C>(node: T | undefined, children: () => Promise<C>): Promise<C> {
		const changeHandOverCount = (by: number) => this.#handOvers.set(node, (this.#handOvers.get(node) ?? 0) + by);
		changeHandOverCount(1);
		try {
			return await children();
		} finally {
			setTimeout(() => {
				if (changeHandOverCount(-1).get(node) === 0) {
					this.#handOvers.delete(node);
					this.#scheduleReport(0);
				}
			}, handOverMs);
		}
	}

	/** Resolves once all previous changes of a node have been reported. */
	async waitForReport(node: T): Promise<void> {
		while (!this.#disposed && (this.#stale.has(node) || this.#stale.has(undefined))) {
			await this.#notified.promise;
		}
	}

	dispose(): void {
		this.#disposed = true;
		clearTimeout(this.#timer);
		this.#notified.resolve();
	}

	#scheduleReport(ms: number): void {
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
		this.#timer = setTimeout(() => this.#reportChanges(), notifyEveryMs);
		this.#notify(nodes.includes(undefined) ? undefined : (nodes as T[]));
		this.#notified.resolve();
		this.#notified = Promise.withResolvers();
	}
}
