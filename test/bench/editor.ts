import { activationSize, activationTime } from './editor/activation.ts';
import { heap } from './editor/heap.ts';
import { closeInspectorWindow, inspector } from './editor/inspector.ts';
import { nodeEvents } from './editor/nodeEvents.ts';
import { packageSize } from './editor/packageSize.ts';
import type { BenchTable } from './harness/table.ts';

/** The table "Editor" of the budgets. Unfinished: the tree is not among its measures. */
export const table: BenchTable = {
	name: 'editor',
	measures: [activationSize, activationTime, heap, nodeEvents, packageSize, ...inspector],
	close: closeInspectorWindow,
};
