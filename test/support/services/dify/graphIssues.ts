import { loadPyYaml } from './pyYaml/pyYamlReader.ts';
import type { FakeGraph, Fields } from './state.ts';

/** A problem of a file's graph in the form of 1.18. */
export interface GraphIssue {
	readonly code: string;
	readonly severity: 'error';
	readonly node_id: string | null;
	readonly loc: readonly (string | number)[];
	readonly message: string;
}

/**
 * Returns the problems that make an import fail, if the fake knows their kind: edges to missing nodes and duplicate node IDs. Returns a
 * message if the file can't be checked.
 */
export function findGraphIssues(text: string): GraphIssue[] | string {
	let data: unknown;
	try {
		data = loadPyYaml(text);
	} catch (error) {
		return `Invalid YAML: ${error instanceof Error ? error.message : ''}`;
	}
	if (typeof data !== 'object' || data === null || Array.isArray(data)) {
		return 'The DSL must be a YAML mapping';
	}
	const { app, workflow } = data as { app?: Fields; workflow?: { graph?: Partial<FakeGraph> } };
	if (app?.['mode'] !== 'workflow' && app?.['mode'] !== 'advanced-chat') {
		return 'Only workflow or advanced-chat DSLs can be checked';
	}
	const { nodes = [], edges = [] } = workflow?.graph ?? {};
	const ids = nodes.map(each => each.id);
	const createGraphIssue = (code: string, node_id: string | null, loc: (string | number)[], message: string): GraphIssue => ({
		code,
		severity: 'error',
		node_id,
		loc,
		message,
	});
	return [
		...ids.flatMap((id, at) =>
			ids.indexOf(id) === at
				? []
				: [createGraphIssue('duplicate_node_id', id, ['workflow', 'graph', 'nodes', at, 'id'], `Node id ${id} is used more than once`)],
		),
		...edges.flatMap((edge, at) =>
			(['source', 'target'] as const)
				.filter(end => !ids.includes(edge[end]))
				.map(end =>
					createGraphIssue(
						'edge_endpoint_missing',
						null,
						['workflow', 'graph', 'edges', at, end],
						`Edge ${end} ${edge[end]} is not a node`,
					),
				),
		),
	];
}
