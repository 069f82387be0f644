import type { Node } from 'jsonc-parser';
import { inputPlacePattern } from '#contract/inputPlaces.ts';
import { type AgentGraph, agentGraph, type GraphNode, graphPath } from '../agentGraph.ts';
import { kindOf } from '../nodeKinds/nodeKinds.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import { nodeFields } from '../references.ts';
import { propertiesOf, valueAt } from '../yamlTree.ts';
import { referencesIn } from './referencesIn.ts';

/** A name in an agent file: a node ID, or a variable of a node, the environment or the conversation. */
interface AgentName {
	/** ID of the node; `env`, `conversation` or `sys`. */
	readonly scope: string;
	/** Absent for the node itself. */
	readonly variable?: string;
}

/** An occurrence of a name without its quotes, in UTF-16 code units. */
export interface NamePlace extends AgentName {
	readonly offset: number;
	readonly length: number;
	/** True if the name is defined here, false if it's used. */
	readonly declares: boolean;
	/** True for a plain value, which YAML may not read as a string; false in quotes and templates. */
	readonly plain: boolean;
}

/** Returns all occurrences of node and variable names, in order and without duplicates. */
export function namePlaces({ text, root, content }: AgentReading): readonly NamePlace[] {
	if (!root) {
		return [];
	}
	const graph = agentGraph(content);
	const places = [
		...workflowVariables(root, text),
		...graph.nodes.flatMap(node => nodePlaces(node, root, text)),
		...edgePlaces(graph, root, text),
	];
	const unique = new Map(places.map(place => [place.offset, place]));
	return [...unique.values()].sort((a, b) => a.offset - b.offset);
}

/** Returns the name at an offset. The offset may be right after its last letter. */
export function nameAt(places: readonly NamePlace[], offset: number): NamePlace | undefined {
	return places.find(place => offset >= place.offset && offset <= place.offset + place.length);
}

/** Returns the occurrences of one name. */
export function placesOf(places: readonly NamePlace[], { scope, variable }: AgentName): readonly NamePlace[] {
	return places.filter(place => place.scope === scope && place.variable === variable);
}

function workflowVariables(root: Node, text: string): NamePlace[] {
	return (['environment', 'conversation'] as const).flatMap(kind =>
		itemsAt(root, ['workflow', `${kind}_variables`]).flatMap(item =>
			declared(propertyOf(item, 'name'), kind === 'environment' ? 'env' : kind, text),
		),
	);
}

function nodePlaces(node: GraphNode, root: Node, text: string): NamePlace[] {
	const path = [...graphPath, 'nodes', node.at];
	const item = valueAt(root, path);
	const data = propertyOf(item, 'data');
	const used = [propertyOf(item, 'parentId'), ...(data ? nodeFields.flatMap(name => propertyOf(data, name) ?? []) : [])];
	const references = data ? referencesIn(data, [...path, 'data'], text) : [];
	return [
		...places(propertyOf(item, 'id'), text, { scope: node.id, declares: true }),
		...used.flatMap(value => (value ? places(value, text, { scope: String(value.value), declares: false }) : [])),
		...(data ? variablesOf(node, data, text) : []),
		...references.flatMap(({ selector: [scope = '', variable], places: [first, second] }) => [
			...(first ? [{ ...inner(first, text), scope, declares: false }] : []),
			...(second && variable !== undefined ? [{ ...inner(second, text), scope, variable, declares: false }] : []),
		]),
	];
}

function variablesOf({ id, type }: GraphNode, data: Node, text: string): NamePlace[] {
	const { declares, formText } = kindOf(type) ?? {};
	const { at = [], name } = declares ?? {};
	const values =
		declares === undefined
			? []
			: name === undefined
				? propertiesOf(valueAt(data, [...at])).map(({ nameNode }) => nameNode)
				: itemsAt(data, at).map(item => propertyOf(item, name));
	return [
		...values.flatMap(value => declared(value, id, text)),
		...(formText === undefined ? [] : inputPlaces(id, propertyOf(data, formText), text)),
	];
}

/** Returns the occurrences of a form's inputs in its text. */
function inputPlaces(scope: string, content: Node | undefined, text: string): NamePlace[] {
	const raw = content?.type === 'string' ? text.slice(content.offset, content.offset + content.length) : '';
	return [...raw.matchAll(inputPlacePattern)].map(({ 0: place, 1: variable = '', index }) => {
		const offset = (content?.offset ?? 0) + index + place.length - variable.length - '#}}'.length;
		return { offset, length: variable.length, scope, variable, declares: false, plain: false };
	});
}

function edgePlaces({ edges }: AgentGraph, root: Node, text: string): NamePlace[] {
	return edges.flatMap(({ at }) => {
		const edge = valueAt(root, [...graphPath, 'edges', at]);
		const data = propertyOf(edge, 'data');
		const ids = [propertyOf(edge, 'source'), propertyOf(edge, 'target'), ...nodeFields.map(name => propertyOf(data, name))];
		return ids.flatMap(value => (value ? places(value, text, { scope: String(value.value), declares: false }) : []));
	});
}

function declared(value: Node | undefined, scope: string, text: string): NamePlace[] {
	return places(value, text, { scope, variable: String(value?.value), declares: true });
}

function places(value: Node | undefined, text: string, name: Pick<NamePlace, 'scope' | 'declares'> & AgentName): NamePlace[] {
	return value && value.length > 0 && (value.type === 'string' || value.type === 'number') ? [{ ...inner(value, text), ...name }] : [];
}

/** Trims the quotes of a value. A name in a template has none, and follows a mark or a dot. */
function inner({ offset, length }: { offset: number; length: number }, text: string): Pick<NamePlace, 'offset' | 'length' | 'plain'> {
	const quoted = /^["']/.test(text[offset] ?? '');
	const inTemplate = /[#.]/.test(text[offset - 1] ?? '');
	return quoted && length >= 2 ? { offset: offset + 1, length: length - 2, plain: false } : { offset, length, plain: !inTemplate };
}

function itemsAt(root: Node, path: readonly string[]): readonly Node[] {
	const list = valueAt(root, path);
	return list?.type === 'array' ? (list.children ?? []) : [];
}

function propertyOf(map: Node | undefined, name: string): Node | undefined {
	return map && valueAt(map, [name]);
}
