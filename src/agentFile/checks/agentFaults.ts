import type { JSONPath, Node } from 'jsonc-parser';
import { getField, getFieldText } from '#base/records/plainValues.ts';
import { createLimitedNameFinder, type findClosestNames } from '#base/text/closestNames.ts';
import { translateMessage } from '#base/text/localizableMessage.ts';
import { limitValues, type Translate } from '#base/text/localization.ts';
import { checkSchema, type JsonSchema } from '#base/text/schemaCheck.ts';
import { findProperty, formatJsonPath, getValueRange, listProperties, type TextFault, type TextFaultCode } from '#base/text/textFaults.ts';
import type { EventLoopYield } from '#base/timing/eventLoopYield.ts';
import { findReachableNodes, type GraphNode, graphPath, readAgentGraph } from '../agentGraph.ts';
import { getMainPart } from '../appModes.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import { referencePattern } from '../references.ts';
import { findNodeAt } from '../yamlTree.ts';
import type { AgentSchema } from './agentSchema.ts';
import { CleanItems } from './cleanItems.ts';
import { findGraphFaults } from './graphFaults.ts';
import { findHostedFaults } from './hostedFaults.ts';

/** A problem in an agent file, with its position in the text. */
export interface AgentDiagnostic extends Omit<TextFault, 'code'> {
	readonly code: TextFaultCode | 'graph' | 'reference';
}

/**
 * Finds problems in an agent file: violations of the schema, and mistakes in its graph and references. Problems that make the engine reject
 * the file are errors. Problems that only fail during a run, or that are in unreachable nodes, are warnings. `clean` contains the results
 * of earlier checks with the same schema.
 */
export function findAgentFaults(reading: AgentReading, schema: AgentSchema, t: Translate, clean = new CleanItems()): AgentDiagnostic[] {
	const steps = findFaults(reading, schema, limitValues(t), clean);
	for (let step = steps.next(); ; step = steps.next()) {
		if (step.done) {
			return step.value;
		}
	}
}

/** Like {@link findAgentFaults}, but gives other work a turn in between, because checking a large file takes a noticeable time. */
export async function findFaultsInSlices(
	reading: AgentReading,
	schema: AgentSchema,
	{ t, clean, yielder }: { readonly t: Translate; readonly clean: CleanItems; readonly yielder: EventLoopYield },
): Promise<AgentDiagnostic[]> {
	const steps = findFaults(reading, schema, limitValues(t), clean);
	for (let step = steps.next(); ; step = steps.next()) {
		if (step.done) {
			return step.value;
		}
		if (yielder.isDue) {
			await yielder.yieldTurn();
		}
	}
}

/** Yields after each item of the graph. */
function* findFaults(reading: AgentReading, schema: AgentSchema, t: Translate, clean: CleanItems): Generator<void, AgentDiagnostic[]> {
	const { text, root, content, error } = reading;
	if (error) {
		const { offset, length } = error;
		const message = translateMessage(error.localizable, t);
		return [
			{
				code: 'syntax',
				severity: 'error',
				path: [],
				offset,
				length,
				message: error.kind === 'size' ? message : t('Invalid YAML: {0}', message),
			},
		];
	}
	if (root?.type !== 'object') {
		return [];
	}
	const suggest = createLimitedNameFinder();
	const graph = readAgentGraph(content);
	const reached = findReachableNodes(graph);
	const items = clean.listUnchecked(root, content);
	const required = [...(schema.frame.required ?? []), getMainPart(getFieldText(getField(content, 'app'), 'mode'))];
	const faults = [...checkSchema(root, { ...schema.frame, required }, schema.file, t), ...findUnknownFields(root, [], schema, t, suggest)];
	for (const { list, at, node } of items) {
		const path = [...graphPath, list, at];
		faults.push(
			...checkSchema(node, schema.getItemSchema(list), schema.file, t, path),
			...findUnknownFields(node, path, schema, t, suggest),
		);
		yield;
	}
	const reported = new Set(faults.map(({ path }) => formatJsonPath(path)));
	const byPlace = new Map(graph.nodes.map(node => [node.at, node]));
	for (const { list, at, node: item } of items) {
		const node = list === 'nodes' ? byPlace.get(at) : undefined;
		const data = node && findProperty(item, 'data');
		if (data?.type !== 'object') {
			continue;
		}
		const { id, type } = node as GraphNode;
		const path = [...graphPath, 'nodes', at];
		const own = { ...schema.getDataSchema(type), required: schema.getDataSchema(type).required?.filter(name => name !== 'type') ?? [] };
		const inside = [
			...checkNodeType(data, type, schema, t, suggest),
			...checkSchema(data, own, schema.file, t, ['data']),
			...findUnknownFields(data, [...path, 'data'], schema, t, suggest),
			...findLookalikes(data, [...path, 'data'], text, t),
		];
		// skip problems already reported by the file's schema
		for (const fault of inside.filter(({ path: [, ...inner] }) => !reported.has(formatJsonPath([...path, 'data', ...inner])))) {
			const whole = fault.path[0] === 'data' ? [...path, ...fault.path] : fault.path;
			const severity = reached.has(id) ? fault.severity : 'warning';
			faults.push({ ...fault, path: whole, severity, message: t("Node '{0}': {1}", id, fault.message) });
			reported.add(formatJsonPath(whole));
		}
		yield;
	}
	clean.recordChecked(items, faults);
	return [...faults, ...findGraphFaults(graph, { root, text, content }, schema, t, clean, suggest), ...findHostedFaults(reading, t)]
		.map(fault => explainFault(fault, { root, text, schema }, t))
		.sort((a, b) => a.offset - b.offset);
}

