import { fill } from '../../shared/fill.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import type { RetryWait } from '../transcript/transcript.ts';

/** Returns the sentence about a wait with the seconds that are left. */
export function getRetryText({ reason, at }: RetryWait, strings: PanelStrings, now = Date.now()): string {
	const seconds = Math.max(0, Math.ceil((at - now) / 1000));
	return fill(reason === 'rate-limited' ? strings.retryLimited : strings.retryOverloaded, seconds);
}
