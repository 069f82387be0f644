import type { PartialRun } from '#contract/partialRun.ts';
import type { AgentNode, Graph, LoadedAgent } from '../agentFile/agentTypes.ts';
import type { EngineFiles } from '../run/engineTypes.ts';
import type { ExecutionPlace } from '../run/execution.ts';
import { InputError } from '../run/inputError.ts';
import { getFileName, isFileValue } from '../variables/fileValue.ts';
import { isObjectValue } from '../variables/objectValue.ts';
import { addSystemPrefix } from '../variables/variables.ts';
import { RecordedRun } from './recordedRun.ts';
import { Replay, type ValuesByNode } from './replayedNodes.ts';
import { RunPlayback, removeRetries } from './runPlayback.ts';

/** A part of an agent, ready to run. */
export interface PartialAgent {
	readonly agent: LoadedAgent;
	/** Values of other nodes, if only one node runs. */
	readonly alone?: ValuesByNode;
	/** Recorded outputs of the nodes that don't run again. */
	readonly replay?: Replay;
	/** The recorded run that is shown again, if no node runs. */
	readonly playback?: RunPlayback;
}

/** The part of an agent to run, and the recorded run that it is based on. */
export interface PartOrder {
	/** Absent to show the whole recorded run. */
	readonly part?: PartialRun;
	/** Events of the recorded run, as JSON strings. */
	readonly events: Iterable<string> | undefined;
}

/**
 * Prepares a part of an agent to run.
 * @throws {InputError} if it can't be run: an unknown node, a node that the recorded run didn't reach, a secret masked in the record, or a
 * missing file
 */
export function createPartialAgent(
	agent: LoadedAgent,
	{ part, events }: PartOrder,
	files: Pick<EngineFiles, 'describeUpload'>,
): PartialAgent {
	if (!part) {
		return { agent: removeRetries(agent), playback: new RunPlayback(events ?? []) };
	}
	const path = findNodePath(agent.graph, part.node);
	const node = path?.at(-1);
	if (!path || !node || node.nodeType?.type === 'container-start') {
		throw createPartError(`part.node: the agent has no reachable node '${part.node.slice(0, 100)}'. Expected the ID of a node.`);
	}
	const { rounds = [], variables: values = {} } = part;
	checkNesting(path);
	const places = listPathPlaces(path, rounds);
	const recorded = events && new RecordedRun(events, { node: node.id, place: places.at(-1) as ExecutionPlace });
	if (part.how === 'from') {
		if (!recorded) {
			throw createPartError('part.run: expected the ID of a run to take the values of earlier nodes from');
		}
		if (!recorded.hasNodeStarted(node.id, places.at(-1) as ExecutionPlace)) {
			throw createPartError(
				`part.run: that run didn't reach the node '${node.title}'${formatIterations(path, rounds)}. Choose a run that did.`,
			);
		}
		const replay = new Replay(recorded, agent.graph, path, part);
		for (const [depth, place] of places.entries()) {
			const level = depth === 0 ? agent.graph : (path[depth - 1] as AgentNode).inner;
			for (const each of level?.nodes.values() ?? []) {
				checkRestorable(each, replay.findRecordedNode(each, place)?.outputs ?? {}, agent, files);
			}
		}
		return { agent, replay };
	}
	if (node.type === 'human-input') {
		throw createPartError(`part.node: the node '${node.title}' waits for human input, so it can't run alone. Run from this node instead.`);
	}
	const found = recorded ? collectRecordedValues(recorded, path, places, rounds) : {};
	const alone: Record<string, Readonly<Record<string, unknown>>> = { ...found };
	for (const [id, given] of Object.entries(values)) {
		alone[id] = { ...alone[id], ...given };
	}
	for (const { id } of agent.graph.roots) {
		alone[id] = { ...addSystemPrefix(alone['sys'] ?? {}), ...alone[id] };
	}
	const text = JSON.stringify(node.settings) ?? '';
	for (const id of Object.keys(found)) {
		const known = findNodePath(agent.graph, id)?.at(-1);
		if (known && id !== node.id && (text.includes(`"${id}"`) || text.includes(`#${id}.`))) {
			checkRestorable(known, alone[id] ?? {}, agent, files);
		}
	}
	const only: AgentNode = { ...node, outgoing: [], incoming: 0 };
	return { agent: { ...agent, graph: { root: only, roots: [only], nodes: new Map([[only.id, only]]), responses: [] } }, alone };
}