/** Explains a wrong type if the reason isn't obvious, and suggests the right value. */
function explainFault(
	fault: AgentDiagnostic,
	{ root, text, schema }: { readonly root: Node; readonly text: string; readonly schema: AgentSchema },
	t: Translate,
): AgentDiagnostic {
	if (
		fault.code === 'missing-field' &&
		formatJsonPath(fault.path) === 'app' &&
		/^app:/m.test(String(findProperty(root, 'data')?.value ?? ''))
	) {
		const message = t(
			"'app' is missing. This looks like a response from Dify's API. Save the text of its 'data' field as the file instead.",
		);
		return { ...fault, message };
	}
	const value = fault.code === 'wrong-type' ? findNodeAt(root, fault.path) : undefined;
	const isStringField = () => schema.getSchemasAt(fault.path, root).some(({ type }) => [type].flat().includes('string'));
	if (!value || (value.type !== 'boolean' && value.type !== 'number') || !isStringField()) {
		return fault;
	}
	const source = text.slice(value.offset, value.offset + value.length);
	const message =
		value.type === 'boolean'
			? t(
					"'{1}' in '{0}' means {2} in YAML. Put it in quotes, or use another value.",
					formatJsonPath(fault.path),
					source,
					String(value.value),
				)
			: t("'{1}' in '{0}' is a number in YAML. Put it in quotes.", formatJsonPath(fault.path), source);
	return { ...fault, message, suggestions: [source] };
}

/** Finds strings that look like references but aren't, because of a character that IDs and names can't have. */
function findLookalikes(value: Node, path: JSONPath, text: string, t: Translate): AgentDiagnostic[] {
	if (value.type !== 'string') {
		return (value.type === 'property' ? (value.children ?? []).slice(1) : (value.children ?? [])).flatMap((inner, at) => {
			const key = inner.type === 'property' ? String(inner.children?.[0]?.value ?? '') : at;
			return findLookalikes(inner, value.type === 'property' ? path : [...path, key], text, t);
		});
	}
	const raw = text.slice(value.offset, value.offset + value.length);
	return [...raw.matchAll(/\{\{#[\w-]{1,100}(?:\.[\w-]{1,100}){1,10}#\}\}/g)]
		.filter(([reference]) => reference.search(referencePattern) < 0)
		.map(({ 0: reference, index }) => ({
			code: 'reference',
			severity: 'warning',
			path,
			offset: value.offset + index,
			length: reference.length,
			message: t(
				"'{0}' isn't a reference and stays plain text. IDs and names can contain only letters, digits and underscores.",
				reference,
			),
		}));
}

/** Fields that Dify writes but the schema lacks, because nothing here reads them. */
const writtenByDify = new Set(['reranking_model', 'single_retrieval_config', 'configs', 'config']);

function checkNodeType(data: Node, type: string, schema: AgentSchema, t: Translate, suggest: typeof findClosestNames): AgentDiagnostic[] {
	const node = findProperty(data, 'type');
	if (node?.type !== 'string' || type === '' || schema.isNodeType(type)) {
		return [];
	}
	const names = [...schema.types.keys()];
	const message = t("Unknown node type '{0}'. Runs will fail at this node.", type);
	return [
		{
			code: 'wrong-value',
			severity: 'warning',
			path: ['data', 'type'],
			...getValueRange(node),
			message,
			suggestions: suggest(type, names),
		},
	];
}

/** Finds fields that look misspelled. Other unknown fields are fine: the format has many that nothing here reads. */
function findUnknownFields(
	node: Node,
	path: JSONPath,
	schema: AgentSchema,
	t: Translate,
	suggest: typeof findClosestNames,
): AgentDiagnostic[] {
	const found: AgentDiagnostic[] = [];
	const visitValue = (value: Node, at: JSONPath, forms: readonly JsonSchema[]): void => {
		if (value.type === 'array' && !(path.length === 0 && isGraphListPath(at))) {
			const inner = schema.getInnerSchemas(forms, 0);
			for (const [index, item] of (value.children ?? []).entries()) {
				visitValue(item, [...at, index], inner);
			}
			return;
		}
		const properties = listProperties(value);
		const names = forms.some(({ additionalProperties }) => additionalProperties)
			? []
			: forms.flatMap(form => Object.keys(form.properties ?? {}));
		const free = names.filter(name => !properties.some(property => property.name === name));
		for (const { name, nameNode, value: inner } of properties) {
			const meant = names.length === 0 || names.includes(name) || writtenByDify.has(name) ? [] : suggest(name, free);
			if (meant[0]) {
				const message = t("Unknown field '{0}'. Did you mean '{1}'?", name, meant[0]);
				found.push({
					code: 'unknown-field',
					severity: 'warning',
					path: [...at, name],
					...getValueRange(nameNode),
					message,
					suggestions: meant,
				});
			} else if (inner && names.includes(name) && !(path.length < 5 && isNodeDataPath([...at, name]))) {
				visitValue(inner, [...at, name], schema.getInnerSchemas(forms, name));
			}
		}
	};
	visitValue(node, path, schema.getSchemasAt(path, getTreeRoot(node)));
	return found;
}

/** True if a path leads to one of the graph's lists, whose items are checked one by one. */
function isGraphListPath(path: JSONPath): boolean {
	return path.length === 3 && path[0] === 'workflow' && path[1] === 'graph' && (path[2] === 'nodes' || path[2] === 'edges');
}

/** True if a path leads to a node's `data`, which is checked by node type. */
function isNodeDataPath(path: JSONPath): boolean {
	return path.length === 5 && path[2] === 'nodes' && path[4] === 'data';
}

function getTreeRoot(node: Node): Node {
	return node.parent ? getTreeRoot(node.parent) : node;
}
