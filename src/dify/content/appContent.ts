import { AgentText } from '#agentFile/agentText.ts';
import { getField, getFieldText, getItems, isDeepEqual, isRecord, toFields } from '#base/records/plainValues.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import { SyncFault } from '../syncFault.ts';

/** A parsed app file, split into content and layout. Secrets have no values. */
export interface AppContent {
	/** The whole file. */
	readonly whole: Readonly<Record<string, unknown>>;
	/** Nodes and notes without layout, by ID. A missing or duplicate ID is replaced by the position in the file. */
	readonly nodes: ReadonlyMap<string, Fields>;
	/** Edges without layout, by source, output handle, target and input handle. */
	readonly edges: ReadonlyMap<string, Fields>;
	readonly environment: ReadonlyMap<string, Fields>;
	readonly conversation: ReadonlyMap<string, Fields>;
	/** All other content, except dependencies and format version. */
	readonly rest: Fields;
	/** Positions, sizes, viewport, and the order of nodes and edges. */
	readonly layout: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Matches fields of a node or edge that only describe its layout or the state of the canvas, including fields that start with `_`. */
const layoutFields =
	/^(?:position|positionAbsolute|width|height|selected|dragging|resizing|zIndex|measured|style|sourcePosition|targetPosition|_.*)$/;

/**
 * Reads an app file. Decides what counts as content, both for hashes and for differences. Numbers are compared as JavaScript numbers (`1`
 * equals `1.0`), and integers that would be rounded become bigints. Null fields and the defaults that newer releases write count as absent.
 * The order of nodes, edges and variables counts as layout.
 * @param what name of the text for messages
 * @throws {SyncFault} if the text isn't valid YAML or isn't an app
 */
export function readApp(text: string, what?: string, t: Translate = fillPlaceholders): AppContent {
	const known = lastRead.get(text);
	if (known) {
		return known;
	}
	const { error, content } = new AgentText(text, { exact: true });
	const name = what ?? t('The file');
	if (error) {
		throw new SyncFault('unreadable', t("{0} isn't valid YAML: {1}.", name, error.message.replace(/\.$/, '')));
	}
	if (Object.keys(toFields(getField(content, 'app'))).length === 0) {
		throw new SyncFault('unreadable', t("{0} isn't a Dify app. Expected 'app' with a name and mode.", name));
	}
	const app = splitContent(toFields(content));
	lastRead.set(text, app);
	for (const oldest of [...lastRead.keys()].slice(0, -mostRead)) {
		lastRead.delete(oldest);
	}
	return app;
}

/** Caches the last texts, because a push reads the file, the sent text and the app several times. */
const lastRead = new Map<string, AppContent>();
const mostRead = 4;

function splitContent(whole: Fields): AppContent {
	const { dependencies: _d, version: _v, workflow: flow, ...top } = whole;
	const { graph: graphValue, environment_variables: env, conversation_variables: conv, ...workflow } = toFields(flow);
	const { nodes: nodeList, edges: edgeList, viewport, ...graph } = toFields(graphValue);
	const nodes = mapByKey(getItems(graphValue, 'nodes'), node => getFieldText(node, 'id'));
	const edges = mapByKey(getItems(graphValue, 'edges'), getEdgeKey);
	const environment = mapByKey(getItems(flow, 'environment_variables'), variable => getFieldText(variable, 'name'));
	const conversation = mapByKey(getItems(flow, 'conversation_variables'), variable => getFieldText(variable, 'name'));
	return {
		whole,
		nodes: mapValues(nodes, node => splitLayout(node).content),
		edges: mapValues(edges, edge => splitLayout(edge).content),
		environment: mapValues(environment, removeSecret),
		conversation: mapValues(conversation, removeSecret),
		rest: {
			...top,
			app: removeDefaults(unset.app, top['app']),
			workflow: {
				...toFields(removeDefaults(unset.workflow, workflow)),
				// keep an invalid value (one that isn't a list) as it is
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
			...[nodes, edges].map(each => [...each].map(([key, item]) => [key, splitLayout(item).layout])),
			...[environment, conversation].map(each => [...each.keys()]),
		],
	};
}

/** Defaults that newer releases write. They count as absent, so that an upgrade of Dify doesn't show as a change. */
const unset = {
	app: { icon_type: 'emoji', use_icon_as_answer_icon: false },
	workflow: { rag_pipeline_variables: [] },
} as const;

function removeDefaults(defaults: Fields, of: unknown): unknown {
	if (!isRecord(of)) {
		return of;
	}
	const isUnset = (name: string, value: unknown) => Object.hasOwn(defaults, name) && isDeepEqual(value, defaults[name]);
	return Object.fromEntries(Object.entries(of).filter(([name, value]) => !isUnset(name, value)));
}

function mapByKey(items: readonly unknown[], keyOf: (item: unknown) => string): ReadonlyMap<string, unknown> {
	const map = new Map<string, unknown>();
	for (const [at, item] of items.entries()) {
		const key = keyOf(item);
		map.set(key === '' || map.has(key) ? `${key}#${at}` : key, item);
	}
	return map;
}

function mapValues(map: ReadonlyMap<string, unknown>, change: (item: unknown) => Fields): ReadonlyMap<string, Fields> {
	return new Map([...map].map(([key, item]) => [key, change(item)]));
}

function getEdgeKey(edge: unknown): string {
	return JSON.stringify(['source', 'sourceHandle', 'target', 'targetHandle'].map(name => getFieldText(edge, name)));
}

/** Splits a node or edge into content and layout. */
function splitLayout(item: unknown): { readonly content: Fields; readonly layout: unknown } {
	if (!isRecord(item)) {
		return { content: { value: item }, layout: undefined };
	}
	const { data, ...own } = toFields(item);
	const isLayoutField = ([name]: readonly [string, unknown]) => layoutFields.test(name);
	const pickContent = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(entry => !isLayoutField(entry)));
	const pickLayout = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(isLayoutField));
	const isMap = isRecord(data);
	return {
		content: { ...pickContent(own), ...(data === undefined ? {} : { data: isMap ? pickContent(toFields(data)) : data }) },
		layout: [pickLayout(own), isMap ? pickLayout(toFields(data)) : {}],
	};
}

function removeSecret(variable: unknown): Fields {
	if (!isRecord(variable)) {
		return { value: variable };
	}
	const { value: _, ...others } = toFields(variable);
	return getFieldText(variable, 'value_type') === 'secret' ? others : toFields(variable);
}
