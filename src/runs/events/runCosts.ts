import { joinCurrencies } from '#base/records/amount.ts';
import { toFields } from '#base/records/plainValues.ts';
import { isReadableEvent } from '#contract/eventFields.ts';
import type { JournalEntry } from './journalEntry.ts';
import { getNodeCosts } from './nodeCosts.ts';

/** What a run paid, and what it saved by reusing replies and results, in `currency`. */
export interface RunCosts {
	readonly paid: number;
	readonly saved: number;
	readonly currency?: string;
}

/** Returns the costs of a run after its next journal entry: the same object unless the entry is about a node with a price. */
export function addEntryCosts(costs: RunCosts | undefined, entry: JournalEntry): RunCosts | undefined {
	const event = 'event' in entry ? entry.event : undefined;
	if (!event || !['node_finished', 'iteration_completed', 'loop_completed'].includes(event.event) || !isReadableEvent(event)) {
		return costs;
	}
	const { paid, saved, currency } = getNodeCosts(toFields('data' in event ? event.data : undefined));
	if (paid === 0 && saved === 0) {
		return costs;
	}
	const known = joinCurrencies(costs?.currency, currency);
	return {
		paid: (costs?.paid ?? 0) + paid,
		saved: (costs?.saved ?? 0) + saved,
		...(known === undefined ? {} : { currency: known }),
	};
}
