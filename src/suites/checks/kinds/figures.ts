import { containsText } from '#base/text/containsText.ts';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import type { CheckFields } from '../../suite.ts';
import { type CheckedRun, findTracedNode } from '../checkSubject.ts';
import {
	describeContent,
	describeEquality,
	describeExistence,
	describeMaximum,
	describeMinimum,
	describePath,
	describeRange,
} from '../expectations.ts';
import type { Show, Verdict } from '../verdict.ts';

/** Kinds that check metrics and the status of a run or node. */
type FigureKind = 'status' | 'error' | 'seconds' | 'tokens' | 'cost' | 'steps';

type Range = number | { readonly min?: number; readonly max?: number };

/** Checks a metric or the status of the run or the check's node. */
export function checkMetric(kind: FigureKind, fields: CheckFields, checked: CheckedRun, show: Show): Verdict {
	const id = fields['node'] as string | undefined;
	const node = findTracedNode(fields, checked);
	const subject = `${id ?? 'run'}.${kind}`;
	const not = fields['not'] === true;
	if (id !== undefined && !node) {
		return { holds: false, expectation: describeExistence(subject, not), found: localizable`The node '${id}' didn't run.` };
	}
	const went = node ?? checked.run;
	if (kind === 'status') {
		const why =
			went.error && went.status !== fields['status'] ? localizable`Actual value: ${show(went.status)}. Error: ${went.error}` : undefined;
		return {
			holds: went.status === fields['status'],
			expectation: describeEquality(subject, show(fields['status']), not),
			expected: fields['status'],
			actual: went.status,
			...(why ? { found: why } : {}),
		};
	}
	if (kind === 'error') {
		return checkError(fields['error'] as boolean | string, went.error, subject, not, show);
	}
	const isUnknown = kind === 'tokens' && !node && checked.run.unknownTokens;
	const actual = isUnknown ? undefined : kind === 'steps' ? checked.run.steps : went[kind];
	const range = fields[kind] as Range;
	if (actual === undefined) {
		const found = localizable`The service doesn't report it.`;
		return { holds: false, isUndecided: true, expectation: describeLimits(subject, range, not), found };
	}
	const holds = typeof range === 'number' ? actual === range : actual >= (range.min ?? actual) && actual <= (range.max ?? actual);
	return { holds, expectation: describeLimits(subject, range, not), actual };
}

/** Checks which nodes ran and in which order. */
export function checkNodes(fields: CheckFields, { trace }: CheckedRun): Verdict {
	const { ran = [], skipped = [], order = [] } = fields['nodes'] as { readonly [part in 'ran' | 'skipped' | 'order']?: readonly string[] };
	const came = trace.order;
	const missing = ran.filter(id => !came.includes(id));
	const surplus = skipped.filter(id => came.includes(id));
	const places = order.map(id => came.indexOf(id));
	const outOfOrder = order.find((_, at) => places[at]! < 0 || (at > 0 && places[at]! < places[at - 1]!));
	const absent = missing.length > 0 || outOfOrder === undefined || came.includes(outOfOrder) ? missing : [outOfOrder];
	const found = [
		localizable`Nodes that ran: ${came.join(', ')}.`,
		...(absent.length > 0 ? [localizable`Missing: ${absent.join(', ')}.`] : []),
		...(surplus.length > 0 ? [localizable`Unexpected: ${surplus.join(', ')}.`] : []),
		...(outOfOrder !== undefined && came.includes(outOfOrder) ? [localizable`Out of order: ${outOfOrder}.`] : []),
	];
	return {
		holds: missing.length === 0 && surplus.length === 0 && outOfOrder === undefined,
		expectation: describePath(JSON.stringify(fields['nodes']), fields['not'] === true),
		found: found.reduce((one, other) => localizable`${one} ${other}`),
		...(order.length > 0 ? { expected: order, actual: came } : {}),
	};
}

function checkError(expected: boolean | string, error: string | undefined, subject: string, not: boolean, show: Show): Verdict {
	const has = error !== undefined && error !== '';
	if (typeof expected === 'string') {
		return {
			holds: has && containsText(error, expected),
			expectation: describeContent(subject, show(expected), not),
			expected,
			actual: error ?? null,
		};
	}
	return {
		holds: has === expected,
		expectation: describeExistence(subject, expected === not),
		found: has ? localizable`Actual value: ${show(error)}.` : localizable`It doesn't exist.`,
	};
}

function describeLimits(subject: string, range: Range, not: boolean): LocalizableMessage {
	if (typeof range === 'number') {
		return describeEquality(subject, String(range), not);
	}
	const { min, max } = range;
	return min === undefined
		? describeMaximum(subject, max ?? Number.POSITIVE_INFINITY, not)
		: max === undefined
			? describeMinimum(subject, min, not)
			: describeRange(subject, min, max, not);
}
