import { fill } from '../shared/fill.ts';
import type { ShownStops } from './picture/graphProtocol.ts';
import type { GraphStrings } from './picture/graphStrings.ts';

/** A mark on a node: it has a breakpoint, a debugged run is paused at it or ran it later, or its outputs are pinned. */
export interface StopMark {
	readonly kind: keyof GraphStrings['stops'];
	/** Text for screen readers. */
	readonly word: string;
}

/** Creates the marks by node ID; paused runs first. */
export function createStopMarks(
	{ breakpoints, pausedAt, ranLater, pinned }: ShownStops,
	words: GraphStrings['stops'],
): ReadonlyMap<string, readonly StopMark[]> {
	const marks = new Map<string, readonly StopMark[]>();
	const addMark = (node: string, kind: StopMark['kind'], files = '') =>
		marks.set(node, [...(marks.get(node) ?? []), { kind, word: fill(words[kind], files) }]);
	for (const node of pausedAt) {
		addMark(node, 'pausedHere');
	}
	for (const node of ranLater) {
		addMark(node, 'ranLater');
	}
	for (const { node, enabled } of breakpoints) {
		addMark(node, enabled ? 'breakpoint' : 'disabled');
	}
	for (const { node, files } of pinned) {
		addMark(node, 'pinned', files.join(', '));
	}
	return marks;
}
