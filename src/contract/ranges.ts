import * as z from 'zod';
import type { Timestamp } from './timestamps.ts';

/** Bounds of a number: `from`/`to` are inclusive, `above`/`below` exclusive. */
interface Range {
	readonly from?: number;
	readonly to?: number;
	readonly above?: number;
	readonly below?: number;
}

/** Creates a schema for a number in a range, with an error message that names the range (contract, "Limits"). */
export function createNumberSchema(range: Range): z.ZodNumber {
	return applyBounds(z.number(`expected a number ${describeRange(range)}`), range, 'a number');
}

/** Creates a schema for a whole number in a range, with an error message that names the range. */
export function createIntegerSchema(range: Range): z.ZodNumber {
	const expected = `expected a whole number ${describeRange(range)}`;
	const tooFar = `expected a whole number up to ${Number.MAX_SAFE_INTEGER}`;
	return applyBounds(z.int({ error: issue => (issue.code === 'too_big' ? tooFar : expected) }), range, 'a whole number');
}

function applyBounds(schema: z.ZodNumber, { from, to, above, below }: Range, what: string): z.ZodNumber {
	const error = `expected ${what} ${describeRange({ from, to, above, below } as Range)}`;
	let checked = schema;
	if (from !== undefined) {
		checked = checked.min(from, error);
	}
	if (above !== undefined) {
		checked = checked.gt(above, error);
	}
	if (to !== undefined) {
		checked = checked.max(to, error);
	}
	if (below !== undefined) {
		checked = checked.lt(below, error);
	}
	return checked;
}

function describeRange({ from, to, above, below }: Range): string {
	const low = from !== undefined ? `from ${from}` : above !== undefined ? `above ${above}` : '';
	const high = to !== undefined ? (from !== undefined ? `to ${to}` : `up to ${to}`) : below !== undefined ? `below ${below}` : '';
	if (from !== undefined && high === '') {
		return `of at least ${from}`;
	}
	return [low, high].filter(text => text !== '').join(to === undefined ? ' and ' : ' ');
}

/** A time such as `2026-01-31T12:00:00Z`; without an offset, it's in the service's time zone. */
export const instant = z
	.string()
	.refine(
		text =>
			/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text) && !Number.isNaN(Date.parse(text)),
		'expected a time such as 2026-01-31T12:00:00Z',
	);

/** A day in the service's time zone, such as `2026-01-31`. */
export const day = z
	.string()
	.refine(text => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)), 'expected a day such as 2026-01-31');

/** A time in any format that services use (timestamps.ts). */
export const timestamp: z.ZodType<Timestamp> = z.union([z.number(), z.string()]);

/** Any values by name. */
export const values = z.record(z.string(), z.unknown());
