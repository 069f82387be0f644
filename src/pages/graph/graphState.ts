import type { TimelineRow } from '#runs/events/timeline.ts';
import type { AgentPicture, DrawnEdge } from './picture/graphTypes.ts';

/** The state of a node in a run. */
interface NodeState {
	/** The most significant status of the node's executions. Without executions: `skipped` (it won't run), `waiting`, or `unknown`. */
	readonly status: string;
	/** The node's executions, in the order in which they started. */
	readonly rows: readonly TimelineRow[];
}

export interface GraphState {
	readonly nodes: ReadonlyMap<string, NodeState>;
	/** Edges that the run followed. */
	readonly taken: ReadonlySet<DrawnEdge>;
	/** Number of nodes in the run that aren't in the file. */
	readonly strange: number;
}

/** Statuses of nodes, most significant first. */
const statusOrder = ['running', 'failed', 'exception', 'partial-succeeded', 'paused', 'stopped', 'unfinished', 'succeeded'];

/** Computes the states of nodes and edges of an agent file in a run. */
export function computeGraphState(
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
	const ways = new Map([...byNode].map(([id, own]): [string, Ways] => [id, findWays(own, outgoing.get(id) ?? [])]));
	const taken = new Set(graph.edges.filter(edge => isEdgeTaken(edge, byNode, ways.get(edge.source))));
	// a node without events may still have run if not all events of the run are known
	const canContinue = live || status === 'paused';
	const isComplete = byNode.size > 0 && !canContinue && status !== 'lost' && status !== 'abandoned';
	const passedBy = canContinue ? findUnreachableNodes(graph, ways, outgoing) : undefined;
	const idle = canContinue ? 'waiting' : isComplete ? 'skipped' : 'unknown';
	const nodes = new Map(
		graph.nodes.map(({ id }): [string, NodeState] => {
			const own = byNode.get(id) ?? [];
			const worst = statusOrder.find(each => own.some(row => row.status === each)) ?? own.at(-1)?.status;
			return [id, { rows: own, status: worst ?? (passedBy?.has(id) ? 'skipped' : idle) }];
		}),
	);
	const strange = [...byNode.keys()].filter(id => !nodes.has(id)).length;
	return { nodes, taken, strange };
}

/** The results of {@link findTakenHandle} for the executions of a node. */
type Ways = ReadonlySet<string | undefined>;

function findWays(rows: readonly TimelineRow[], edges: readonly DrawnEdge[]): Ways {
	return new Set(rows.map(row => findTakenHandle(row, edges)));
}

function isEdgeTaken({ source, target, handle }: DrawnEdge, byNode: ReadonlyMap<string, readonly TimelineRow[]>, ways?: Ways): boolean {
	const targets = byNode.get(target) ?? [];
	if (!ways) {
		// services may not report the start node of an iteration or loop
		return targets.length > 0 && !targets.some(({ predecessor }) => predecessor !== undefined && predecessor !== source);
	}
	return targets.length > 0 && (ways.has(handle) || (ways.has('unknown') && targets.some(({ predecessor }) => predecessor === source)));
}

/**
 * Returns the output handle that an execution continued on; `undefined` if it didn't continue, `unknown` if the service doesn't report
 * which of several.
 */
function findTakenHandle({ status, branch }: TimelineRow, edges: readonly DrawnEdge[]): string | undefined {
	const fails = edges.some(({ handle }) => handle === 'fail-branch');
	if (status === 'exception') {
		return fails ? 'fail-branch' : 'source';
	}
	if (status !== 'succeeded' && status !== 'partial-succeeded') {
		return undefined;
	}
	return branch ?? (edges.every(({ handle }) => handle === 'source' || handle === 'fail-branch') ? 'source' : 'unknown');
}

/** Finds nodes that can't be reached any more: all their sources took other branches, or can't be reached either. */
function findUnreachableNodes(
	graph: AgentPicture,
	ways: ReadonlyMap<string, Ways>,
	outgoing: ReadonlyMap<string, readonly DrawnEdge[]>,
): ReadonlySet<string> {
	const incoming = Map.groupBy(graph.edges, ({ target }) => target);
	const isPassedBy = ({ source, handle }: DrawnEdge) => {
		const taken = ways.get(source);
		return taken !== undefined && !taken.has(undefined) && !taken.has('unknown') && !taken.has(handle);
	};
	/** Number of edges by which nodes can still be reached. A node in a container may run in a later iteration. */
	const open = new Map(
		graph.nodes.flatMap(({ id, parent }): [string, number][] => {
			const edges = parent === undefined && !ways.has(id) ? incoming.get(id) : undefined;
			return edges ? [[id, edges.filter(edge => !isPassedBy(edge)).length]] : [];
		}),
	);
	const closed = new Set([...open].flatMap(([id, edges]) => (edges === 0 ? [id] : [])));
	// nodes that are added meanwhile are visited too
	for (const id of closed) {
		for (const { target } of outgoing.get(id) ?? []) {
			const edges = open.get(target);
			if (edges !== undefined && edges > 0) {
				open.set(target, edges - 1);
				if (edges === 1) {
					closed.add(target);
				}
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

/** Finds the execution of a node to show: the one in the selected iteration, else the first that failed, else the last. */
export function findGraphRow(rows: readonly TimelineRow[], selected: TimelineRow | undefined): TimelineRow | undefined {
	return (
		rows.find(({ id }) => id === selected?.id) ??
		rows.find(({ parent, round }) => round !== undefined && round === selected?.round && parent === selected.parent) ??
		rows.find(({ status }) => status === 'failed') ??
		rows.at(-1)
	);
}
