import type { Node } from 'jsonc-parser';
import { inputPlacePattern } from '#contract/inputPlaces.ts';
import { type AgentGraph, type GraphNode, graphPath, readAgentGraph } from '../agentGraph.ts';
import { findNodeKind } from '../nodeKinds/nodeKinds.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import { nodeFields } from '../references.ts';
import { findNodeAt, listProperties } from '../yamlTree.ts';
import { findReferences } from './referencesIn.ts';

/** A name in an agent file: a node ID, or a variable of a node, the environment or the conversation. */
interface AgentName {
	/** ID of the node; `env`, `conversation` or `sys`. */
	readonly scope: string;
	/** Name of the variable; absent if the name is a node ID. */
	readonly variable?: string;
}

/** An occurrence of a name, without quotes. Offsets are in UTF-16 code units. */
export interface NamePlace extends AgentName {
	readonly offset: number;
	readonly length: number;
	/** True if the name is defined here, false if it's used. */
	readonly declares: boolean;
	/** True for a plain value, which YAML may not read as a string; false in quotes and templates. */
	readonly plain: boolean;
}

/** Returns all occurrences of node and variable names, in order and without duplicates. */
export function findNameOccurrences({ text, root, content }: AgentReading): readonly NamePlace[] {
	if (!root) {
		return [];
	}
	const graph = readAgentGraph(content);
	const found = [
		...listWorkflowVariables(root, text),
		...graph.nodes.flatMap(node => listNodeOccurrences(node, root, text)),
		...listEdgeOccurrences(graph, root, text),
	];
	const unique = new Map(found.map(place => [place.offset, place]));
	return [...unique.values()].sort((a, b) => a.offset - b.offset);
}

/** Returns the name at an offset. The offset may be right after its last letter. */
export function findNameAt(places: readonly NamePlace[], offset: number): NamePlace | undefined {
	return places.find(place => offset >= place.offset && offset <= place.offset + place.length);
}

/** Returns the occurrences of one name. */
export function filterOccurrences(places: readonly NamePlace[], { scope, variable }: AgentName): readonly NamePlace[] {
	return places.filter(place => place.scope === scope && place.variable === variable);
}

function listWorkflowVariables(root: Node, text: string): NamePlace[] {
	return (['environment', 'conversation'] as const).flatMap(kind =>
		getListItems(root, ['workflow', `${kind}_variables`]).flatMap(item =>
			createDeclarations(getPropertyValue(item, 'name'), kind === 'environment' ? 'env' : kind, text),
		),
	);
}

function listNodeOccurrences(node: GraphNode, root: Node, text: string): NamePlace[] {
	const path = [...graphPath, 'nodes', node.at];
	const item = findNodeAt(root, path);
	const data = getPropertyValue(item, 'data');
	const used = [getPropertyValue(item, 'parentId'), ...(data ? nodeFields.flatMap(name => getPropertyValue(data, name) ?? []) : [])];
	const references = data ? findReferences(data, [...path, 'data'], text) : [];
	return [
		...createOccurrences(getPropertyValue(item, 'id'), text, { scope: node.id, declares: true }),
		...used.flatMap(value => (value ? createOccurrences(value, text, { scope: String(value.value), declares: false }) : [])),
		...(data ? listVariableOccurrences(node, data, text) : []),
		...references.flatMap(({ selector: [scope = '', variable], places: [first, second] }) => [
			...(first ? [{ ...trimQuotes(first, text), scope, declares: false }] : []),
			...(second && variable !== undefined ? [{ ...trimQuotes(second, text), scope, variable, declares: false }] : []),
		]),
	];
}

function listVariableOccurrences({ id, type }: GraphNode, data: Node, text: string): NamePlace[] {
	const { declares, formText } = findNodeKind(type) ?? {};
	const { at = [], name } = declares ?? {};
	const values =
		declares === undefined
			? []
			: name === undefined
				? listProperties(findNodeAt(data, [...at])).map(({ nameNode }) => nameNode)
				: getListItems(data, at).map(item => getPropertyValue(item, name));
	return [
		...values.flatMap(value => createDeclarations(value, id, text)),
		...(formText === undefined ? [] : listInputOccurrences(id, getPropertyValue(data, formText), text)),
	];
}

/** Returns the occurrences of a form's inputs in its text. */
function listInputOccurrences(scope: string, content: Node | undefined, text: string): NamePlace[] {
	const raw = content?.type === 'string' ? text.slice(content.offset, content.offset + content.length) : '';
	return [...raw.matchAll(inputPlacePattern)].map(({ 0: place, 1: variable = '', index }) => {
		const offset = (content?.offset ?? 0) + index + place.length - variable.length - '#}}'.length;
		return { offset, length: variable.length, scope, variable, declares: false, plain: false };
	});
}

function listEdgeOccurrences({ edges }: AgentGraph, root: Node, text: string): NamePlace[] {
	return edges.flatMap(({ at }) => {
		const edge = findNodeAt(root, [...graphPath, 'edges', at]);
		const data = getPropertyValue(edge, 'data');
		const ids = [
			getPropertyValue(edge, 'source'),
			getPropertyValue(edge, 'target'),
			...nodeFields.map(name => getPropertyValue(data, name)),
		];
		return ids.flatMap(value => (value ? createOccurrences(value, text, { scope: String(value.value), declares: false }) : []));
	});
}

function createDeclarations(value: Node | undefined, scope: string, text: string): NamePlace[] {
	return createOccurrences(value, text, { scope, variable: String(value?.value), declares: true });
}

function createOccurrences(value: Node | undefined, text: string, name: Pick<NamePlace, 'scope' | 'declares'> & AgentName): NamePlace[] {
	return value && value.length > 0 && (value.type === 'string' || value.type === 'number') ? [{ ...trimQuotes(value, text), ...name }] : [];
}

/** Trims the quotes of a value. A name in a template has no quotes; it follows a mark or a dot. */
function trimQuotes({ offset, length }: { offset: number; length: number }, text: string): Pick<NamePlace, 'offset' | 'length' | 'plain'> {
	const quoted = /^["']/.test(text[offset] ?? '');
	const inTemplate = /[#.]/.test(text[offset - 1] ?? '');
	return quoted && length >= 2 ? { offset: offset + 1, length: length - 2, plain: false } : { offset, length, plain: !inTemplate };
}

function getListItems(root: Node, path: readonly string[]): readonly Node[] {
	const list = findNodeAt(root, path);
	return list?.type === 'array' ? (list.children ?? []) : [];
}

function getPropertyValue(map: Node | undefined, name: string): Node | undefined {
	return map && findNodeAt(map, [name]);
}
