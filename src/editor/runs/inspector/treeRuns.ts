import { shortenId } from '#base/text/shortId.ts';
import type { ShownTreeRun } from '#pages/inspector/inspectorMessages.ts';
import { formatValuesOnOneLine } from '#runs/following/readableValue.ts';
import type { TreeRun } from '#runs/following/runTree.ts';
import type { ForkParent } from '#runs/runTypes.ts';
import { toOneLine } from '../../platform/wording.ts';

/** Describes a run of a tree of forks for the inspector. */
export function toShownTreeRun({ record, depth }: TreeRun): ShownTreeRun {
	const { key, status, startedAt, runId, parent, costs } = record;
	return {
		key,
		status,
		startedAt,
		depth,
		id: shortenId(runId ?? key),
		...(parent ? { fork: { node: parent.title, changes: formatChanges(parent.changes) } } : {}),
		...(costs ? { costs } : {}),
	};
}

function formatChanges(changes: ForkParent['changes']): string {
	// a single value without its name would say little
	const texts = changes.map(({ selector, value }) => `${selector.join('.')}: ${formatValuesOnOneLine({ value: value ?? 'null' })}`);
	return toOneLine(texts.join(' · '), 120);
}
