import type { JSONPath, Node } from 'jsonc-parser';
import type { Translate } from '#base/text/localization.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { findProperty, listProperties } from '#base/text/textFaults.ts';
import { type AgentGraph, getOutputHandles, isContainer, readAgentGraph } from '../agentGraph.ts';
import { listScopesBefore, listVariableScopes, type Scope } from '../agentVariables.ts';
import { type AgentSchema, isNodePath } from '../checks/agentSchema.ts';
import { findNodeKind, getNodeRole } from '../nodeKinds/nodeKinds.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import { isSelector } from '../references.ts';
import { formatScalar } from '../scalarText.ts';
import { findNodeAt } from '../yamlTree.ts';
import { type AgentCursor, findAgentCursor } from './agentCursor.ts';
import { formatFieldInsert, formatFieldType } from './fieldText.ts';
import { listNewEdges } from './newEdges.ts';
import { createNodeSnippets } from './nodeSnippets.ts';
import { findNodeAround, findTypedExpression, listTemplateVariables } from './templateVariables.ts';

/** A completion. */
export interface Suggestion {
	readonly label: string;
	/** Replacement text; for snippets, with `$1` and so on. */
	readonly insert: string;
	readonly isSnippet: boolean;
	readonly kind: 'field' | 'value' | 'node' | 'variable' | 'model' | 'newNode';
	readonly detail: string;
	readonly documentation: string;
	/** Additional text to filter by. */
	readonly search: string;
	readonly offset: number;
	readonly length: number;
	/** True if the next completion should open immediately. */
	readonly continues: boolean;
}

/** Completion data that isn't in the file. */
interface SuggestionSources {
	readonly schema: AgentSchema;
	/** Names of known models. */
	readonly models: readonly string[];
	readonly t: Translate;
}

type Part = Pick<Suggestion, 'label' | 'kind'> & Partial<Omit<Suggestion, 'offset' | 'length'>>;

/** Returns the completions at an offset of an agent file, best first. */
export function listAgentSuggestions(reading: AgentReading, offset: number, sources: SuggestionSources): readonly Suggestion[] {
	const expression = findTypedExpression(reading.text, offset);
	if (expression) {
		return listExpressionParts(reading, offset, expression, sources);
	}
	const cursor = findAgentCursor(reading, offset);
	return cursor ? listParts(cursor, sources).map(part => toSuggestion(part, cursor)) : [];
}

function toSuggestion(part: Part, { offset, length }: { offset: number; length: number }): Suggestion {
	return { insert: part.label, isSnippet: false, detail: '', documentation: '', search: '', continues: false, ...part, offset, length };
}

function listParts(cursor: AgentCursor, sources: SuggestionSources): readonly Part[] {
	const { schema, models, t } = sources;
	const { kind, path, root, content, typed } = cursor;
	const getSchemasAt = (place: JSONPath) => schema.getSchemasAt(place, root);
	const graph = readAgentGraph(content);
	const names =
		kind === 'value'
			? []
			: [
					...listNewNodes(cursor, graph, sources),
					...listNewEdges(cursor, graph).map((edge): Part => ({ ...edge, kind: 'newNode', detail: t('new edge') })),
					...getSchemasAt(path).flatMap(form => listFields(form, cursor, t)),
				];
	const values = kind === 'name' ? [] : listValues(cursor, getSchemasAt(path), graph, schema, models);
	// nothing can be completed within other text
	return /\s/.test(typed.trim()) && !values.some(({ label }) => label.startsWith(typed)) ? [] : [...names, ...values];
}

/** Returns snippets of whole nodes at the start of a list item. */
function listNewNodes(
	{ path, root, flow, hasColon }: AgentCursor,
	graph: AgentGraph,
	{ schema, models, t }: SuggestionSources,
): readonly Part[] {
	const given = listProperties(findNodeAt(root, path));
	if (!isNodePath(path) || path.length !== 4 || given.length > 1 || flow || hasColon) {
		return [];
	}
	const ids = new Set(graph.nodes.map(({ id }) => id));
	const findFreeId = (type: string): string => {
		let id = type;
		for (let n = 2; ids.has(id); n++) {
			id = `${type}_${n}`;
		}
		return id;
	};
	const before = graph.nodes.filter(({ at, parent }) => at < Number(path[3]) && !parent).map(({ id }) => id);
	// the outputs of a node with branches are rarely used
	const scope = listVariableScopes(graph, type => schema.isNodeType(type)).findLast(
		({ id, variables, node }) => before.includes(id) && variables.length > 0 && !findNodeKind(node?.type ?? '')?.branches,
	);
	const [variable] = scope?.variables ?? [];
	const value = scope && variable ? ([scope.id, variable.name] as const) : (['sys', 'user_id'] as const);
	const hasStart = graph.nodes.some(({ type }) => type === 'start');
	return createNodeSnippets({ value, model: models[0] ?? 'offline' }, findFreeId)
		.filter(({ type }) => type !== 'start' || !hasStart)
		.map(
			({ type, text }): Part => ({
				label: `${type}…`,
				kind: 'newNode',
				insert: text,
				isSnippet: true,
				detail: t('new node'),
				documentation: schema.types.get(type) ?? '',
				search: type,
			}),
		);
}

