import type { TimelineRow } from '#runs/events/timeline.ts';
import type { AgentPicture, DrawnEdge } from './picture/graphTypes.ts';

/** How a node of the agent file fared in a run. */
interface NodeState {
	/** The most telling status of its executions; without any: `skipped` (it did not run, and will not), `waiting`, or `unknown`. */
	readonly status: string;
	/** Its executions, in the order in which they began. */
	readonly rows: readonly TimelineRow[];
}

export interface GraphState {
	readonly nodes: ReadonlyMap<string, NodeState>;
	/** Edges that the run went along. */
	readonly taken: ReadonlySet<DrawnEdge>;
	/** Nodes of the run that the file does not have. */
	readonly strange: number;
}

/** Most telling first. */
const telling = ['running', 'failed', 'exception', 'partial-succeeded', 'paused', 'stopped', 'unfinished', 'succeeded'];

/** Lays a run over the graph of its agent file. */
export function graphState(
	graph: AgentPicture,
	rows: Iterable<TimelineRow>,
	{ live, status }: { readonly live: boolean; readonly status: string },
): GraphState {
	const byNode = new Map<string, TimelineRow[]>();
	for (const row of rows) {
		if (row.nodeId !== undefined) {
			const known = byNode.get(row.nodeId);
			if (known) {
				known.push(row);
			} else {
				byNode.set(row.nodeId, [row]);
			}
		}
	}
	const outgoing = Map.groupBy(graph.edges, ({ source }) => source);
	const taken = new Set(graph.edges.filter(edge => isTaken(edge, byNode, outgoing.get(edge.source) ?? [])));
	// of a run whose events are not all known, a node without any may have run
	const goesOn = live || status === 'paused';
	const toldAll = byNode.size > 0 && !goesOn && status !== 'lost' && status !== 'abandoned';
	const passedBy = goesOn ? unreachable(graph, byNode, outgoing) : undefined;
	const idle = goesOn ? 'waiting' : toldAll ? 'skipped' : 'unknown';
	const nodes = new Map(
		graph.nodes.map(({ id }): [string, NodeState] => {
			const own = byNode.get(id) ?? [];
			const worst = telling.find(each => own.some(row => row.status === each)) ?? own.at(-1)?.status;
			return [id, { rows: own, status: worst ?? (passedBy?.has(id) ? 'skipped' : idle) }];
		}),
	);
	const strange = [...byNode.keys()].filter(id => !nodes.has(id)).length;
	return { nodes, taken, strange };
}

function isTaken(edge: DrawnEdge, byNode: ReadonlyMap<string, readonly TimelineRow[]>, siblings: readonly DrawnEdge[]): boolean {
	const targets = byNode.get(edge.target) ?? [];
	const sources = byNode.get(edge.source);
	if (!sources) {
		// the start of an iteration or loop need not be told
		return targets.length > 0 && !targets.some(({ predecessor }) => predecessor !== undefined && predecessor !== edge.source);
	}
	return (
		targets.length > 0 &&
		sources.some(row => {
			const way = wayOut(row, siblings);
			return way === 'unknown' ? targets.some(({ predecessor }) => predecessor === edge.source) : way === edge.handle;
		})
	);
}

/** The handle by which an execution left its node; `undefined` where it has not; `unknown` where the service does not tell which of several. */
function wayOut({ status, branch }: TimelineRow, edges: readonly DrawnEdge[]): string | undefined {
	const fails = edges.some(({ handle }) => handle === 'fail-branch');
	if (status === 'exception') {
		return fails ? 'fail-branch' : 'source';
	}
	if (status !== 'succeeded' && status !== 'partial-succeeded') {
		return undefined;
	}
	return branch ?? (edges.every(({ handle }) => handle === 'source' || handle === 'fail-branch') ? 'source' : 'unknown');
}

/** Nodes to which no way leads any more: all that lead there were left by another way, or are such nodes themselves. */
function unreachable(
	graph: AgentPicture,
	byNode: ReadonlyMap<string, readonly TimelineRow[]>,
	outgoing: ReadonlyMap<string, readonly DrawnEdge[]>,
): ReadonlySet<string> {
	const closed = new Set<string>();
	const incoming = Map.groupBy(graph.edges, ({ target }) => target);
	const isShut = (edge: DrawnEdge): boolean => {
		const rows = byNode.get(edge.source);
		const ways = rows?.map(row => wayOut(row, outgoing.get(edge.source) ?? []));
		return closed.has(edge.source) || (ways?.every(way => way !== undefined && way !== 'unknown' && way !== edge.handle) ?? false);
	};
	for (let before = -1; before < closed.size; ) {
		before = closed.size;
		for (const { id, parent } of graph.nodes) {
			const ways = incoming.get(id);
			// a node in a container may run in a later round
			if (!byNode.has(id) && parent === undefined && ways?.every(isShut)) {
				closed.add(id);
			}
		}
	}
	for (const { id, parent } of graph.nodes) {
		if (parent !== undefined && closed.has(parent)) {
			closed.add(id);
		}
	}
	return closed;
}

/** The execution to show of a node: of the round that is looked at, else the first that failed, else the last. */
export function graphRowToShow(rows: readonly TimelineRow[], selected: TimelineRow | undefined): TimelineRow | undefined {
	return (
		rows.find(({ id }) => id === selected?.id) ??
		rows.find(({ parent, round }) => round !== undefined && round === selected?.round && parent === selected.parent) ??
		rows.find(({ status }) => status === 'failed') ??
		rows.at(-1)
	);
}
