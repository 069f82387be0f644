import { AgentText } from '#agentFile/agentText.ts';
import { fieldOf, fieldsOf, isRecord, isSame, itemsOf, textOf } from '#base/records/plainValues.ts';
import type { Translate } from '#base/text/localization.ts';
import { plainWords } from '#base/text/plainWords.ts';
import { SyncFault } from '../syncFault.ts';

/** What the file of an app holds, parted into what it means and how it is laid out. Plain values; secrets have no value. */
export interface AppContent {
	/** What the file holds, as it is. */
	readonly whole: Readonly<Record<string, unknown>>;
	/** Nodes without layout, by ID; notes too. The place in the file stands for an ID that is missing or there twice. */
	readonly nodes: ReadonlyMap<string, Fields>;
	/** Edges without layout, by source, way out, target and way in. */
	readonly edges: ReadonlyMap<string, Fields>;
	readonly environment: ReadonlyMap<string, Fields>;
	readonly conversation: ReadonlyMap<string, Fields>;
	/** All else that counts: neither layout, nor dependencies, nor version of the format. */
	readonly rest: Fields;
	/** Places, sizes, view, and the order of nodes and edges. */
	readonly layout: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields of a node or an edge that say how it lies on the canvas, or what the canvas did last; those with `_` before them are the canvas's own too. */
const layoutFields =
	/^(?:position|positionAbsolute|width|height|selected|dragging|resizing|zIndex|measured|style|sourcePosition|targetPosition|_.*)$/;

/**
 * Reads the file of an app. What counts as what is decided here, for hash and difference alike: numbers count as JavaScript has them (`1` and `1.0` are
 * one; integers that it would round are bigints), fields that are null as fields that are not there, and so do fields that a newer release writes where nobody set them; the order of nodes, edges
 * and variables counts as layout.
 * @param what names the text in the sentence
 * @throws {SyncFault} for a text that is no YAML, or no app's
 */
export function readApp(text: string, what?: string, t: Translate = plainWords): AppContent {
	const known = lastRead.get(text);
	if (known) {
		return known;
	}
	const { error, content } = new AgentText(text, { exact: true });
	const name = what ?? t('The file');
	if (error) {
		throw new SyncFault('unreadable', t("{0} isn't valid YAML: {1}.", name, error.message.replace(/\.$/, '')));
	}
	if (Object.keys(fieldsOf(fieldOf(content, 'app'))).length === 0) {
		throw new SyncFault('unreadable', t("{0} isn't a Dify app. Expected 'app' with a name and mode.", name));
	}
	const app = contentOf(fieldsOf(content));
	lastRead.set(text, app);
	for (const oldest of [...lastRead.keys()].slice(0, -mostRead)) {
		lastRead.delete(oldest);
	}
	return app;
}

/** The last texts that were read: one push looks at the file, at what is sent for it and at what is there several times each. */
const lastRead = new Map<string, AppContent>();
const mostRead = 4;

function contentOf(whole: Fields): AppContent {
	const { dependencies: _d, version: _v, workflow: flow, ...top } = whole;
	const { graph: graphValue, environment_variables: env, conversation_variables: conv, ...workflow } = fieldsOf(flow);
	const { nodes: nodeList, edges: edgeList, viewport, ...graph } = fieldsOf(graphValue);
	const nodes = keyed(itemsOf(graphValue, 'nodes'), node => textOf(node, 'id'));
	const edges = keyed(itemsOf(graphValue, 'edges'), edgeKey);
	const environment = keyed(itemsOf(flow, 'environment_variables'), variable => textOf(variable, 'name'));
	const conversation = keyed(itemsOf(flow, 'conversation_variables'), variable => textOf(variable, 'name'));
	return {
		whole,
		nodes: mapped(nodes, node => parted(node).content),
		edges: mapped(edges, edge => parted(edge).content),
		environment: mapped(environment, withoutSecret),
		conversation: mapped(conversation, withoutSecret),
		rest: {
			...top,
			app: without(unset.app, top['app']),
			workflow: {
				...fieldsOf(without(unset.workflow, workflow)),
				// what should be a list and is none counts as it is
				...(env === undefined || Array.isArray(env) ? {} : { environment_variables: env }),
				...(conv === undefined || Array.isArray(conv) ? {} : { conversation_variables: conv }),
				graph: {
					...graph,
					...(nodeList === undefined || Array.isArray(nodeList) ? {} : { nodes: nodeList }),
					...(edgeList === undefined || Array.isArray(edgeList) ? {} : { edges: edgeList }),
				},
			},
		},
		layout: [
			viewport,
			...[nodes, edges].map(each => [...each].map(([key, item]) => [key, parted(item).layout])),
			...[environment, conversation].map(each => [...each.keys()]),
		],
	};
}

/** Fields that came with a release, as it writes them where nobody set them: an upgrade of a deployment alone changes no app. */
const unset = {
	app: { icon_type: 'emoji', use_icon_as_answer_icon: false },
	workflow: { rag_pipeline_variables: [] },
} as const;

function without(defaults: Fields, of: unknown): unknown {
	if (!isRecord(of)) {
		return of;
	}
	const isUnset = (name: string, value: unknown) => Object.hasOwn(defaults, name) && isSame(value, defaults[name]);
	return Object.fromEntries(Object.entries(of).filter(([name, value]) => !isUnset(name, value)));
}

function keyed(items: readonly unknown[], keyOf: (item: unknown) => string): ReadonlyMap<string, unknown> {
	const map = new Map<string, unknown>();
	for (const [at, item] of items.entries()) {
		const key = keyOf(item);
		map.set(key === '' || map.has(key) ? `${key}#${at}` : key, item);
	}
	return map;
}

function mapped(map: ReadonlyMap<string, unknown>, change: (item: unknown) => Fields): ReadonlyMap<string, Fields> {
	return new Map([...map].map(([key, item]) => [key, change(item)]));
}

function edgeKey(edge: unknown): string {
	return JSON.stringify(['source', 'sourceHandle', 'target', 'targetHandle'].map(name => textOf(edge, name)));
}

/** What a node or an edge means, and how it lies. */
function parted(item: unknown): { readonly content: Fields; readonly layout: unknown } {
	if (!isRecord(item)) {
		return { content: { value: item }, layout: undefined };
	}
	const { data, ...own } = fieldsOf(item);
	const isLayout = ([name]: readonly [string, unknown]) => layoutFields.test(name);
	const rest = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(entry => !isLayout(entry)));
	const lies = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(isLayout));
	const isMap = isRecord(data);
	return {
		content: { ...rest(own), ...(data === undefined ? {} : { data: isMap ? rest(fieldsOf(data)) : data }) },
		layout: [lies(own), isMap ? lies(fieldsOf(data)) : {}],
	};
}

function withoutSecret(variable: unknown): Fields {
	if (!isRecord(variable)) {
		return { value: variable };
	}
	const { value: _, ...others } = fieldsOf(variable);
	return textOf(variable, 'value_type') === 'secret' ? others : fieldsOf(variable);
}
