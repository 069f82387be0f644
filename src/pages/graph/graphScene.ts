import type { TimelineRow } from '#runs/events/timeline.ts';
import type { GraphWords } from './graphWords.ts';
import type { StopMark } from './pageStops.ts';
import type { AgentPicture, DrawnEdge } from './picture/graphTypes.ts';

/** A run that is laid over a graph. */
export interface RunOverlay {
	readonly rows: Iterable<TimelineRow>;
	readonly live: boolean;
	readonly status: string;
	/** What the time is for what goes on, as the times of its rows. */
	now(): number | undefined;
}

/** What a graph shows beside its picture. */
export interface GraphScene {
	readonly picture: AgentPicture;
	readonly words: GraphWords;
	readonly run?: RunOverlay | undefined;
	/** What is wrong with nodes, by their IDs. */
	readonly faults?: ReadonlyMap<string, readonly string[]>;
	/** That debugged runs stop at nodes, by their IDs. */
	readonly stops?: ReadonlyMap<string, readonly StopMark[]>;
	/** Nodes that were looked for and found. */
	readonly found?: ReadonlySet<string>;
	readonly editable?: boolean;
	/** The edge that is chosen. */
	readonly edge?: DrawnEdge | undefined;
}

/** What a user does with a graph. IDs of nodes. */
export interface GraphEvents {
	/** `more`: beside those that are selected. */
	selected(id: string, more: boolean): void;
	/** The user goes on to what the selected node is about. */
	entered(id: string): void;
	/** What keys and pointers do besides; true: the event was meant for it. */
	key?(event: KeyboardEvent): boolean;
	pointer?(event: PointerEvent): boolean;
	/** An edge, or nothing, was clicked. */
	edge?(edge: DrawnEdge | undefined, event: MouseEvent): void;
	menu?(event: MouseEvent): void;
}
