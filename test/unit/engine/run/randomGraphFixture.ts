import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { NodeResult } from '#engine/nodes/nodeType.ts';
import { runNode } from '#engine/run/run.ts';
import type { Execute } from '#engine/run/runState.ts';
import { createAgentToolNode } from '../../contract/agentsAsTools.ts';
import { createEndNode, createStartNode, createTemplateNode, createTestAgent, type TestNode } from './engineFixture.ts';

type Kind = 'quick' | 'slow' | 'yes' | 'no';

/**
 * A level of nodes by number, each after some of the earlier ones. Containers have an inner level, and agents used as tools have a separate
 * graph.
 */
export interface Level {
	readonly nodes: readonly { readonly kind: Kind | Container; readonly after: readonly number[] }[];
}
export interface Container {
	readonly type: 'iteration' | 'loop' | 'tool';
	readonly rounds: number;
	readonly parallel: boolean;
	readonly inner: Level;
}

const kinds = fc.constantFrom<Kind>('quick', 'slow', 'yes', 'no');
const sources = fc.uniqueArray(fc.nat(6), { maxLength: 2 });

/** Creates random graphs. @param depth how deep containers and tools are nested */
export function createLevels(depth: number): fc.Arbitrary<Level> {
	const kind: fc.Arbitrary<Kind | Container> =
		depth === 0
			? kinds
			: fc.oneof(
					{ weight: 3, arbitrary: kinds },
					{
						weight: 1,
						arbitrary: fc.record({
							type: fc.constantFrom('iteration' as const, 'loop' as const, 'tool' as const),
							rounds: fc.integer({ min: 1, max: 3 }),
							parallel: fc.boolean(),
							inner: createLevels(depth - 1),
						}),
					},
				);
	return fc.array(fc.record({ kind, after: sources }), { minLength: 1, maxLength: depth === 0 ? 3 : 6 }).map(nodes => ({
		nodes: nodes.map(({ kind: made, after: sources }, index) => ({ kind: made, after: sources.filter(source => source < index) })),
	}));
}

/** Runs nodes of random graphs: code nodes take a moment. */
export const runDebugNode: Execute = context => {
	const { node } = context;
	if (node.type !== 'code') {
		return runNode(context);
	}
	if (node.id === 'items') {
		return { outputs: { l1: [1], l2: [1, 2], l3: [1, 2, 3] } };
	}
	const doWork = async (): Promise<NodeResult> => {
		await delay(node.id.length % 2, undefined, { signal: context.signal });
		return { outputs: { output: node.id } };
	};
	return doWork();
};

/** Returns the agent of a level, and the agents that it and they use as tools, by name. */
export function createAgent(level: Level): { readonly agent: LoadedAgent; readonly tools: Readonly<Record<string, LoadedAgent>> } {
	const tools: Record<string, LoadedAgent> = {};
	const items = { id: 'items', data: { type: 'code', code: '', code_language: 'javascript', outputs: {} } };
	const agent = createGraph(level, 'n', [createStartNode('t'), items], ['start > items'], tools);
	return { agent, tools };
}

/** @param made initial nodes; the last of them leads to the others @param tools receives the agents that are used as tools */
function createGraph(
	level: Level,
	levelPrefix: string,
	made: TestNode[],
	edges: string[],
	tools: Record<string, LoadedAgent>,
	isTool = false,
): LoadedAgent {
	const buildLevel = ({ nodes: inside }: Level, prefix: string, root: string, parent?: string) => {
		const within = parent === undefined ? {} : { parentId: parent };
		for (const [index, { kind, after: sources }] of inside.entries()) {
			const id = `${prefix}${index}`;
			if (typeof kind !== 'string' && kind.type === 'tool') {
				made.push({ ...createAgentToolNode(id, id), ...within });
				tools[id] = createGraph(kind.inner, `${id}_`, [createStartNode()], [], tools, true);
			} else if (typeof kind !== 'string') {
				const begin = `${id}_begin`;
				// the list of items is created by a node that only the outermost agent has
				const type = isTool ? 'loop' : kind.type;
				const data =
					type === 'loop'
						? { loop_count: kind.rounds, loop_variables: [], break_conditions: [], logical_operator: 'and' }
						: {
								iterator_selector: ['items', `l${kind.rounds}`],
								output_selector: [`${id}_0`, 'output'],
								is_parallel: kind.parallel,
								parallel_nums: 3,
							};
				made.push({ id, ...within, data: { type, start_node_id: begin, ...data } });
				made.push({ id: begin, parentId: id, data: { type: `${type}-start` } });
				buildLevel(kind.inner, `${id}_`, begin, id);
			} else if (isTool && (kind === 'quick' || kind === 'slow')) {
				made.push({ ...createTemplateNode(id, `tool ${kind} ${id}`), ...within });
			} else if (kind === 'quick') {
				made.push({ ...createTemplateNode(id, id), ...within });
			} else if (kind === 'slow') {
				made.push({ id, ...within, data: { type: 'code', code: '', code_language: 'javascript', outputs: {} } });
			} else {
				const join = kind === 'yes' ? 'and' : 'or';
				made.push({ id, ...within, data: { type: 'if-else', cases: [{ case_id: 'true', logical_operator: join, conditions: [] }] } });
			}
			for (const source of sources.length === 0 ? [root] : sources.map(number => `${prefix}${number}`)) {
				const from = inside[Number(source.slice(prefix.length))];
				const isBranch = source !== root && (from?.kind === 'yes' || from?.kind === 'no');
				edges.push(`${source} [${isBranch ? (index % 2 === 0 ? 'true' : 'false') : 'source'}] > ${id}`);
			}
		}
	};
	buildLevel(level, levelPrefix, made.at(-1)?.id ?? '');
	// the end waits for all nodes, so that its output doesn't depend on their order
	made.push(createEndNode(Object.fromEntries(level.nodes.map((_, index) => [`out${index}`, `${levelPrefix}${index}.output`]))));
	for (const [index, { kind }] of level.nodes.entries()) {
		edges.push(`${levelPrefix}${index} [${kind === 'yes' || kind === 'no' ? 'true' : 'source'}] > end`);
	}
	return createTestAgent(made, edges);
}
