import { parse } from 'yaml';
import { fieldOf, fieldsOf, textOf } from '#base/records/plainValues.ts';
import { type GraphNode, isContainer, isInnerStart } from '../agentGraph.ts';
import { scopesOf } from '../agentVariables.ts';
import { agentYaml } from '../agentYaml.ts';
import { containerSize, difyCardSize, innerStartPoint, innerStartSize, type Point } from '../layout/geometry.ts';
import { kindOf, nodeKinds, roleOf } from '../nodeKinds/nodeKinds.ts';
import { scalarText } from '../scalarText.ts';
import type { EditedFile } from './editedFile.ts';
import { originOf } from './places.ts';

/** Types of nodes that can be added, those that begin or end an agent or a loop among them: they have their places. */
export function addableTypes(): readonly string[] {
	return nodeKinds.filter(({ snippet }) => snippet).map(({ type }) => type);
}

/** Whether a node of a type can lie in a container of a type; `undefined`: at the top. */
export function canLieIn(type: string, container: string | undefined): boolean {
	const inside = roleOf(type) === 'start' ? 'top' : kindOf(type)?.inside;
	return inside === undefined || (inside === 'top' ? container === undefined : inside === container);
}

/** A node that is to be made. */
interface NewNode {
	readonly id: string;
	readonly type: string;
	readonly parent: GraphNode | undefined;
	readonly place: Point;
	/** The node before it, whose value it begins with. */
	readonly before: string | undefined;
}

/** A node of a type as Dify writes it, with the start of its rounds where it is a container. Fields stand in the order of the file's others. */
export function newNodes(file: EditedFile, { id, type, parent, place, before }: NewNode): readonly Readonly<Record<string, unknown>>[] {
	const snippet = kindOf(type)?.snippet;
	const container = isContainer(type);
	const fields = fieldsOf(filled(snippet?.data ?? [], { id, selector: valueBefore(file, before), model: modelOf(file) }));
	const data = { type, title: snippet?.title ?? type, ...fields, ...(container ? containerSize : {}) };
	const node = {
		id,
		type: 'custom',
		...(parent ? { parentId: parent.id } : {}),
		data: { ...data, ...(parent ? insideOf(parent.type, parent.id) : {}) },
		position: place,
		...(container ? containerSize : difyCardSize),
	};
	const origin = originOf(file, parent?.id);
	const placed = asOthers(file, node, { x: origin.x + place.x, y: origin.y + place.y }, parent !== undefined);
	return container ? [placed, innerStart(file, id, type, { x: origin.x + place.x, y: origin.y + place.y })] : [placed];
}

/** The fields of a value in the order that a like value has them; others behind these. */
export function inOrderOf<Fields extends Readonly<Record<string, unknown>>>(like: unknown, fields: Fields): Fields {
	const order = Object.keys(fieldsOf(like));
	const isSorted = order.length > 2 && order[0] !== 'id' && order.every((key, at) => at === 0 || (order[at - 1] as string) <= key);
	const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
	const sorted = Object.entries(fields).toSorted(([a], [b]) => (isSorted ? (a < b ? -1 : 1) : rank(a) - rank(b)));
	return Object.fromEntries(sorted) as Fields;
}

/** Fields of what lies in a container, in `data` of nodes and edges. */
export function insideOf(type: string | undefined, id: string | undefined): Readonly<Record<string, unknown>> {
	const marks = nodeKinds.flatMap(kind => (kind.insideField ? [[kind.insideField, kind.type === type]] : []));
	return { ...Object.fromEntries(marks), ...(type && id !== undefined ? { [`${type}_id`]: id } : {}) };
}

/** ID of the start of a container's rounds. */
export function startIdOf(container: string): string {
	return `${container}_start`;
}

/** A free ID for a new node of a type. For a container, the ID of its start is free too. */
export function newIdOf(file: EditedFile, type: string): string {
	const unusable = new Set<string>();
	for (;;) {
		const id = file.freeId(type.replaceAll('-', '_'), unusable);
		if (!isContainer(type) || file.freeId(startIdOf(id)) === startIdOf(id)) {
			return id;
		}
		unusable.add(id);
	}
}

function innerStart(file: EditedFile, container: string, type: string, origin: Point): Readonly<Record<string, unknown>> {
	const { x, y } = innerStartPoint;
	const around = insideOf(type, container);
	const node = {
		id: startIdOf(container),
		type: `custom-${type}-start`,
		parentId: container,
		data: { type: `${type}-start`, title: '', ...Object.fromEntries(Object.entries(around).filter(([, value]) => value)) },
		position: { x, y },
		...innerStartSize,
		draggable: false,
		selectable: false,
	};
	return asOthers(file, node, { x: origin.x + x, y: origin.y + y }, true);
}

