import { decryptDatasetId } from './datasetIds.ts';
import type { DifyDeployment } from './difyDeployment.ts';
import type { FakeApp, FakeGraph, FakeVariable, FakeWorkflow, Fields } from './state.ts';
import { createWorkflow } from './state.ts';
import { hiddenValue, mergeVariables, parseVariable } from './variables.ts';

/** Replaces an app's draft with a file's `workflow` and deletes the draft's variables. Throws Dify's message if the file isn't valid. */
export function overwriteDraft(fake: DifyDeployment, app: FakeApp, said: unknown, keepsEmptySecrets: boolean): void {
	if (typeof said !== 'object' || said === null || Array.isArray(said) || Object.keys(said).length === 0) {
		throw new Error('Missing workflow data for workflow/advanced chat app');
	}
	const data = said as Fields;
	const sent = readVariables(data['environment_variables'], 'env');
	const before = app.draft?.environment ?? [];
	const environment = keepsEmptySecrets ? sent.map(each => restoreHiddenValue(each, before)) : sent;
	const graph = readGraph(app, data['graph']);
	for (const node of graph.nodes) {
		node.data = { ...fake.fillsIn?.(node.data), ...node.data };
	}
	storeDraft(fake, app, {
		graph,
		features: toStoredValue(data['features'] ?? {}) as Fields,
		environment: mergeVariables(environment, before),
		conversation: mergeVariables(readVariables(data['conversation_variables'], 'conversation'), []),
	});
	fake.drafts.deleteVariables(app);
}

/** Replaces parts of a draft, or creates it if the app has none. Marks its secrets. */
export function storeDraft(
	fake: DifyDeployment,
	app: FakeApp,
	parts: Pick<FakeWorkflow, 'graph' | 'features' | 'environment' | 'conversation'>,
): FakeWorkflow {
	for (const { value_type, value } of parts.environment) {
		if (value_type === 'secret' && typeof value === 'string' && value !== '' && value !== hiddenValue) {
			fake.secrets.add(value);
		}
	}
	app.draft = app.draft ? { ...app.draft, ...parts, updatedAt: fake.getTime() } : createWorkflow(fake.getTime(), parts);
	return app.draft;
}

function restoreHiddenValue(variable: FakeVariable, before: readonly FakeVariable[]): FakeVariable {
	const isKept = variable.value_type === 'secret' && variable.value === '' && before.some(each => each.id === variable.id);
	return isKept ? { ...variable, value: hiddenValue } : variable;
}

function readVariables(said: unknown, place: 'env' | 'conversation'): FakeVariable[] {
	return (Array.isArray(said) ? said : []).map(entry => parseVariable(toStoredValue(entry) as Fields, place));
}

/** Returns the graph as the database stores it: decrypts dataset IDs of this workspace, and drops those of other workspaces. */
function readGraph(app: FakeApp, said: unknown): FakeGraph {
	const graph = { nodes: [], edges: [], ...(toStoredValue(said ?? {}) as Fields) } as FakeGraph;
	for (const { data } of graph.nodes) {
		if (data?.type === 'knowledge-retrieval' && Array.isArray(data['dataset_ids'])) {
			const ids = data['dataset_ids'].map(id => decryptDatasetId(String(id), app.workspaceId));
			data['dataset_ids'] = ids.filter(id => id !== undefined);
		}
	}
	return graph;
}

/** Converts a value as a round trip through the database does: Python's JSON has no dates. */
function toStoredValue(value: unknown): unknown {
	if (value instanceof Date) {
		const isDay = value.toISOString().endsWith('T00:00:00.000Z');
		throw new Error(`Object of type ${isDay ? 'date' : 'datetime'} is not JSON serializable`);
	}
	if (Array.isArray(value)) {
		return value.map(toStoredValue);
	}
	return typeof value === 'object' && value !== null && !(value instanceof Number)
		? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toStoredValue(each)]))
		: value;
}
