import type { DurationStrings } from '#base/text/duration.ts';
import type { HandleLabels } from './cards/rowText.ts';

/** Words of a graph, in the language of the page that shows it. */
export interface GraphWords extends DurationStrings, HandleLabels {
	readonly graph: string;
	readonly zoomIn: string;
	readonly zoomOut: string;
	readonly zoomFit: string;
	/** Executions of a node. */
	readonly times: string;
	/** The container that a node is in. */
	readonly inside: string;
	/** Marks of cards. */
	readonly marks: { readonly unknown: string; readonly idle: string };
	readonly statuses: Readonly<Record<string, string>>;
	/** What an edge to a node that is not there says. */
	readonly missing: string;
}
