import type { TimelineRow } from '#runs/events/timeline.ts';
import type { InspectorHead, ShownOutput } from './inspectorMessages.ts';
import type { InspectorStrings } from './inspectorStrings.ts';

/** What the host has sent of a run. */
export interface ShownRunState {
	head: InspectorHead;
	rows: Map<string, TimelineRow>;
	text: string;
	outputs: readonly ShownOutput[] | undefined;
	readonly strings: InspectorStrings;
	seq: number;
}

/** The row to show first: the first that failed, else the node that was shown `before`, else the last on the critical path. */
export function rowToShow(rows: readonly TimelineRow[], before?: string): TimelineRow | undefined {
	return (
		rows.find(({ status }) => status === 'failed') ??
		rows.find(({ nodeId }) => nodeId !== undefined && nodeId === before) ??
		rows.findLast(({ critical, parent }) => critical && parent === undefined) ??
		rows[0]
	);
}

/** Why a run has no rows. */
export function emptyMessage({ head, strings }: ShownRunState): string {
	return head.mode === 'blocking' ? strings.noNodesBlocking : head.live ? strings.waitingForNodes : strings.noNodes;
}
