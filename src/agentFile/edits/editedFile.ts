import { getField, getFieldText, getItems, isRecord, toFields } from '#base/records/plainValues.ts';
import { translateMessage } from '#base/text/localizableMessage.ts';
import type { Translate } from '#base/text/localization.ts';
import { type AgentGraph, type GraphNode, graphPath, readAgentGraph } from '../agentGraph.ts';
import type { Path } from '../agentText.ts';
import { AgentReading } from '../reading/agentReading.ts';

/** An operation that can't be done. The message is shown to the user. */
export class Refused extends Error {}

/** An agent file to edit. */
export class EditedFile {
	readonly read: AgentReading;
	readonly graph: AgentGraph;
	readonly t: Translate;
	/** Nodes with `data` by ID, without notes. */
	readonly nodes: ReadonlyMap<string, GraphNode>;
	/** Nodes and notes as written, in the order of the file. */
	readonly rawNodes: readonly unknown[];
	readonly rawEdges: readonly unknown[];
	readonly #indexes: ReadonlyMap<string, number>;

	/** @throws {Refused} if the text can't be read or has no graph */
	constructor(text: string | AgentReading, t: Translate) {
		this.t = t;
		this.read = typeof text === 'string' ? new AgentReading(text) : text;
		const { error, content } = this.read;
		if (error) {
			throw new Refused(
				error.kind === 'size'
					? t("The graph can't be edited. {0}", translateMessage(error.localizable, t))
					: t(
							"Line {0} isn't valid YAML: {1}. Fix it before editing the graph.",
							this.read.getLineAt(error.offset),
							translateMessage(error.localizable, t).replace(/\.$/, ''),
						),
			);
		}
		const graph = getField(getField(content, 'workflow'), 'graph');
		if (!isRecord(graph)) {
			throw new Refused(t("The file has no graph. Expected nodes and edges in 'workflow.graph'."));
		}
		this.graph = readAgentGraph(content);
		this.rawNodes = getItems(graph, 'nodes');
		this.#indexes = new Map(this.rawNodes.map((node, at) => [getFieldText(node, 'id'), at] as const).filter(([id]) => id !== ''));
		this.rawEdges = getItems(graph, 'edges');
		const nodes = new Map<string, GraphNode>();
		for (const node of this.graph.nodes) {
			if (node.id !== '' && node.data) {
				if (nodes.has(node.id)) {
					throw new Refused(t("Two nodes have the ID '{0}'. Change one of the IDs before editing the graph.", node.id));
				}
				nodes.set(node.id, node);
			}
		}
		this.nodes = nodes;
		const inItself = findContainerCycle(this.rawNodes);
		if (inItself !== undefined) {
			throw new Refused(t("'{0}' contains itself. Fix its 'parentId' before editing the graph.", inItself));
		}
	}

	/** @throws {Refused} if the node doesn't exist */
	getNode(id: string): GraphNode {
		const node = this.nodes.get(id);
		return node ?? this.throwRefused(this.t("'{0}' isn't a node of this file.", id));
	}

	/**
	 * Returns the index of a node or note in the file's list of nodes.
	 * @throws {Refused} if it doesn't exist
	 */
	getNodeIndex(id: string): number {
		return this.#indexes.get(id) ?? this.throwRefused(this.t("'{0}' isn't a node of this file.", id));
	}

	/** Returns the node as written, not only its `data`. */
	getRawNode(id: string): Readonly<Record<string, unknown>> {
		return toFields(this.rawNodes[this.getNodeIndex(id)]);
	}

	/** Returns the path of a node or of one of its fields. */
	getNodePath(id: string, ...fields: Path): Path {
		return [...graphPath, 'nodes', this.getNodeIndex(id), ...fields];
	}

	/** Returns the title or ID of a node, for use in messages. */
	getNodeName(id: string): string {
		return this.nodes.get(id)?.title || id;
	}

	/** Returns an unused ID: the wanted one, or the same with a number appended. */
	findFreeId(wanted: string, taken: ReadonlySet<string> = new Set()): string {
		let id = wanted;
		for (let n = 2; id === '' || this.#indexes.has(id) || taken.has(id); n++) {
			id = `${wanted}_${n}`;
		}
		return id;
	}

	/** @throws {Refused} always */
	throwRefused(message: string): never {
		throw new Refused(message);
	}
}

/** Returns the ID of a node that contains itself, directly or through other nodes. */
export function findContainerCycle(rawNodes: readonly unknown[]): string | undefined {
	const parents = new Map(rawNodes.map(node => [getFieldText(node, 'id'), getFieldText(node, 'parentId')]));
	const clear = new Set(['']);
	for (const id of parents.keys()) {
		const way = new Set<string>();
		for (let each = id; !clear.has(each); each = parents.get(each) ?? '') {
			if (way.has(each)) {
				return each;
			}
			way.add(each);
		}
		for (const each of way) {
			clear.add(each);
		}
	}
	return undefined;
}
