import type { JSONPath, Node } from 'jsonc-parser';
import type { Translate } from '#base/text/localization.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { propertiesOf, propertyOf } from '#base/text/textFaults.ts';
import { type AgentGraph, agentGraph, graphPath, handlesOf, isContainer } from '../agentGraph.ts';
import { type Scope, scopesBefore, scopesOf } from '../agentVariables.ts';
import { type AgentSchema, isNodePath } from '../checks/agentSchema.ts';
import { roleOf } from '../nodeKinds/nodeKinds.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import { isSelector } from '../references.ts';
import { scalarText } from '../scalarText.ts';
import { valueAt } from '../yamlTree.ts';
import { type AgentCursor, agentCursor } from './agentCursor.ts';
import { nodeSnippets } from './nodeSnippets.ts';

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
	readonly goesOn: boolean;
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
export function agentSuggestions(reading: AgentReading, offset: number, sources: SuggestionSources): readonly Suggestion[] {
	const { text } = reading;
	const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
	const reference = /\{\{#([\w.]*)$/.exec(text.slice(lineStart, offset));
	if (reference) {
		const typed = reference[1] ?? '';
		const rest = /^[\w.]*(#?\}{0,2})/.exec(text.slice(offset)) ?? [''];
		const place = { offset: offset - typed.length, length: typed.length + rest[0].length };
		return referenceParts(reading, offset, sources).map(part => whole(part, place));
	}
	const cursor = agentCursor(reading, offset);
	return cursor ? partsAt(cursor, sources).map(part => whole(part, cursor)) : [];
}

function whole(part: Part, { offset, length }: { offset: number; length: number }): Suggestion {
	return { insert: part.label, isSnippet: false, detail: '', documentation: '', search: '', goesOn: false, ...part, offset, length };
}

function partsAt(cursor: AgentCursor, sources: SuggestionSources): readonly Part[] {
	const { schema, models, t } = sources;
	const { kind, path, root, content, typed } = cursor;
	const at = (place: JSONPath) => schema.at(place, root);
	const graph = agentGraph(content);
	const names = kind === 'value' ? [] : [...newNodeParts(cursor, graph, sources), ...at(path).flatMap(form => fieldParts(form, cursor, t))];
	const values = kind === 'name' ? [] : valueParts(cursor, at(path), graph, schema, models);
	// within other text there's nothing to complete
	return /\s/.test(typed.trim()) && !values.some(({ label }) => label.startsWith(typed)) ? [] : [...names, ...values];
}

/** Returns snippets of whole nodes at the start of a list item. */
function newNodeParts(
	{ path, root, flow, hasColon }: AgentCursor,
	graph: AgentGraph,
	{ schema, models, t }: SuggestionSources,
): readonly Part[] {
	const given = propertiesOf(valueAt(root, path));
	if (!isNodePath(path) || path.length !== 4 || given.length > 1 || flow || hasColon) {
		return [];
	}
	const ids = new Set(graph.nodes.map(({ id }) => id));
	const freeId = (type: string): string => {
		let id = type;
		for (let n = 2; ids.has(id); n++) {
			id = `${type}_${n}`;
		}
		return id;
	};
	const before = graph.nodes.filter(({ at, parent }) => at < Number(path[3]) && !parent).map(({ id }) => id);
	const scope = scopesOf(graph, type => schema.isType(type)).findLast(({ id, variables }) => before.includes(id) && variables.length > 0);
	const [variable] = scope?.variables ?? [];
	const value = scope && variable ? ([scope.id, variable.name] as const) : (['sys', 'user_id'] as const);
	return nodeSnippets({ value, model: models[0] ?? 'offline' }, freeId).map(
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

/** Returns the missing fields of an object, required ones first. */
function fieldParts(schema: JsonSchema, { path, root, hasColon, flow }: AgentCursor, t: Translate): readonly Part[] {
	const holder = valueAt(root, path);
	const given = holder?.type === 'object' ? propertiesOf(holder).map(({ name }) => name) : [];
	const needed = schema.required ?? [];
	return Object.entries(schema.properties ?? {})
		.filter(([name]) => !given.includes(name))
		.map(
			([name, field]): Part => ({
				label: name,
				kind: 'field',
				...(hasColon ? {} : fieldText(name, field, flow)),
				detail: [typeText(field), ...(needed.includes(name) ? [t('required')] : [])].filter(Boolean).join(', '),
				documentation: field.description ?? '',
			}),
		)
		.toSorted((a, b) => Number(needed.includes(b.label)) - Number(needed.includes(a.label)));
}

function fieldText(name: string, field: JsonSchema, flow: boolean): Pick<Suggestion, 'insert' | 'isSnippet' | 'goesOn'> {
	const [type] = [field.type].flat();
	const isChoice = Boolean(
		field.enum || field.known || field.examples || field.refers || type === 'boolean' || (name === 'type' && type === 'string'),
	);
	if (!flow && !field.refers && (type === 'object' || (type === 'array' && !field.items?.refers))) {
		return { insert: `${name}:\n\t${type === 'array' ? '- ' : ''}$0`, isSnippet: true, goesOn: true };
	}
	return { insert: `${name}: `, isSnippet: false, goesOn: isChoice };
}

function valueParts(
	cursor: AgentCursor,
	forms: readonly JsonSchema[],
	graph: AgentGraph,
	schema: AgentSchema,
	models: readonly string[],
): readonly Part[] {
	const { path, quoted } = cursor;
	const text = (value: string) => (quoted ? JSON.stringify(value) : scalarText(value));
	const value = (label: string, documentation = ''): Part => ({ label, kind: 'value', insert: text(label), documentation });
	if (isNodePath(path) && path.length === 6 && path[4] === 'data' && path[5] === 'type') {
		return [...schema.types].map(([type, words]) => value(type, words));
	}
	const selector = selectorParts(cursor, graph, schema);
	const parts = forms.flatMap(form => [
		...[...(form.enum ?? []), ...(form.known ?? [])].map(each => value(each)),
		...(form.examples ?? []).map(
			(each): Part => ({
				...value(each),
				insert: quoted ? JSON.stringify(each) : /^"|^(true|false)$/.test(each) ? each : scalarText(each),
			}),
		),
		...([form.type].flat().includes('boolean') ? ['true', 'false'].map((each): Part => ({ label: each, kind: 'value' })) : []),
		...(form.refers === 'model' ? models.map((name): Part => ({ label: name, kind: 'model', insert: text(name) })) : []),
		...nodeParts(form.refers, cursor, graph).map(part => ({ ...part, insert: text(part.label) })),
	]);
	return [...selector, ...parts].filter((part, at, all) => all.findIndex(({ label }) => label === part.label) === at);
}

function nodeParts(refers: JsonSchema['refers'], { path, root }: AgentCursor, graph: AgentGraph): readonly Part[] {
	const part = ({ id, title, type }: AgentGraph['nodes'][number]): Part => ({
		label: id,
		kind: 'node',
		detail: [title === id ? '' : title, type].filter(Boolean).join(' · '),
		search: title,
	});
	const own = isNodePath(path) ? graph.nodes.find(({ at }) => at === path[3])?.id : undefined;
	switch (refers) {
		case 'node':
			return graph.nodes.filter(({ id }) => !id.includes('cursor__here')).map(part);
		case 'container':
			return graph.nodes.filter(({ type, id }) => isContainer(type) && id !== own).map(part);
		case 'inner':
			return graph.nodes.filter(({ parent, type }) => parent === own && roleOf(type) === 'inner-start').map(part);
		case 'handle': {
			const source = String(propertyOf(valueAt(root, path.slice(0, -1)), 'source')?.value ?? '');
			const from = graph.nodes.find(({ id }) => id === source);
			return (from ? handlesOf(from) : ['source']).map(label => ({ label, kind: 'value' }));
		}
		default:
			return [];
	}
}

/** Returns variables for a selector: the whole selector, its first part, or its second part. */
function selectorParts(cursor: AgentCursor, graph: AgentGraph, schema: AgentSchema): readonly Part[] {
	const { path, root, quoted } = cursor;
	const refers = (place: JSONPath) => schema.at(place, root).some(form => form.refers === 'variable') && !isConstant(place, root);
	const scopes = () => reachableScopes(graph, path, schema);
	if (refers(path) && !quoted) {
		return scopes().flatMap(scope =>
			scope.variables.map(
				({ name, type, description = '' }): Part => ({
					label: `[${scope.id}, ${name}]`,
					kind: 'variable',
					insert: `[${scalarText(scope.id, true)}, ${scalarText(name, true)}]`,
					detail: [scope.node?.title === scope.id ? '' : scope.node?.title, type].filter(Boolean).join(' · '),
					documentation: description,
					search: `${scope.id} ${name} ${scope.node?.title ?? ''}`,
				}),
			),
		);
	}
	const at = path.at(-1);
	const list = path.slice(0, -1);
	if (typeof at !== 'number' || at > 1 || !refers(list)) {
		return [];
	}
	const text = (value: string) => (quoted ? JSON.stringify(value) : scalarText(value, true));
	if (at === 0) {
		return scopes()
			.filter(({ variables, open }) => variables.length > 0 || open)
			.map(
				({ id, node }): Part => ({
					label: id,
					kind: 'node',
					insert: text(id),
					detail: node ? `${node.title} · ${node.type}` : '',
					search: node?.title ?? '',
				}),
			);
	}
	const id = String(valueAt(root, [...list, 0])?.value ?? '');
	const scope = scopesOf(graph, type => schema.isType(type)).find(each => each.id === id);
	return (scope?.variables ?? []).map(
		({ name, type, description = '' }): Part => ({
			label: name,
			kind: 'variable',
			insert: text(name),
			detail: type,
			documentation: description,
		}),
	);
}

/** True if a value in a node is declared as a constant. Without a declared kind, it may still become a variable. */
function isConstant(place: JSONPath, root: Node | undefined): boolean {
	const holder = place.slice(0, -1);
	const siblingOf = (name: string) => propertyOf(valueAt(root, holder), name)?.value ?? 'variable';
	return isNodePath(place) && place[4] === 'data' && !isSelector(place.slice(5), siblingOf);
}

/** Returns variables for a reference in a string: `{{#node.variable#}}`. */
function referenceParts({ root, content }: AgentReading, offset: number, { schema }: SuggestionSources): readonly Part[] {
	const graph = agentGraph(content);
	const inside = graph.nodes.find(({ at }) => {
		const node = valueAt(root, [...graphPath, 'nodes', at]);
		return node && offset > node.offset && offset <= node.offset + node.length;
	});
	const path: JSONPath = inside ? [...graphPath, 'nodes', inside.at, 'data'] : [];
	return reachableScopes(graph, path, schema).flatMap(scope =>
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

/** Returns the variables that can be referenced at a path: in a node those before it, else all. */
function reachableScopes(graph: AgentGraph, path: JSONPath, schema: AgentSchema): readonly Scope[] {
	const own = isNodePath(path) ? graph.nodes.find(({ at }) => at === path[3]) : undefined;
	return scopesBefore(graph, own, type => schema.isType(type));
}

function typeText({ type, numeric, enum: values }: JsonSchema): string {
	return values
		? ''
		: (numeric ??
				[type]
					.flat()
					.filter(each => each && each !== 'null')
					.join(' | '));
}
