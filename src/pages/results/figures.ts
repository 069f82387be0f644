import { formatDuration } from '#base/text/duration.ts';
import type { Interval } from '#suites/statistics/intervals.ts';
import { fill } from '../shared/fill.ts';
import { formatNumber } from '../shared/format.ts';
import type { ResultsStrings } from './resultsStrings.ts';

/** Formats a share as a percentage. */
export const formatShare = (share: number) => formatNumber(share, { style: 'percent', maximumFractionDigits: 1 });

/** Formats a difference of shares in percentage points. */
export const formatSigned = (share: number) => formatNumber(share * 100, { signDisplay: 'exceptZero', maximumFractionDigits: 1 });

/** Formats an interval of shares. */
export const formatRange = ({ low, high }: Interval, { range }: Pick<ResultsStrings, 'range'>, formatEnd = formatShare) =>
	fill(range, formatEnd(low), formatEnd(high));

export const formatSeconds = (seconds: number, strings: ResultsStrings) => formatDuration(seconds * 1000, 'brief', strings);
