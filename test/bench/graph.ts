import { closeGraphWindow, graph } from './graph/agentGraph.ts';
import type { BenchTable } from './harness/table.ts';

/** The budget "graph of 1,000 nodes", measured in the real workbench. */
export const table: BenchTable = { name: 'graph', measures: [graph], close: closeGraphWindow };
