import type { TimelineRow } from '#runs/events/timeline.ts';
import type { GraphLabels } from './graphLabels.ts';
import type { StopMark } from './pageStops.ts';
import type { AgentPicture, DrawnEdge } from './picture/graphTypes.ts';

/** A run that is shown on a graph. */
export interface RunOverlay {
	readonly rows: Iterable<TimelineRow>;
	/** One-line previews of outputs by node ID. */
	readonly values?: ReadonlyMap<string, string>;
	readonly live: boolean;
	readonly status: string;
	/** Current time for running rows, on the same clock as their timestamps. */
	now(): number | undefined;
}

/** A picture and everything shown on top of it. */
export interface GraphScene {
	readonly picture: AgentPicture;
	readonly words: GraphLabels;
	readonly run?: RunOverlay | undefined;
	/** Problems by node ID. */
	readonly faults?: ReadonlyMap<string, readonly string[]>;
	/** Breakpoints and pins by node ID. */
	readonly stops?: ReadonlyMap<string, readonly StopMark[]>;
	/** Nodes that match the find bar. */
	readonly found?: ReadonlySet<string>;
	readonly editable?: boolean;
	/** The selected edge. */
	readonly edge?: DrawnEdge | undefined;
}

/** User actions on a graph, with IDs of nodes. */
export interface GraphEvents {
	/** Called when a node is selected. `more`: the node is added to the selection. */
	onSelect(id: string, more: boolean): void;
	/** Called when the user opens the selected node, by double click or Enter. */
	onOpen(id: string): void;
	/** Called for other keys and presses. Returns true if the event was handled. */
	onKey?(event: KeyboardEvent): boolean;
	onPointer?(event: PointerEvent): boolean;
	/** Called when an edge or an empty place is clicked. */
	onEdge?(edge: DrawnEdge | undefined, event: MouseEvent): void;
	onMenu?(event: MouseEvent): void;
}