/** Leaves away what Dify's editor adds to nodes where the file's other nodes lack it, and adds what they have. */
function asOthers(
	file: EditedFile,
	node: Readonly<Record<string, unknown>>,
	absolute: Point,
	isInner: boolean,
): Readonly<Record<string, unknown>> {
	const nodes = file.rawNodes.filter(raw => textOf(raw, 'type') !== 'custom-note');
	const like = nodes.at(-1);
	const has = (field: string) => like === undefined || nodes.some(raw => fieldOf(raw, field) !== undefined);
	const dataHas = (field: string) => nodes.some(raw => fieldOf(fieldOf(raw, 'data'), field) !== undefined);
	const data = { ...(dataHas('desc') ? { desc: '' } : {}), ...(dataHas('selected') ? { selected: false } : {}), ...fieldsOf(node['data']) };
	const isContainer = fieldOf(data, 'start_node_id') !== undefined;
	const whole = {
		...node,
		data: inOrderOf(fieldOf(like, 'data'), data),
		...(has('positionAbsolute') ? { positionAbsolute: absolute } : {}),
		...(has('sourcePosition') ? { sourcePosition: 'right', targetPosition: 'left' } : {}),
		...(has('zIndex') && (isInner || isContainer) ? { zIndex: isInner ? 1002 : 1 } : {}),
	};
	const plain = nodes.filter(raw => fieldOf(fieldOf(raw, 'data'), 'start_node_id') === undefined);
	const isPlain = like !== undefined && !isContainer && !plain.some(raw => fieldOf(raw, 'width') !== undefined);
	const dropped = new Set(isPlain ? ['width', 'height'] : []);
	return inOrderOf(like, Object.fromEntries(Object.entries(whole).filter(([field]) => !dropped.has(field))));
}

/**
 * A value that a new node can begin with: what the node before it is about, its text if it has one; behind one that only leads on, what comes before that; else what the agent begins with.
 */
function valueBefore(file: EditedFile, before: string | undefined): readonly string[] {
	const scopes = new Map(scopesOf(file.graph, () => true).flatMap(scope => (scope.node ? [[scope.id, scope]] : [])));
	const begin = file.graph.nodes.find(({ type, parent }) => type === 'start' && parent === undefined)?.id;
	const ways = [...(before === undefined ? [] : [before]), ...(begin === undefined ? [] : [begin])];
	// nodes are added to the list while it is gone through: those that lead to a router stand before where the agent begins
	const seen = new Set<string>();
	for (let id = ways.shift(); id !== undefined; id = ways.shift()) {
		const node = file.nodes.get(id);
		if (node?.parent !== undefined && isInnerStart(node) && file.nodes.get(node.parent)?.type === 'iteration') {
			return [node.parent, 'item'];
		}
		const variables = scopes.get(id)?.variables.filter(({ name, type }) => !name.startsWith('__') && type !== 'object') ?? [];
		const variable = variables.find(({ type }) => type === 'string') ?? variables[0];
		if (variable && !kindOf(node?.type ?? '')?.branches) {
			return [id, variable.name];
		}
		if (!seen.has(id)) {
			seen.add(id);
			ways.unshift(...file.graph.edges.filter(({ target }) => target === id).map(({ source }) => source));
		}
	}
	return ['sys', 'user_id'];
}

/** Name of the first model in the file. */
function modelOf(file: EditedFile): string {
	const models = file.graph.nodes.map(({ data }) => textOf(fieldOf(data, 'model'), 'name'));
	return models.find(name => name !== '') ?? 'offline';
}

/** Lines of a snippet as the value that they propose. */
function filled(
	lines: readonly string[],
	{ id, selector, model }: { readonly id: string; readonly selector: readonly string[]; readonly model: string },
): unknown {
	const plain = (text: string) => text.replaceAll(/[\\$}]/g, '\\$&');
	let text = lines
		.join('\n')
		.replaceAll('¶.', () => plain(selector.join('.')))
		.replaceAll('¶', () => plain(selector.map(each => scalarText(each, true)).join(', ')))
		.replaceAll('¤', () => plain(scalarText(model, true)))
		.replaceAll('§', () => id);
	for (let last = ''; last !== text; ) {
		last = text;
		text = text.replaceAll(/(?<!\\)\$\{\d+:((?:[^\\$}]|\\.)*)\}/g, '$1');
	}
	return parse(text.replaceAll(/\\([\\$}])/g, '$1'), agentYaml);
}
