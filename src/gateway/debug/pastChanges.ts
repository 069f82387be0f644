import { getNodeRole } from '#agentFile/nodeKinds/nodeKinds.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { GateLevel } from '#engine/run/gate.ts';
import { isReusable } from '#engine/standIns/replayedNodes.ts';
import { mask } from '#network/redaction.ts';
import { getAgentName } from './branches.ts';
import type { HistoryEntry, PastBranch } from './history.ts';
import { getOutermostLevel, maskSecrets } from './maskSecrets.ts';
import type { ValuePath } from './places.ts';

/** A node of the debugged agent itself that the shown step is at or inside of. */
interface PathNode extends Pick<PastBranch, 'level' | 'node'> {
	/** Iteration of a container. */
	readonly round?: number;
}

/** Changes that a user made at an earlier step. The run itself doesn't change: a fork from that step starts with them. */
export class PastChanges {
	readonly #entry: HistoryEntry;
	/** Node that the fork starts from, then the containers around it, innermost first. */
	readonly #path: readonly PathNode[];
	/** Changed variables by node ID, then by name. */
	readonly #values = new Map<string, Map<string, unknown>>();
	#restarted: AgentNode | undefined;

	constructor(entry: HistoryEntry) {
		this.#entry = entry;
		const path: PathNode[] = [entry.branch];
		for (let { around } = entry.branch.level; around; around = around.level.around) {
			if (around.round === undefined) {
				path.length = 0;
			}
			path.push(around);
		}
		this.#path = path;
	}

	/** Number of changed variables, and of nodes to run again. */
	get count(): number {
		const values = [...this.#values.values()].reduce((sum, { size }) => sum + size, 0);
		return values + (this.#restarted ? 1 : 0);
	}

	/** Throws a `ServiceFault` if a fork from here can't start with another value of a variable. */
	requireSettable({ level }: Pick<PastBranch, 'level'>, selector: ValuePath): void {
		this.#requireStarted();
		const [id, name] = selector.map(String) as [string, string];
		const node = findNode(level, id);
		const isRecorded = node && (getNodeRole(node.type) === 'start' || (isReusable(node) && !this.#path.some(each => each.node === node)));
		if (!isRecorded || getAgentName(level) !== undefined) {
			throw new ServiceFault(400, localizable`In the past, only inputs of the run and outputs of nodes can be changed.`, {
				params: 'path',
			});
		}
		if (!this.#path.some(({ level: { graph, place } }) => graph === level.graph && place === level.place)) {
			throw new ServiceFault(400, localizable`This value belongs to another iteration than the step that is shown.`, { params: 'path' });
		}
		if (selector.length > 2 && JSON.stringify(maskSecrets(level.variables.get([id, name]), level)).includes(mask)) {
			throw new ServiceFault(400, localizable`Part of this value is a secret, which isn't stored with the run. Set the whole value.`, {
				params: 'path',
			});
		}
	}

	/** Records that a variable has another value now. */
	addValue({ level }: Pick<PastBranch, 'level'>, selector: ValuePath): void {
		const [id, name] = selector.map(String) as [string, string];
		const values = this.#values.get(id) ?? new Map<string, unknown>();
		this.#values.set(id, values.set(name, level.variables.get([id, name])));
	}

	/** Records that a node is to run again, although no value has changed. Throws a `ServiceFault` (409) if a fork can't start from it. */
	addRestart(branch: PastBranch): void {
		this.#requireStarted();
		if (!this.canRestart(branch)) {
			throw new ServiceFault(409, localizable`A fork can't start from this node.`);
		}
		this.#restarted = branch.node;
	}

	/** True if a fork from this step starts with this branch. */
	canRestart({ origin }: PastBranch): boolean {
		return origin === this.#entry.branch.origin && this.#path[0] === this.#entry.branch;
	}

	/**
	 * Returns the part of the agent that a fork runs: the nodes at this step and all after them.
	 * @param run ID of the parent; by default the debugged run
	 */
	createPart(run?: string): PartialRun {
		const [{ node, level }, ...containers] = this.#path as [PathNode, ...PathNode[]];
		const levels = new Set(this.#path.map(each => each.level));
		const isOnPath = (branch: PastBranch) => this.#path.some(each => each.level === branch.level && each.node.id === branch.node.id);
		const others = this.#entry.branches.filter(branch => levels.has(branch.level) && !isOnPath(branch)).map(branch => branch.node.id);
		const rounds = containers.map(({ round = 0 }) => round).reverse();
		const variables = Object.fromEntries([...this.#values].map(([id, values]) => [id, Object.fromEntries(values)]));
		return {
			node: node.id,
			how: 'from',
			run: run ?? getOutermostLevel(level).run.options.runId,
			...(others.length > 0 && { also: others }),
			...(rounds.length > 0 && { rounds }),
			...(this.#values.size > 0 && { variables }),
		};
	}

	/** Throws a `ServiceFault` (409) if the node of this step hasn't started: then its values are those of the present. */
	#requireStarted(): void {
		const { state } = this.#entry.branch.origin;
		if (state === 'coming' || state === 'standing') {
			throw new ServiceFault(409, localizable`This node hasn't started yet. Return to the present to change its values.`);
		}
	}
}

/** Returns a node of a level, or of a level around it. */
function findNode({ graph, around }: GateLevel, id: string): AgentNode | undefined {
	return graph.nodes.get(id) ?? (around && findNode(around.level, id));
}
