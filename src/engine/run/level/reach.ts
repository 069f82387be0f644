import type { AgentNode, Edge, Graph } from '../../agentFile/agentTypes.ts';
import type { TemplatePart } from '../../nodes/nodeType.ts';

interface Target {
	readonly node: AgentNode;
	readonly parts: readonly TemplatePart[];
}

/** Targets held back by the same assigners; `shown` lists the variables that these assigners change and the targets show. */
interface Group<T> {
	readonly shown: ReadonlySet<string>;
	readonly waiting: Map<string, T>;
	readonly reached: Set<string>;
}

/**
 * Determines when an end or answer node is certain to be reached: on some path from the root, every edge that can hold it back was taken.
 * Such edges start at branches, containers, other end and answer nodes, and assigners of variables that the text shows (workflow DSL,
 * "Streaming").
 */
export class Reach<T extends Target = Target> {
	readonly #graph: Graph;
	readonly #root: AgentNode;
	readonly #groups: Group<T>[] = [];

	constructor(graph: Graph, root: AgentNode, targets: readonly T[]) {
		this.#graph = graph;
		this.#root = root;
		const assigners = [...graph.nodes.values()].flatMap(listAssignedVariables);
		for (const target of targets) {
			const shown = new Set(target.parts.flatMap(part => ('selector' in part ? [toVariableKey(part.selector)] : [])));
			const changing = new Set(assigners.filter(key => shown.has(key)));
			let group = this.#groups.find(candidate => isSameSet(candidate.shown, changing));
			if (!group) {
				group = { shown: changing, waiting: new Map(), reached: new Set() };
				this.#groups.push(group);
			}
			group.waiting.set(target.node.id, target);
		}
	}

	/** @returns the targets that are certain before anything runs, by ID */
	reachRoot(): readonly T[] {
		return this.#reachNode(this.#root.id);
	}

	/** @returns the targets that are certain now, by ID */
	takeEdge(edge: Edge): readonly T[] {
		return this.#reachNode(edge.target);
	}

	#reachNode(id: string): readonly T[] {
		const certain: T[] = [];
		for (const group of this.#groups) {
			this.#reachInGroup(group, id, certain);
		}
		return certain.length > 1 ? certain.sort((a, b) => (a.node.id < b.node.id ? -1 : 1)) : certain;
	}

	#reachInGroup(group: Group<T>, from: string, certain: T[]): void {
		if (group.waiting.size === 0 || group.reached.has(from)) {
			return;
		}
		group.reached.add(from);
		const walk = [from];
		for (const id of walk) {
			const target = group.waiting.get(id);
			if (target) {
				group.waiting.delete(id);
				certain.push(target);
			}
			const node = this.#graph.nodes.get(id);
			if (!node || canHoldBackTargets(node, group.shown)) {
				continue;
			}
			for (const edge of node.outgoing) {
				if (!group.reached.has(edge.target)) {
					group.reached.add(edge.target);
					walk.push(edge.target);
				}
			}
		}
	}
}

function canHoldBackTargets(node: AgentNode, shown: ReadonlySet<string>): boolean {
	const type = node.nodeType;
	return Boolean(
		type?.branches ||
			type?.container ||
			type?.template ||
			node.failure.strategy === 'fail-branch' ||
			(shown.size > 0 && listAssignedVariables(node).some(key => shown.has(key))),
	);
}

function listAssignedVariables(node: AgentNode): readonly string[] {
	return node.nodeType?.assigns?.(node.settings as never).map(toVariableKey) ?? [];
}

function toVariableKey(selector: readonly string[]): string {
	return `${selector[0]}.${selector[1]}`;
}

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	return a.size === b.size && [...a].every(item => b.has(item));
}