/** Fields that Dify's canvas writes and users never type. */
const canvasFields = new Set(['selected', 'isInIteration', 'iteration_id', 'isInLoop', 'loop_id']);

/** Returns the missing fields of an object, required ones first. */
function listFields(schema: JsonSchema, { path, root, hasColon, flow }: AgentCursor, t: Translate): readonly Part[] {
	const holder = findNodeAt(root, path);
	const given = holder?.type === 'object' ? listProperties(holder).map(({ name }) => name) : [];
	const needed = schema.required ?? [];
	return Object.entries(schema.properties ?? {})
		.filter(([name]) => !given.includes(name) && !canvasFields.has(name))
		.map(
			([name, field]): Part => ({
				label: name,
				kind: 'field',
				...(hasColon ? {} : formatFieldInsert(name, field, flow)),
				detail: [formatFieldType(field), ...(needed.includes(name) ? [t('required')] : [])].filter(Boolean).join(', '),
				documentation: field.description ?? '',
			}),
		)
		.toSorted((a, b) => Number(needed.includes(b.label)) - Number(needed.includes(a.label)));
}

function listValues(
	cursor: AgentCursor,
	forms: readonly JsonSchema[],
	graph: AgentGraph,
	schema: AgentSchema,
	models: readonly string[],
): readonly Part[] {
	const { path, quoted } = cursor;
	const formatValueText = (value: string) => (quoted ? JSON.stringify(value) : formatScalar(value));
	const createValuePart = (label: string, documentation = ''): Part => ({
		label,
		kind: 'value',
		insert: formatValueText(label),
		documentation,
	});
	if (isNodePath(path) && path.length === 6 && path[4] === 'data' && path[5] === 'type') {
		return [...schema.types].map(([type, words]) => createValuePart(type, words));
	}
	const selector = listSelectorValues(cursor, graph, schema);
	const parts = forms.flatMap(form => [
		...[...(form.enum ?? []), ...(form.known ?? [])].map(each => createValuePart(each)),
		...(form.examples ?? []).map(
			(each): Part => ({
				...createValuePart(each),
				insert: quoted ? JSON.stringify(each) : /^"|^(true|false)$/.test(each) ? each : formatScalar(each),
			}),
		),
		...([form.type].flat().includes('boolean') ? ['true', 'false'].map((each): Part => ({ label: each, kind: 'value' })) : []),
		...(form.refers === 'model' ? models.map((name): Part => ({ label: name, kind: 'model', insert: formatValueText(name) })) : []),
		...listNodes(form.refers, cursor, graph).map(part => ({ ...part, insert: formatValueText(part.label) })),
	]);
	return [...selector, ...parts].filter((part, at, all) => all.findIndex(({ label }) => label === part.label) === at);
}

function listNodes(refers: JsonSchema['refers'], { path, root }: AgentCursor, graph: AgentGraph): readonly Part[] {
	const createNodePart = ({ id, title, type }: AgentGraph['nodes'][number]): Part => ({
		label: id,
		kind: 'node',
		detail: [title === id ? '' : title, type].filter(Boolean).join(' · '),
		search: title,
	});
	const own = isNodePath(path) ? graph.nodes.find(({ at }) => at === path[3])?.id : undefined;
	switch (refers) {
		case 'node':
			return graph.nodes.filter(({ id }) => !id.includes('cursor__here')).map(createNodePart);
		case 'container':
			return graph.nodes.filter(({ type, id }) => isContainer(type) && id !== own).map(createNodePart);
		case 'inner':
			return graph.nodes.filter(({ parent, type }) => parent === own && getNodeRole(type) === 'inner-start').map(createNodePart);
		case 'handle': {
			const source = String(findProperty(findNodeAt(root, path.slice(0, -1)), 'source')?.value ?? '');
			const from = graph.nodes.find(({ id }) => id === source);
			return (from ? getOutputHandles(from) : ['source']).map(label => ({ label, kind: 'value' }));
		}
		default:
			return [];
	}
}

