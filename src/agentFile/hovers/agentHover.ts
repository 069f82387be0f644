import type { JSONPath, Node } from 'jsonc-parser';
import type { Translate } from '#base/text/localization.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { listProperties } from '#base/text/textFaults.ts';
import { graphPath, readAgentGraph } from '../agentGraph.ts';
import { listVariableScopes, type Scope } from '../agentVariables.ts';
import { type AgentSchema, isNodePath } from '../checks/agentSchema.ts';
import { findReferences } from '../names/referencesIn.ts';
import { getNodeTypeTitle } from '../nodeKinds/typeTitles.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import { findNodeAt } from '../yamlTree.ts';

/** The hover of a word in an agent file. */
interface AgentHover {
	/** Heading of the hover. */
	readonly name: string;
	/** Short attributes such as the type. */
	readonly facts: readonly string[];
	/** Plain text sentences. */
	readonly lines: readonly string[];
	/** For a reference: node ID (or `sys`, `env`, `conversation`), variable, and keys. */
	readonly selector?: readonly string[];
	readonly offset: number;
	readonly length: number;
}

/** Returns the hover at an offset: for a reference, a node ID, a field or its value. */
export function findAgentHover(
	{ text, root, content }: AgentReading,
	offset: number,
	schema: AgentSchema,
	t: Translate,
): AgentHover | undefined {
	const found = root && findNodeUnder(root, offset, []);
	if (!root || !found) {
		return undefined;
	}
	const { node, path, isName } = found;
	const graph = readAgentGraph(content);
	const forms = schema.getSchemasAt(path, root);
	const place = { offset: node.offset, length: node.length };
	if (!isName) {
		const scopes = listVariableScopes(graph, type => schema.isNodeType(type));
		const reference = graph.nodes
			.flatMap(({ at }) => {
				const path = [...graphPath, 'nodes', at, 'data'];
				const data = findNodeAt(root, path);
				return data ? findReferences(data, path, text) : [];
			})
			.find(({ places }) => places.some(place => offset >= place.offset && offset <= place.offset + place.length));
		const scope = reference && scopes.find(({ id }) => id === reference.selector[0]);
		if (reference && scope) {
			const [first = place] = reference.places;
			const last = reference.places.at(-1) ?? first;
			const length = last.offset + last.length - first.offset;
			return { ...createVariableHover(scope, reference.selector, t), selector: reference.selector, offset: first.offset, length };
		}
		const named = forms.some(({ refers }) => refers === 'node' || refers === 'container' || refers === 'inner')
			? graph.nodes.find(({ id }) => id === String(node.value))
			: undefined;
		if (named) {
			return {
				name: named.title,
				facts: [getNodeTypeTitle(named.type, { t }), named.id],
				lines: [schema.types.get(named.type) ?? ''].filter(Boolean),
				...place,
			};
		}
		if (isNodePath(path) && path.length === 6 && path[5] === 'type' && schema.isNodeType(String(node.value))) {
			const type = String(node.value);
			return { name: getNodeTypeTitle(type, { t }), facts: [type], lines: [schema.types.get(type) ?? ''], ...place };
		}
	}
	return createFieldHover(path, forms, schema, root, place, t);
}

function createFieldHover(
	path: JSONPath,
	forms: readonly JsonSchema[],
	schema: AgentSchema,
	root: Node,
	place: { offset: number; length: number },
	t: Translate,
): AgentHover | undefined {
	const name = path.findLast(key => typeof key === 'string');
	const described = forms.find(({ description }) => description);
	if (name === undefined || !described) {
		return undefined;
	}
	const needed = schema.getSchemasAt(path.slice(0, -1), root).some(({ required }) => required?.includes(String(path.at(-1))));
	const types = [...new Set(forms.flatMap(({ type, numeric }) => numeric ?? [type].flat()).filter(type => type && type !== 'null'))];
	const values = forms.flatMap(form => [...(form.enum ?? []), ...(form.known ?? [])]);
	const examples = forms.flatMap(form => form.examples ?? []);
	return {
		name,
		facts: [...types.map(String), ...(needed ? [t('required')] : [])],
		lines: [
			described.description ?? '',
			...(values.length > 0
				? [t('Possible values: {0}.', values.join(', '))]
				: examples.length > 0
					? [t('For example, {0}.', examples.join(', '))]
					: []),
		],
		...place,
	};
}

function createVariableHover({ id, node, variables }: Scope, [, name = '', ...keys]: readonly string[], t: Translate) {
	const variable = variables.find(each => each.name === name);
	const from = node ? t("Output of '{0}' ({1}, {2}).", node.title, getNodeTypeTitle(node.type, { t }), id) : describeSpecialScope(id, t);
	return {
		name: [id, name, ...keys].join('.'),
		facts: variable?.type && keys.length === 0 ? [variable.type] : [],
		lines: [variable?.description ?? '', from].filter(Boolean),
	};
}

function describeSpecialScope(id: string, t: Translate): string {
	switch (id) {
		case 'env':
			return t('An environment variable of the agent.');
		case 'conversation':
			return t('A conversation variable.');
		default:
			return t('A system variable of the run.');
	}
}

/** Finds the value or field name at an offset, with the path of the value. */
function findNodeUnder(node: Node, offset: number, path: JSONPath): { node: Node; path: JSONPath; isName: boolean } | undefined {
	const isUnderOffset = (each: Node | undefined): each is Node =>
		each !== undefined && offset >= each.offset && offset <= each.offset + each.length;
	if (node.type === 'object') {
		for (const { name, nameNode, value } of listProperties(node)) {
			if (isUnderOffset(nameNode)) {
				return { node: nameNode, path: [...path, name], isName: true };
			}
			if (isUnderOffset(value)) {
				return findNodeUnder(value, offset, [...path, name]);
			}
		}
		return undefined;
	}
	if (node.type === 'array') {
		const at = (node.children ?? []).findIndex(isUnderOffset);
		const item = node.children?.[at];
		return item && findNodeUnder(item, offset, [...path, at]);
	}
	return { node, path, isName: false };
}
