import type { NodeKind } from './nodeKind.ts';

// types of Dify's knowledge pipelines: the graph shows them, but they aren't supported otherwise

/** Writes segments into a dataset. */
export const knowledgeIndex: NodeKind = { type: 'knowledge-index', icon: 'library' };

/** Reads the documents of a pipeline. */
export const datasource: NodeKind = { type: 'datasource', icon: 'database' };

/** A data source that isn't selected yet. */
export const datasourceEmpty: NodeKind = { type: 'datasource-empty', icon: 'database' };