/** Returns variables for a selector: the whole selector, its first part, or its second part. */
function listSelectorValues(cursor: AgentCursor, graph: AgentGraph, schema: AgentSchema): readonly Part[] {
	const { path, root, quoted } = cursor;
	const isReference = (place: JSONPath) =>
		schema.getSchemasAt(place, root).some(form => form.refers === 'variable') && !isConstant(place, root);
	const listScopes = () => listReachableScopes(graph, path, schema);
	if (isReference(path) && !quoted) {
		return listScopes().flatMap(scope =>
			scope.variables.map(
				({ name, type, description = '' }): Part => ({
					label: `[${scope.id}, ${name}]`,
					kind: 'variable',
					insert: `[${formatScalar(scope.id, true)}, ${formatScalar(name, true)}]`,
					detail: [scope.node?.title === scope.id ? '' : scope.node?.title, type].filter(Boolean).join(' · '),
					documentation: description,
					search: `${scope.id} ${name} ${scope.node?.title ?? ''}`,
				}),
			),
		);
	}
	const at = path.at(-1);
	const list = path.slice(0, -1);
	if (typeof at !== 'number' || at > 1 || !isReference(list)) {
		return [];
	}
	const formatPart = (part: string) => (quoted ? JSON.stringify(part) : formatScalar(part, true));
	if (at === 0) {
		return listScopes()
			.filter(({ variables, open }) => variables.length > 0 || open)
			.map(
				({ id, node }): Part => ({
					label: id,
					kind: 'node',
					insert: formatPart(id),
					detail: node ? `${node.title} · ${node.type}` : '',
					search: node?.title ?? '',
				}),
			);
	}
	const id = String(findNodeAt(root, [...list, 0])?.value ?? '');
	const scope = listVariableScopes(graph, type => schema.isNodeType(type)).find(each => each.id === id);
	return (scope?.variables ?? []).map(
		({ name, type, description = '' }): Part => ({
			label: name,
			kind: 'variable',
			insert: formatPart(name),
			detail: type,
			documentation: description,
		}),
	);
}

/** True if a value in a node is declared as a constant. A value without a declared kind may still become a variable. */
function isConstant(place: JSONPath, root: Node | undefined): boolean {
	const holder = place.slice(0, -1);
	const getSibling = (name: string) => findProperty(findNodeAt(root, holder), name)?.value ?? 'variable';
	return isNodePath(place) && place[4] === 'data' && !isSelector(place.slice(5), getSibling);
}

/** Returns variables for an expression: those of the node's Jinja template, or else references, which are the only other expressions. */
function listExpressionParts(
	reading: AgentReading,
	offset: number,
	{ start, typed }: NonNullable<ReturnType<typeof findTypedExpression>>,
	sources: SuggestionSources,
): readonly Suggestion[] {
	const variables = start === '#' ? undefined : listTemplateVariables(reading, offset);
	const replaced = variables || start === '#' ? typed : `${start}${typed}`;
	const rest = (variables ? /^\w*([ \t]*-?\}\})?/ : /^[\w.]*(#?\}{0,2})/).exec(reading.text.slice(offset))?.[0] ?? '';
	const place = { offset: offset - replaced.length, length: replaced.length + rest.length };
	const parts = variables
		? variables.map(({ name, selector }): Part => ({ label: name, kind: 'variable', insert: `${name} }}`, detail: selector }))
		: listReferenceValues(reading, offset, sources).map(part => (start === '#' ? part : { ...part, insert: `#${part.insert}` }));
	return parts.map(part => toSuggestion(part, place));
}

/** Returns variables for a reference in a string: `{{#node.variable#}}`. */
function listReferenceValues(reading: AgentReading, offset: number, { schema }: SuggestionSources): readonly Part[] {
	const graph = readAgentGraph(reading.content);
	const scopes = listScopesBefore(graph, findNodeAround(reading, graph, offset), type => schema.isNodeType(type));
	return scopes.flatMap(scope =>
		scope.variables.map(
			({ name, type, description = '' }): Part => ({
				label: `${scope.id}.${name}`,
				kind: 'variable',
				insert: `${scope.id}.${name}#}}`,
				detail: [scope.node?.title === scope.id ? '' : scope.node?.title, type].filter(Boolean).join(' · '),
				documentation: description,
				search: scope.node?.title ?? '',
			}),
		),
	);
}

/** Returns the variables that can be referenced at a path: within a node, those available before it; elsewhere, all. */
function listReachableScopes(graph: AgentGraph, path: JSONPath, schema: AgentSchema): readonly Scope[] {
	const own = isNodePath(path) ? graph.nodes.find(({ at }) => at === path[3]) : undefined;
	return listScopesBefore(graph, own, type => schema.isNodeType(type));
}
