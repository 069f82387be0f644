import type { TimelineRow } from '#runs/events/timeline.ts';
import type { FormDraft } from '../shared/form/formDraft.ts';
import type { OutputView } from './detail/outputsView.ts';
import type { DetailTab, InspectorHead, NodesView, ShownOutput } from './inspectorMessages.ts';
import type { InspectorStrings } from './inspectorStrings.ts';
import type { ShownMoment } from './moments/shownMoment.ts';

/** The run as received from the host, or as of a past moment. */
export interface ShownRunState {
	head: InspectorHead;
	rows: Map<string, TimelineRow>;
	text: string;
	outputs: readonly ShownOutput[] | undefined;
	readonly strings: InspectorStrings;
	seq: number;
	/** The moment that is shown; undefined for the present. */
	readonly moment?: ShownMoment;
}

/** Explains why a run has no rows. */
export function getEmptyMessage({ head, strings }: ShownRunState): string {
	return head.mode === 'blocking' ? strings.noNodesBlocking : head.live ? strings.waitingForNodes : strings.noNodes;
}

/** State that survives hiding the page and a restart. */
export interface KeptState {
	key: string;
	/** Read by the host when it restores the panel. */
	kept: boolean;
	selected: string;
	part: DetailTab;
	view: OutputView;
	query: string;
	nodesView: NodesView;
	collapsed: readonly string[];
	scroll: number;
	/** Number of the shown moment, from 1. */
	moment: number;
	/** Form drafts by form ID. */
	forms: Readonly<Record<string, FormDraft>>;
}
