import { parse } from 'yaml';
import { getField, getFieldText, toFields } from '#base/records/plainValues.ts';
import { type GraphNode, isContainer, isInnerStart } from '../agentGraph.ts';
import { listVariableScopes } from '../agentVariables.ts';
import { agentYaml } from '../agentYaml.ts';
import { containerSize, difyCardSize, innerStartPoint, innerStartSize, type Point } from '../layout/geometry.ts';
import { findNodeKind, getNodeRole, nodeKinds } from '../nodeKinds/nodeKinds.ts';
import { formatScalar } from '../scalarText.ts';
import type { EditedFile } from './editedFile.ts';
import { getOrigin } from './places.ts';

/** Returns the node types that can be added, including those that can only be placed at the top level or in a loop. */
export function listAddableTypes(): readonly string[] {
	return nodeKinds.filter(({ snippet }) => snippet).map(({ type }) => type);
}

/** True if a node of a type can be placed in a container of a type; `undefined` is the top level. */
export function canBePlacedIn(type: string, container: string | undefined): boolean {
	const inside = getNodeRole(type) === 'start' ? 'top' : findNodeKind(type)?.inside;
	return inside === undefined || (inside === 'top' ? container === undefined : inside === container);
}

interface NewNode {
	readonly id: string;
	readonly type: string;
	readonly parent: GraphNode | undefined;
	readonly place: Point;
	/** ID of the preceding node, whose output the new node uses. */
	readonly before: string | undefined;
}

/** Creates a node as Dify would, and the inner start if it's a container. Fields are in the order of the file's other nodes. */
export function createNodes(file: EditedFile, { id, type, parent, place, before }: NewNode): readonly Readonly<Record<string, unknown>>[] {
	const snippet = findNodeKind(type)?.snippet;
	const container = isContainer(type);
	const fields = toFields(fillSnippet(snippet?.data ?? [], { id, selector: findValueBefore(file, before), model: findModelName(file) }));
	const data = { type, title: snippet?.title ?? type, ...fields, ...(container ? containerSize : {}) };
	const node = {
		id,
		type: 'custom',
		...(parent ? { parentId: parent.id } : {}),
		data: { ...data, ...(parent ? getContainerFields(parent.type, parent.id) : {}) },
		position: place,
		...(container ? containerSize : difyCardSize),
	};
	const origin = getOrigin(file, parent?.id);
	const placed = adaptToFile(file, node, { x: origin.x + place.x, y: origin.y + place.y }, parent !== undefined);
	return container ? [placed, createInnerStart(file, id, type, { x: origin.x + place.x, y: origin.y + place.y })] : [placed];
}

/** Sorts fields in the order of a similar value. Fields that it doesn't have come last. */
export function sortFieldsLike<Fields extends Readonly<Record<string, unknown>>>(like: unknown, fields: Fields): Fields {
	const order = Object.keys(toFields(like));
	const isSorted = order.length > 2 && order[0] !== 'id' && order.every((key, at) => at === 0 || (order[at - 1] as string) <= key);
	const getFieldRank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
	const sorted = Object.entries(fields).toSorted(([a], [b]) => (isSorted ? (a < b ? -1 : 1) : getFieldRank(a) - getFieldRank(b)));
	return Object.fromEntries(sorted) as Fields;
}

/** Returns the fields that nodes and edges in a container have in their `data`. */
export function getContainerFields(type: string | undefined, id: string | undefined): Readonly<Record<string, unknown>> {
	const marks = nodeKinds.flatMap(kind => (kind.insideField ? [[kind.insideField, kind.type === type]] : []));
	return { ...Object.fromEntries(marks), ...(type && id !== undefined ? { [`${type}_id`]: id } : {}) };
}

export function getInnerStartId(container: string): string {
	return `${container}_start`;
}

/** Returns an unused ID for a new node. For a container, the ID of its inner start is unused too. */
export function createNewNodeId(file: EditedFile, type: string): string {
	const unusable = new Set<string>();
	for (;;) {
		const id = file.findFreeId(type.replaceAll('-', '_'), unusable);
		if (!isContainer(type) || file.findFreeId(getInnerStartId(id)) === getInnerStartId(id)) {
			return id;
		}
		unusable.add(id);
	}
}

function createInnerStart(file: EditedFile, container: string, type: string, origin: Point): Readonly<Record<string, unknown>> {
	const { x, y } = innerStartPoint;
	const around = getContainerFields(type, container);
	const node = {
		id: getInnerStartId(container),
		type: `custom-${type}-start`,
		parentId: container,
		data: { type: `${type}-start`, title: '', ...Object.fromEntries(Object.entries(around).filter(([, value]) => value)) },
		position: { x, y },
		...innerStartSize,
		draggable: false,
		selectable: false,
	};
	return adaptToFile(file, node, { x: origin.x + x, y: origin.y + y }, true);
}

