import type { ModelCacheSize, TextCallBodies, TextCallEntry, UsageEntry } from '#contract/text/textCalls.ts';
import type { CallsFilter, FromUsage, UsageDays, UsageView } from './usageMessages.ts';
import type { UsageStrings } from './usageStrings.ts';

/** Sums by each group. */
export type UsageSums = Readonly<Record<'day' | 'model' | 'agent', readonly UsageEntry[]>>;

/** How the page stands. */
export interface UsageState {
	readonly view: UsageView;
	readonly filter: CallsFilter;
	readonly days: UsageDays;
	/** Changes when rows have other places than before. */
	readonly generation: number;
	readonly count: number;
	readonly hasMore: boolean;
	readonly loading: boolean;
	/** What went wrong, as a sentence. */
	readonly problem?: string;
	readonly sums?: UsageSums;
	readonly cache?: ModelCacheSize;
}

/** Messages to the page. */
export type FromUsageHost =
	| { readonly type: 'snapshot'; readonly strings: UsageStrings; readonly state: UsageState }
	| { readonly type: 'state'; readonly state: UsageState }
	| { readonly type: 'rows'; readonly generation: number; readonly from: number; readonly rows: readonly TextCallEntry[] }
	| { readonly type: 'call'; readonly call: TextCallEntry; readonly bodies: TextCallBodies };

export type { CallsFilter, FromUsage, UsageView };
