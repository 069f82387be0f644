import { fill } from '../shared/fill.ts';
import type { ShownStops } from './picture/graphProtocol.ts';
import type { GraphStrings } from './picture/graphStrings.ts';

/** That a debugged run stops at a node: by a breakpoint, or that one stands there now; or that its outputs are pinned. */
export interface StopMark {
	readonly kind: keyof GraphStrings['stops'];
	/** What it says to those who are read the graph. */
	readonly word: string;
}

/** The marks of nodes at which debugged runs stop, and of those that are pinned, by their IDs; where a run stands comes first. */
export function stopMarks(
	{ breakpoints, standing, pinned }: ShownStops,
	words: GraphStrings['stops'],
): ReadonlyMap<string, readonly StopMark[]> {
	const marks = new Map<string, readonly StopMark[]>();
	const mark = (node: string, kind: StopMark['kind'], files = '') =>
		marks.set(node, [...(marks.get(node) ?? []), { kind, word: fill(words[kind], files) }]);
	for (const node of standing) {
		mark(node, 'standing');
	}
	for (const { node, enabled } of breakpoints) {
		mark(node, enabled ? 'breakpoint' : 'disabled');
	}
	for (const { node, files } of pinned) {
		mark(node, 'pinned', files.join(', '));
	}
	return marks;
}
