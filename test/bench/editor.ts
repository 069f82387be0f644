import { activation } from './editor/activation.ts';
import { completion } from './editor/completion.ts';
import { heap } from './editor/heap.ts';
import { closeInspectorWindow, inspector } from './editor/inspector.ts';
import { logsPage } from './editor/logsPage.ts';
import { longLog } from './editor/longLog.ts';
import { nodeEvents } from './editor/nodeEvents.ts';
import { packageSize } from './editor/packageSize.ts';
import type { BenchTable } from './harness/table.ts';

/** The budget table "Editor", measured in the real extension host and workbench. */
export const table: BenchTable = {
	name: 'editor',
	measures: [activation, packageSize, nodeEvents, longLog, logsPage, inspector, completion, heap],
	close: closeInspectorWindow,
};
