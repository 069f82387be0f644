import type { CheckFields } from '../../suite.ts';
import type { CheckSubject } from '../checkSubject.ts';
import { describeCloseness } from '../expectations.ts';
import type { Show, Verdict } from '../verdict.ts';

const defaultDistance = 0.01;

/** Checks `closeTo` for a number or a numeric string. */
export function checkCloseTo(fields: CheckFields, subject: CheckSubject, show: Show): Verdict {
	const { value, within = defaultDistance } = fields['closeTo'] as { readonly value: unknown; readonly within?: number };
	const [expected, actual] = [toNumber(value), toNumber(subject.value)];
	return {
		// tolerate rounding errors: 0.1 + 0.2 is within 0 of 0.3
		holds: Math.abs(actual - expected) <= within + Number.EPSILON * Math.max(1, Math.abs(expected)),
		isUndecided: Number.isNaN(expected),
		expectation: describeCloseness(subject.name, show(value), within, fields['not'] === true),
		expected: value,
		actual: subject.value,
	};
}

function toNumber(value: unknown): number {
	return typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
