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

/** Explains why a run has no rows. */
export function getEmptyMessage({ head, strings }: ShownRunState): string {
	return head.mode === 'blocking' ? strings.noNodesBlocking : head.live ? strings.waitingForNodes : strings.noNodes;
}