/** Adapts the fields that only Dify's editor uses: removes those that the file's other nodes lack, and adds those that they have. */
function adaptToFile(
	file: EditedFile,
	node: Readonly<Record<string, unknown>>,
	absolute: Point,
	isInner: boolean,
): Readonly<Record<string, unknown>> {
	const nodes = file.rawNodes.filter(raw => getFieldText(raw, 'type') !== 'custom-note');
	const like = nodes.at(-1);
	const hasField = (field: string) => like === undefined || nodes.some(raw => getField(raw, field) !== undefined);
	const hasDataField = (field: string) => nodes.some(raw => getField(getField(raw, 'data'), field) !== undefined);
	const data = {
		...(hasDataField('desc') ? { desc: '' } : {}),
		...(hasDataField('selected') ? { selected: false } : {}),
		...toFields(node['data']),
	};
	const isContainer = getField(data, 'start_node_id') !== undefined;
	const whole = {
		...node,
		data: sortFieldsLike(getField(like, 'data'), data),
		...(hasField('positionAbsolute') ? { positionAbsolute: absolute } : {}),
		...(hasField('sourcePosition') ? { sourcePosition: 'right', targetPosition: 'left' } : {}),
		...(hasField('zIndex') && (isInner || isContainer) ? { zIndex: isInner ? 1002 : 1 } : {}),
	};
	const plainNodes = nodes.filter(raw => getField(getField(raw, 'data'), 'start_node_id') === undefined);
	const isPlain = like !== undefined && !isContainer && !plainNodes.some(raw => getField(raw, 'width') !== undefined);
	const dropped = new Set(isPlain ? ['width', 'height'] : []);
	return sortFieldsLike(like, Object.fromEntries(Object.entries(whole).filter(([field]) => !dropped.has(field))));
}

/**
 * Finds a value for a new node to use: a string output of the preceding node, of an earlier node if the preceding one only branches, or of
 * the start node.
 */
function findValueBefore(file: EditedFile, before: string | undefined): readonly string[] {
	const scopes = new Map(listVariableScopes(file.graph, () => true).flatMap(scope => (scope.node ? [[scope.id, scope]] : [])));
	const begin = file.graph.nodes.find(({ type, parent }) => type === 'start' && parent === undefined)?.id;
	const ways = [...(before === undefined ? [] : [before]), ...(begin === undefined ? [] : [begin])];
	// the loop adds nodes to the set, so that nodes before a branching node are tried before the start node
	const seen = new Set<string>();
	for (let id = ways.shift(); id !== undefined; id = ways.shift()) {
		const node = file.nodes.get(id);
		if (node?.parent !== undefined && isInnerStart(node) && file.nodes.get(node.parent)?.type === 'iteration') {
			return [node.parent, 'item'];
		}
		const variables = scopes.get(id)?.variables.filter(({ name, type }) => !name.startsWith('__') && type !== 'object') ?? [];
		const variable = variables.find(({ type }) => type === 'string') ?? variables[0];
		if (variable && !findNodeKind(node?.type ?? '')?.branches) {
			return [id, variable.name];
		}
		if (!seen.has(id)) {
			seen.add(id);
			ways.unshift(...file.graph.edges.filter(({ target }) => target === id).map(({ source }) => source));
		}
	}
	return ['sys', 'user_id'];
}

function findModelName(file: EditedFile): string {
	const models = file.graph.nodes.map(({ data }) => getFieldText(getField(data, 'model'), 'name'));
	return models.find(name => name !== '') ?? 'offline';
}

/** Parses the lines of a snippet, with its placeholders replaced by their defaults. */
function fillSnippet(
	lines: readonly string[],
	{ id, selector, model }: { readonly id: string; readonly selector: readonly string[]; readonly model: string },
): unknown {
	const escapeText = (text: string) => text.replaceAll(/[\\$}]/g, '\\$&');
	let text = lines
		.join('\n')
		.replaceAll('¶.', () => escapeText(selector.join('.')))
		.replaceAll('¶', () => escapeText(selector.map(each => formatScalar(each, true)).join(', ')))
		.replaceAll('¤', () => escapeText(formatScalar(model, true)))
		.replaceAll('§', () => id);
	for (let last = ''; last !== text; ) {
		last = text;
		text = text.replaceAll(/(?<!\\)\$\{\d+:((?:[^\\$}]|\\.)*)\}/g, '$1');
	}
	return parse(text.replaceAll(/\\([\\$}])/g, '$1'), agentYaml);
}
