import { toAmount } from '#base/records/amount.ts';
import type { NodeData } from './nodeData.ts';

/** Returns what a node paid, and what it saved by reusing replies or its recorded result; 0 if nothing or unknown. */
export function getNodeCosts({ execution_metadata: metadata, saved_price }: NodeData): {
	readonly paid: number;
	readonly saved: number;
	readonly currency: string | undefined;
} {
	const total = toAmount(metadata?.total_price);
	const saved = toAmount(saved_price);
	// the total includes replies that came from a recording; sums of prices have rounding errors
	const paid = Math.max(0, Number((total - saved).toFixed(10)));
	return { paid, saved, currency: (typeof metadata?.currency === 'string' && metadata.currency) || undefined };
}
