import { sameEdge } from './graphDrawing.ts';
import type { Outbox } from './outbox.ts';
import type { AgentPicture, DrawnEdge } from './picture/graphTypes.ts';

/** What is selected on the page: nodes, or an edge. */
export class PageSelection {
	readonly #outbox: Outbox;
	readonly #keep: (nodes: readonly string[]) => void;
	/** What the host had been asked for when the user selected something last. */
	#chosenAfter = 0;
	#nodes: readonly string[];
	/** The edge that is chosen. */
	edge: DrawnEdge | undefined;

	/** @param keep remembers nodes while the page is away; `kept`: those of before */
	constructor(outbox: Outbox, keep: (nodes: readonly string[]) => void, kept: readonly string[]) {
		this.#outbox = outbox;
		this.#keep = keep;
		this.#nodes = kept;
	}

	/** IDs, the last is in focus. */
	get nodes(): readonly string[] {
		return this.#nodes;
	}

	/** The user selects nodes. */
	choose(nodes: readonly string[]): void {
		this.#chosenAfter = this.#outbox.last;
		this.edge = undefined;
		this.#take(nodes);
	}

	/** The host selects nodes; those that came of `by` only where the user has selected nothing since that was asked for. Returns whether they are. */
	told(nodes: readonly string[], by: number | undefined): boolean {
		const isOurs = by === undefined || by > this.#chosenAfter;
		if (isOurs) {
			this.#take(nodes);
		}
		return isOurs;
	}

	/** What a picture does not have is not selected any more. */
	within(picture: AgentPicture | undefined): void {
		const known = new Set(picture?.nodes.map(({ id }) => id));
		this.edge = picture?.edges.find(edge => sameEdge(edge, this.edge));
		this.#nodes = this.#nodes.filter(id => known.has(id));
	}

	#take(nodes: readonly string[]): void {
		this.#nodes = nodes;
		this.#keep(nodes);
	}
}
