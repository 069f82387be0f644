import type { TimelineRow } from '#runs/events/timeline.ts';
import type { InspectorHead, ShownOutput } from './inspectorMessages.ts';
import type { InspectorStrings } from './inspectorStrings.ts';

/** The run as received from the host. */
export interface ShownRunState {
	head: InspectorHead;
	rows: Map<string, TimelineRow>;
	text: string;
	outputs: readonly ShownOutput[] | undefined;
	readonly strings: InspectorStrings;
	seq: number;
}

/** Finds the row to select first: a failed one, otherwise the node that was shown `before`, otherwise the last on the critical path. */
export function findRowToShow(rows: readonly TimelineRow[], before?: string): TimelineRow | undefined {
	return (
		rows.find(({ status }) => status === 'failed') ??
		rows.find(({ nodeId }) => nodeId !== undefined && nodeId === before) ??
		rows.findLast(({ critical, parent }) => critical && parent === undefined) ??
		rows[0]
	);
}

/** Explains why a run has no rows. */
export function getEmptyMessage({ head, strings }: ShownRunState): string {
	return head.mode === 'blocking' ? strings.noNodesBlocking : head.live ? strings.waitingForNodes : strings.noNodes;
}
