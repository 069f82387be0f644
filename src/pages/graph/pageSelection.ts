import { isSameEdge } from './graphDrawing.ts';
import type { Outbox } from './outbox.ts';
import type { AgentPicture, DrawnEdge } from './picture/graphTypes.ts';

/** The selection on the page: nodes, or an edge. */
export class PageSelection {
	readonly #outbox: Outbox;
	readonly #keep: (nodes: readonly string[]) => void;
	/** Number of the last request before the user's last selection. */
	#chosenAfter = 0;
	#nodes: readonly string[];
	/** The selected edge. */
	edge: DrawnEdge | undefined;

	/**
	 * @param keep saves the selected nodes while the page is hidden
	 * @param kept the saved nodes
	 */
	constructor(outbox: Outbox, keep: (nodes: readonly string[]) => void, kept: readonly string[]) {
		this.#outbox = outbox;
		this.#keep = keep;
		this.#nodes = kept;
	}

	/** IDs of nodes; the last one has the focus. */
	get nodes(): readonly string[] {
		return this.#nodes;
	}

	/** Applies a selection by the user. */
	selectNodes(nodes: readonly string[]): void {
		this.#chosenAfter = this.#outbox.last;
		this.edge = undefined;
		this.#set(nodes);
	}

	/**
	 * Applies a selection by the host, a result of request `by`. Ignored if the user has selected something since then. Returns true if it was
	 * applied.
	 */
	applyHostSelection(nodes: readonly string[], by: number | undefined): boolean {
		const isOurs = by === undefined || by > this.#chosenAfter;
		if (isOurs) {
			this.#set(nodes);
		}
		return isOurs;
	}

	/** Drops nodes and edges that the picture doesn't have. */
	restrictToPicture(picture: AgentPicture | undefined): void {
		const known = new Set(picture?.nodes.map(({ id }) => id));
		this.edge = picture?.edges.find(edge => isSameEdge(edge, this.edge));
		this.#nodes = this.#nodes.filter(id => known.has(id));
	}

	#set(nodes: readonly string[]): void {
		this.#nodes = nodes;
		this.#keep(nodes);
	}
}
