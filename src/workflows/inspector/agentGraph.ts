import { parse } from 'yaml';
import { layOut } from './graphLayout.ts';
import type { AgentGraph, DraftEdge, DraftNode } from './graphTypes.ts';

/** More of a branch's name is not written on its edge, in UTF-16 units. */
const longestLabel = 18;

interface RawNode {
	readonly id?: unknown;
	readonly type?: unknown;
	readonly parentId?: unknown;
	readonly position?: { readonly x?: unknown; readonly y?: unknown } | null;
	readonly data?: RawData | null;
}

interface RawData {
	readonly type?: unknown;
	readonly title?: unknown;
	readonly cases?: readonly { readonly case_id?: unknown; readonly id?: unknown }[];
	readonly classes?: readonly { readonly id?: unknown; readonly name?: unknown }[];
}

interface RawEdge {
	readonly source?: unknown;
	readonly target?: unknown;
	readonly sourceHandle?: unknown;
}

/**
 * The graph of an agent file (workflow DSL, "File"), laid out to be drawn; `undefined` where the file has none: an agent without a workflow.
 * Takes what it can of a file with faults: nodes without an ID, and edges that name no node or cross the border of a container, are left out.
 * @throws an error that says where, if the text is not YAML
 */
export function agentGraph(text: string): AgentGraph | undefined {
	const file = parse(text, { prettyErrors: true, logLevel: 'error' }) as { workflow?: { graph?: unknown } | null } | null;
	const { nodes, edges } = (file?.workflow?.graph ?? {}) as { nodes?: unknown; edges?: unknown };
	const drafts = listOf<RawNode>(nodes).flatMap(draftOf);
	return drafts.length > 0 ? layOut(drafts, edgesOf(listOf<RawEdge>(edges), drafts, dataOf(listOf<RawNode>(nodes)))) : undefined;
}

function listOf<T>(value: unknown): readonly T[] {
	return Array.isArray(value) ? value.filter(item => typeof item === 'object' && item !== null) : [];
}

function draftOf({ id, type, parentId, position, data }: RawNode): DraftNode[] {
	if (typeof id !== 'string' || !data || type === 'custom-note') {
		return [];
	}
	const kind = String(data.type ?? '');
	const { x, y } = position ?? {};
	return [
		{
			id,
			kind,
			title: typeof data.title === 'string' && data.title !== '' ? data.title : id,
			...(typeof parentId === 'string' && parentId !== '' ? { parent: parentId } : {}),
			...(Number.isFinite(x) && Number.isFinite(y) ? { position: { x: x as number, y: y as number } } : {}),
		},
	];
}

function dataOf(nodes: readonly RawNode[]): ReadonlyMap<unknown, RawData> {
	return new Map(nodes.map(({ id, data }) => [id, data ?? {}]));
}

function edgesOf(raw: readonly RawEdge[], nodes: readonly DraftNode[], data: ReadonlyMap<unknown, RawData>): DraftEdge[] {
	const byId = new Map(nodes.map(node => [node.id, node]));
	return raw.flatMap(({ source, target, sourceHandle }) => {
		const from = byId.get(String(source));
		const to = byId.get(String(target));
		if (!from || !to || from.parent !== to.parent) {
			return [];
		}
		const handle = typeof sourceHandle === 'string' && sourceHandle !== 'success-branch' ? sourceHandle : 'source';
		const label = labelOf(data.get(from.id), handle);
		return [{ source: from.id, target: to.id, handle, ...(label === undefined ? {} : { label }) }];
	});
}

/** What a branch is called: as the file does, in its language, else as the DSL does. */
function labelOf(data: RawData | undefined, handle: string): string | undefined {
	if (handle === 'fail-branch') {
		return handle;
	}
	const named = listOf<{ id?: unknown; name?: unknown }>(data?.classes).find(({ id }) => id === handle);
	if (named) {
		const name = String(named.name ?? handle);
		return name.length > longestLabel ? `${name.slice(0, longestLabel - 1).trimEnd()}…` : name;
	}
	if (data?.type !== 'if-else') {
		return undefined;
	}
	const place = listOf<{ case_id?: unknown; id?: unknown }>(data.cases).findIndex(each => (each.case_id ?? each.id) === handle);
	return handle === 'false' ? 'ELSE' : place > 0 ? `ELIF ${place}` : 'IF';
}
