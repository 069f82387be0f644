import type { JSONPath, Node } from 'jsonc-parser';
import { mainPart } from '../../agentFile/agentFileSchema.ts';
import { agentGraph, type GraphNode, graphPath, reachedNodes } from '../../agentFile/agentGraph.ts';
import { fieldOf, textOf } from '../../agentFile/plainValues.ts';
import type { AgentReading } from '../../agentFile/reading/agentReading.ts';
import { checkSchema, type JsonSchema } from '../../textChecks/schemaCheck.ts';
import { closest } from '../../textChecks/similar.ts';
import {
	pathText,
	placeOf,
	propertiesOf,
	propertyOf,
	type TextFault,
	type TextFaultCode,
	type Translate,
} from '../../textChecks/textFaults.ts';
import type { AgentSchema } from './agentSchema.ts';
import { CleanItems } from './cleanItems.ts';
import { graphFaults } from './graphFaults.ts';

/** One fault of an agent file, with its place in the text. */
export interface AgentFault extends Omit<TextFault, 'code'> {
	readonly code: TextFaultCode | 'graph' | 'reference';
}

/**
 * What is wrong with an agent file, as far as its text tells: its form, then its graph and its references. Errors are what the engine
 * refuses; what it loads and then trips over, or never comes to, is a warning. `clean`: what was checked before, by the same schema.
 */
export function agentFaults(
	{ text, root, content, error }: AgentReading,
	schema: AgentSchema,
	t: Translate,
	clean = new CleanItems(),
): AgentFault[] {
	if (error) {
		const { offset, length, message } = error;
		return [
			{
				code: 'syntax',
				severity: 'error',
				path: [],
				offset,
				length,
				message: error.kind === 'size' ? t('Not read: the file {0}', message) : t('Not YAML: {0}', message),
			},
		];
	}
	if (root?.type !== 'object') {
		return [];
	}
	const graph = agentGraph(content);
	const reached = reachedNodes(graph);
	const items = clean.unknown(root, content);
	const required = [...(schema.frame.required ?? []), mainPart(textOf(fieldOf(content, 'app'), 'mode'))];
	const faults: AgentFault[] = [
		...checkSchema(root, { ...schema.frame, required }, schema.file, t),
		...items.flatMap(({ list, at, node }) => checkSchema(node, schema.item(list), schema.file, t, [...graphPath, list, at])),
		...unknownFields(root, [], schema, t),
		...items.flatMap(({ list, at, node }) => unknownFields(node, [...graphPath, list, at], schema, t)),
	];
	const byPlace = new Map(graph.nodes.map(node => [node.at, node]));
	for (const { list, at, node: item } of items) {
		const node = list === 'nodes' ? byPlace.get(at) : undefined;
		const data = node && propertyOf(item, 'data');
		if (data?.type !== 'object') {
			continue;
		}
		const { id, type } = node as GraphNode;
		const path = [...graphPath, 'nodes', at];
		const own = { ...schema.data(type), required: schema.data(type).required?.filter(name => name !== 'type') ?? [] };
		const inside = [
			...typeFaults(data, type, schema, t),
			...checkSchema(data, own, schema.file, t, ['data']),
			...unknownFields(data, [...path, 'data'], schema, t),
		];
		// told by the schema of the file already
		for (const fault of inside.filter(
			({ path: [, ...inner] }) => !faults.some(each => pathText(each.path) === pathText([...path, 'data', ...inner])),
		)) {
			const whole = fault.path[0] === 'data' ? [...path, ...fault.path] : fault.path;
			const severity = reached.has(id) ? fault.severity : 'warning';
			faults.push({ ...fault, path: whole, severity, message: t('Node “{0}”: {1}', id, fault.message) });
		}
	}
	clean.take(items, faults);
	faults.push(...graphFaults(graph, { root, text, content }, schema, t, clean));
	return faults.sort((a, b) => a.offset - b.offset);
}

function typeFaults(data: Node, type: string, schema: AgentSchema, t: Translate): AgentFault[] {
	const node = propertyOf(data, 'type');
	if (node?.type !== 'string' || type === '' || schema.isType(type)) {
		return [];
	}
	const names = [...schema.types.keys()];
	const message = t('“{0}” is no type of node that is known: a run fails when it comes to it', type);
	return [
		{ code: 'wrong-value', severity: 'warning', path: ['data', 'type'], ...placeOf(node), message, suggestions: closest(type, names) },
	];
}

/** Fields that look like a misspelt one. The format has many that nothing here reads, so that others are no fault. */
function unknownFields(node: Node, path: JSONPath, schema: AgentSchema, t: Translate): AgentFault[] {
	const found: AgentFault[] = [];
	const visit = (value: Node, at: JSONPath, forms: readonly JsonSchema[]): void => {
		if (value.type === 'array' && !(path.length === 0 && isList(at))) {
			const inner = schema.within(forms, 0);
			for (const [index, item] of (value.children ?? []).entries()) {
				visit(item, [...at, index], inner);
			}
			return;
		}
		const properties = propertiesOf(value);
		const names = forms.some(({ additionalProperties }) => additionalProperties)
			? []
			: forms.flatMap(form => Object.keys(form.properties ?? {}));
		const free = names.filter(name => !properties.some(property => property.name === name));
		for (const { name, nameNode, value: inner } of properties) {
			const meant = names.length === 0 || names.includes(name) ? [] : closest(name, free);
			if (meant[0]) {
				const message = t('“{0}” is no field that is known here: “{1}” may be meant', name, meant[0]);
				found.push({ code: 'unknown-field', severity: 'warning', path: [...at, name], ...placeOf(nameNode), message, suggestions: meant });
			} else if (inner && names.includes(name) && !(path.length < 5 && isData([...at, name]))) {
				visit(inner, [...at, name], schema.within(forms, name));
			}
		}
	};
	visit(node, path, schema.at(path, rootOf(node)));
	return found;
}

/** Whether a path is that of a list of the graph, whose items are looked at one by one. */
function isList(path: JSONPath): boolean {
	return path.length === 3 && path[0] === 'workflow' && path[1] === 'graph' && (path[2] === 'nodes' || path[2] === 'edges');
}

/** Whether a path is that of a node's `data`, which is looked at with its type. */
function isData(path: JSONPath): boolean {
	return path.length === 5 && path[2] === 'nodes' && path[4] === 'data';
}

function rootOf(node: Node): Node {
	return node.parent ? rootOf(node.parent) : node;
}
