import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { GateLevel } from '#engine/run/gate.ts';
import type { Branch, Branches } from './branches.ts';

/** Which node can run again where a branch stands, and what that takes back. */
export class Repeats {
	readonly #branches: Branches;
	/** Nodes that have gone their ways, by ID. */
	readonly #ended = new WeakMap<GateLevel, Set<string>>();

	constructor(branches: Branches) {
		this.#branches = branches;
	}

	/** A node has gone its ways. */
	left(node: AgentNode, level: GateLevel): void {
		this.#ended.set(level, (this.#ended.get(level) ?? new Set<string>()).add(node.id));
	}

	/** The node that would run again: the one that has failed, or the one that led here where nothing behind it has begun. */
	nodeFor({ state, node, level, predecessor }: Branch): AgentNode | undefined {
		if (state === 'failed') {
			return node;
		}
		const before = predecessor === null ? undefined : level.graph.nodes.get(predecessor);
		if (state !== 'standing' || !before || !isRepeatable(before)) {
			return undefined;
		}
		return this.#behind(before, level).every(id => this.#branches.of(level, id)?.state === 'standing') ? before : undefined;
	}

	/** Branches that start no more when a node runs again: they wait for it anew, whichever node has let them begin. */
	takenBack(node: AgentNode, level: GateLevel): readonly Branch[] {
		return this.#behind(node, level).flatMap(id => this.#branches.of(level, id) ?? []);
	}

	/**
	 * IDs of nodes that are ready, run or have ended, of which a node that has ended has decided whether they do: behind its edges, and behind nodes that were
	 * skipped. Each of them may have waited for others too.
	 */
	#behind({ outgoing }: AgentNode, level: GateLevel): readonly string[] {
		const found = new Set<string>();
		const passed = new Set<string>();
		const edges = [...outgoing];
		for (const { target } of edges) {
			if (this.#branches.of(level, target) || this.#ended.get(level)?.has(target)) {
				found.add(target);
			} else if (!passed.has(target)) {
				passed.add(target);
				edges.push(...(level.graph.nodes.get(target)?.outgoing ?? []));
			}
		}
		return [...found];
	}
}

/** Whether a node can run twice: not where its outputs are the run's already, a round begins or ends, or a person has answered. */
function isRepeatable({ nodeType }: AgentNode): boolean {
	return nodeType?.template === undefined && !['container-start', 'loop-end', 'human-input'].includes(nodeType?.type ?? '');
}
