import { fieldOf, fieldsOf, textOf } from '#base/records/plainValues.ts';
import type { AppContent } from './appContent.ts';
import { contentHash, layoutHash, stableText } from './contentHash.ts';
import type { AppDifference, ChangeKind, EdgeChange, NodeChange, VariableChange } from './differenceTypes.ts';
import { changedFields } from './fieldChanges.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Compares two apps. Never contains the value of a secret. */
export function appDifference(first: AppContent, second: AppContent): AppDifference {
	const { app: appA, workflow: flowA, ...restA } = first.rest;
	const { app: appB, workflow: flowB, ...restB } = second.rest;
	const { features: featuresA, ...othersA } = fieldsOf(flowA);
	const { features: featuresB, ...othersB } = fieldsOf(flowB);
	const nodes = [...changed(first.nodes, second.nodes)].map(nodeChange);
	const edges = [...changed(first.edges, second.edges)].map(change => edgeChange(change, first, second));
	const variables = [
		...[...changed(first.environment, second.environment)].map(change => variableChange('environment', change)),
		...[...changed(first.conversation, second.conversation)].map(change => variableChange('conversation', change)),
	];
	const app = changedFields(appA, appB, 'app');
	const features = changedFields(featuresA, featuresB, 'workflow.features');
	const other = [...changedFields(restA, restB, ''), ...changedFields(othersA, othersB, 'workflow')];
	return {
		isSame: contentHash(first) === contentHash(second),
		nodes,
		edges,
		variables,
		app,
		features,
		other,
		layout: layoutHash(first) !== layoutHash(second),
	};
}

interface Changed {
	readonly kind: ChangeKind;
	readonly key: string;
	readonly before: Fields | undefined;
	readonly after: Fields | undefined;
}

/** Entries that are in only one map or differ: in the order of the second map, then those it lacks. */
function* changed(first: ReadonlyMap<string, Fields>, second: ReadonlyMap<string, Fields>): Generator<Changed> {
	for (const [key, after] of second) {
		const before = first.get(key);
		if (!before) {
			yield { kind: 'added', key, before, after };
		} else if (stableText(before) !== stableText(after)) {
			yield { kind: 'changed', key, before, after };
		}
	}
	for (const [key, before] of first) {
		if (!second.has(key)) {
			yield { kind: 'removed', key, before, after: undefined };
		}
	}
}

function nodeChange({ kind, key, before, after }: Changed): NodeChange {
	const node = after ?? before;
	const data = fieldOf(node, 'data');
	const isNote = textOf(node, 'type') === 'custom-note';
	const fields = kind === 'changed' ? changedFields(before, after, '').map(({ path }) => path.replace(/^data\./, '')) : [];
	return {
		kind,
		id: key,
		title: textOf(data, 'title') || key,
		type: isNote ? 'note' : textOf(data, 'type'),
		fields: [...new Set(fields)].slice(0, 50),
	};
}

function edgeChange({ kind, before, after }: Changed, first: AppContent, second: AppContent): EdgeChange {
	const edge = after ?? before;
	const titleOf = (id: string) => textOf(fieldOf(second.nodes.get(id) ?? first.nodes.get(id), 'data'), 'title') || id;
	const [source, target] = [textOf(edge, 'source'), textOf(edge, 'target')];
	const handle = textOf(edge, 'sourceHandle') || 'source';
	return { kind, source, sourceTitle: titleOf(source), handle, target, targetTitle: titleOf(target) };
}

function variableChange(of: VariableChange['of'], { kind, key, before, after }: Changed): VariableChange {
	return {
		kind,
		of,
		name: key,
		secret: [before, after].some(each => textOf(each, 'value_type') === 'secret'),
		fields: kind === 'changed' ? changedFields(before, after, '').map(({ path }) => path) : [],
	};
}
