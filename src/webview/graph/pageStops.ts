import type { ShownStops } from '../../graph/graphProtocol.ts';
import type { GraphStrings } from '../../graph/graphStrings.ts';

/** That a debugged run stops at a node: by a breakpoint, or that one stands there now. */
export interface StopMark {
	readonly kind: keyof GraphStrings['stops'];
	/** What it says to those who are read the graph. */
	readonly word: string;
}

/** The marks of nodes at which debugged runs stop, by their IDs; where a run stands comes first. */
export function stopMarks({ breakpoints, standing }: ShownStops, words: GraphStrings['stops']): ReadonlyMap<string, readonly StopMark[]> {
	const marks = new Map<string, readonly StopMark[]>();
	const mark = (node: string, kind: StopMark['kind']) => marks.set(node, [...(marks.get(node) ?? []), { kind, word: words[kind] }]);
	for (const node of standing) {
		mark(node, 'standing');
	}
	for (const { node, enabled } of breakpoints) {
		mark(node, enabled ? 'breakpoint' : 'disabled');
	}
	return marks;
}
