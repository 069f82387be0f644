import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { GateLevel } from '#engine/run/gate.ts';
import type { Branch, Branches } from './branches.ts';

/** Determines which node can be rerun at a paused branch, and replaces the branches that the rerun discards. */
export class Repeats {
	readonly #branches: Branches;
	/** IDs of nodes whose successors have been decided. */
	readonly #ended = new WeakMap<GateLevel, Set<string>>();

	constructor(branches: Branches) {
		this.#branches = branches;
	}

	/** Records that a node's successors have been decided. */
	addFinishedNode(node: AgentNode, level: GateLevel): void {
		this.#ended.set(level, (this.#ended.get(level) ?? new Set<string>()).add(node.id));
	}

	/** Returns the node to rerun: the failed one, or the one that led to the branch if none of its successors has started. */
	findRepeatableNode({ state, node, level, predecessor }: Branch): AgentNode | undefined {
		if (state === 'failed') {
			return node;
		}
		const before = predecessor === null ? undefined : level.graph.nodes.get(predecessor);
		if (state !== 'standing' || !before || before === node || !isRepeatable(before)) {
			return undefined;
		}
		return this.#findDependents(before, level).every(id => this.#branches.findBranch(level, id)?.state === 'standing') ? before : undefined;
	}

	/** Like {@link findRepeatableNode}, but throws a `ServiceFault` (409) if there is none. */
	requireRepeatableNode(branch: Branch): AgentNode {
		const node = this.findRepeatableNode(branch);
		if (!node) {
			throw new ServiceFault(
				409,
				localizable`Can't rerun a node here. The previous node also led to nodes that have started, or its output is already part of the run's result.`,
			);
		}
		return node;
	}

	/**
	 * Removes the branches that rerunning a node discards, and adds one for the node. The others have to wait for the node again, even if
	 * another node made them ready.
	 */
	replaceBranches(node: AgentNode, { level, id }: Branch): { readonly again: Branch; readonly endOthers: () => void } {
		const gone = this.#findDependents(node, level).flatMap(each => this.#branches.findBranch(level, each) ?? []);
		for (const branch of gone) {
			this.#branches.remove(branch);
		}
		return {
			again: this.#branches.add({ node, predecessor: null }, level, id),
			endOthers: () => gone.map(branch => branch.release(false)),
		};
	}

	/**
	 * Returns the IDs of nodes that depend on a finished node and are ready, running or finished: the targets of its edges, also beyond
	 * skipped nodes. Each of them may have waited for other nodes too.
	 */
	#findDependents({ outgoing }: AgentNode, level: GateLevel): readonly string[] {
		const found = new Set<string>();
		const passed = new Set<string>();
		const edges = [...outgoing];
		for (const { target } of edges) {
			if (this.#branches.findBranch(level, target) || this.#ended.get(level)?.has(target)) {
				found.add(target);
			} else if (!passed.has(target)) {
				passed.add(target);
				edges.push(...(level.graph.nodes.get(target)?.outgoing ?? []));
			}
		}
		return [...found];
	}
}

/**
 * True if a node can run twice. It can't if its outputs already belong to the run's result, if it starts or ends an iteration, or if
 * someone answered its form.
 */
function isRepeatable({ nodeType }: AgentNode): boolean {
	return nodeType?.template === undefined && !['container-start', 'loop-end', 'human-input'].includes(nodeType?.type ?? '');
}