/** Returns the containers around a node, from the outermost, and the node itself. */
function findNodePath(graph: Graph, id: string): readonly AgentNode[] | undefined {
	const found = graph.nodes.get(id);
	if (found) {
		return [found];
	}
	for (const container of graph.nodes.values()) {
		const within = container.inner && findNodePath(container.inner, id);
		if (within) {
			return [container, ...within];
		}
	}
	return undefined;
}

/** Returns the place of each node of a path. */
function listPathPlaces(path: readonly AgentNode[], rounds: readonly number[]): readonly ExecutionPlace[] {
	let place: ExecutionPlace = {};
	return path.map((_, depth) => {
		const container = path[depth - 1];
		if (container) {
			const round = rounds[depth - 1] ?? 0;
			place =
				container.type === 'loop'
					? { ...place, loop_id: container.id, loop_index: round }
					: { ...place, iteration_id: container.id, iteration_index: round };
		}
		return place;
	});
}

/** Refuses nested containers of the same kind: records only contain the iteration of the innermost one. */
function checkNesting(path: readonly AgentNode[]): void {
	const kinds = path.slice(0, -1).map(({ type }) => type);
	if (new Set(kinds).size < kinds.length) {
		throw createPartError(
			"part.node: nodes in nested containers of the same kind can't run alone. Choose a node outside, such as the outer container.",
		);
	}
}

/** Returns the values that a node could see: all outputs around it, and those of its enclosing iterations. */
function collectRecordedValues(
	recorded: RecordedRun,
	path: readonly AgentNode[],
	places: readonly ExecutionPlace[],
	rounds: readonly number[],
): Record<string, Readonly<Record<string, unknown>>> {
	const values: Record<string, Readonly<Record<string, unknown>>> = { sys: recorded.system };
	for (const [depth, place] of places.entries()) {
		for (const [id, { outputs }] of recorded.listNodesIn(place)) {
			values[id] = outputs;
		}
		const container = path[depth];
		if (depth < path.length - 1 && container) {
			const round = recorded.getIterationValues(container.id, place, rounds[depth] ?? 0);
			if (!round) {
				throw createPartError(
					`part.rounds: that run has no such iteration of '${container.title}', or its record is incomplete${formatIterations(path, rounds)}`,
				);
			}
			values[container.id] = round;
		}
	}
	return values;
}

function formatIterations(path: readonly AgentNode[], rounds: readonly number[]): string {
	const texts = path.slice(0, -1).map(({ title }, depth) => `iteration ${rounds[depth] ?? 0} of '${title}'`);
	return texts.length > 0 ? ` in ${texts.join(', ')}` : '';
}

/** Refuses values that a record can't restore. */
function checkRestorable(
	{ id, title }: AgentNode,
	outputs: Readonly<Record<string, unknown>>,
	agent: LoadedAgent,
	files: Pick<EngineFiles, 'describeUpload'>,
): void {
	const checkNestedValue = (value: unknown, name: string): void => {
		if (typeof value === 'string' && agent.secrets.length > 0 && value.includes('***')) {
			throw createPartError(
				`part: '${title}' returned a secret in ${id}.${name}, which isn't stored with the run. Set its value in part.variables, or run the whole agent.`,
			);
		}
		if (isFileValue(value)) {
			if (value.related_id !== null && files.describeUpload(value.related_id) === undefined) {
				throw createPartError(
					`part: the file '${getFileName(value)}' returned by '${title}' no longer exists. Set another file for ${id}.${name} in part.variables.`,
				);
			}
			return;
		}
		for (const [key, member] of Array.isArray(value) || isObjectValue(value) ? Object.entries(value) : []) {
			checkNestedValue(member, name === '' ? key : `${name}.${key}`);
		}
	};
	checkNestedValue(outputs, '');
}

function createPartError(message: string): InputError {
	return new InputError('part', message);
}
