import type { NodeKind } from './nodeKind.ts';

// Dify's knowledge pipelines have these types: the graph shows them, and nothing else here knows them

/** Writes segments into a dataset. */
export const knowledgeIndex: NodeKind = { type: 'knowledge-index', icon: 'library' };

/** Reads documents that a pipeline starts with. */
export const datasource: NodeKind = { type: 'datasource', icon: 'database' };

/** A data source that isn't chosen yet. */
export const datasourceEmpty: NodeKind = { type: 'datasource-empty', icon: 'database' };
