import type { DurationStrings } from '#base/text/duration.ts';
import type { CardLabels } from './cards/rowText.ts';

/** Strings of a graph, in the language of the page that shows it. */
export interface GraphLabels extends DurationStrings, CardLabels {
	readonly graph: string;
	readonly zoomIn: string;
	readonly zoomOut: string;
	readonly zoomFit: string;
	/** Label for the number of executions of a node. */
	readonly times: string;
	/** Label of a node whose calls a recording answered. */
	readonly replayed: string;
	/** Label for the container of a node. */
	readonly inside: string;
	readonly marks: { readonly unknown: string; readonly idle: string };
	readonly statuses: Readonly<Record<string, string>>;
	/** Label of an edge whose target doesn't exist. */
	readonly missing: string;
}
