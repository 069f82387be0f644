import { getField, getFieldText, toFields } from '#base/records/plainValues.ts';
import type { AppContent } from './appContent.ts';
import { hashContent, hashLayout, toStableJson } from './contentHash.ts';
import type { AppDifference, ChangeKind, EdgeChange, NodeChange, VariableChange } from './differenceTypes.ts';
import { findChangedFields } from './fieldChanges.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Compares two apps. The result never contains the value of a secret. */
export function compareApps(first: AppContent, second: AppContent): AppDifference {
	const { app: appA, workflow: flowA, ...restA } = first.rest;
	const { app: appB, workflow: flowB, ...restB } = second.rest;
	const { features: featuresA, ...othersA } = toFields(flowA);
	const { features: featuresB, ...othersB } = toFields(flowB);
	const nodes = [...findChanges(first.nodes, second.nodes)].map(toNodeChange);
	const edges = [...findChanges(first.edges, second.edges)].map(change => toEdgeChange(change, first, second));
	const variables = [
		...[...findChanges(first.environment, second.environment)].map(change => toVariableChange('environment', change)),
		...[...findChanges(first.conversation, second.conversation)].map(change => toVariableChange('conversation', change)),
	];
	const app = findChangedFields(appA, appB, 'app');
	const features = findChangedFields(featuresA, featuresB, 'workflow.features');
	const other = [...findChangedFields(restA, restB, ''), ...findChangedFields(othersA, othersB, 'workflow')];
	return {
		isSame: hashContent(first) === hashContent(second),
		nodes,
		edges,
		variables,
		app,
		features,
		other,
		layout: hashLayout(first) !== hashLayout(second),
	};
}

interface Changed {
	readonly kind: ChangeKind;
	readonly key: string;
	readonly before: Fields | undefined;
	readonly after: Fields | undefined;
}

/** Yields entries that are in only one map or that differ: first in the order of the second map, then those that only the first map has. */
function* findChanges(first: ReadonlyMap<string, Fields>, second: ReadonlyMap<string, Fields>): Generator<Changed> {
	for (const [key, after] of second) {
		const before = first.get(key);
		if (!before) {
			yield { kind: 'added', key, before, after };
		} else if (toStableJson(before) !== toStableJson(after)) {
			yield { kind: 'changed', key, before, after };
		}
	}
	for (const [key, before] of first) {
		if (!second.has(key)) {
			yield { kind: 'removed', key, before, after: undefined };
		}
	}
}

function toNodeChange({ kind, key, before, after }: Changed): NodeChange {
	const node = after ?? before;
	const data = getField(node, 'data');
	const isNote = getFieldText(node, 'type') === 'custom-note';
	const fields = kind === 'changed' ? findChangedFields(before, after, '').map(({ path }) => path.replace(/^data\./, '')) : [];
	return {
		kind,
		id: key,
		title: getFieldText(data, 'title') || key,
		type: isNote ? 'note' : getFieldText(data, 'type'),
		fields: [...new Set(fields)].slice(0, 50),
	};
}

function toEdgeChange({ kind, before, after }: Changed, first: AppContent, second: AppContent): EdgeChange {
	const edge = after ?? before;
	const getNodeTitle = (id: string) => getFieldText(getField(second.nodes.get(id) ?? first.nodes.get(id), 'data'), 'title') || id;
	const [source, target] = [getFieldText(edge, 'source'), getFieldText(edge, 'target')];
	const handle = getFieldText(edge, 'sourceHandle') || 'source';
	return { kind, source, sourceTitle: getNodeTitle(source), handle, target, targetTitle: getNodeTitle(target) };
}

function toVariableChange(of: VariableChange['of'], { kind, key, before, after }: Changed): VariableChange {
	return {
		kind,
		of,
		name: key,
		secret: [before, after].some(each => getFieldText(each, 'value_type') === 'secret'),
		fields: kind === 'changed' ? findChangedFields(before, after, '').map(({ path }) => path) : [],
	};
}
