import { containsText } from '#base/text/containsText.ts';
import type { CheckFields } from '../../suite.ts';
import { type CheckedRun, findTracedNode } from '../checkSubject.ts';
import type { Show, Verdict } from '../verdict.ts';

/** Kinds that check metrics and the status of a run or node. */
type FigureKind = 'status' | 'error' | 'seconds' | 'tokens' | 'cost' | 'steps';

const names: Readonly<Record<FigureKind, string>> = {
	status: 'status',
	error: 'error',
	seconds: 'duration in seconds',
	tokens: 'token count',
	cost: 'cost',
	steps: 'step count',
};

type Range = number | { readonly min?: number; readonly max?: number };

/** Checks a metric or the status of the run or the check's node. */
export function checkFigure(kind: FigureKind, fields: CheckFields, checked: CheckedRun, show: Show): Verdict {
	const id = fields['node'] as string | undefined;
	const node = findTracedNode(fields, checked);
	if (id !== undefined && !node) {
		const expectation = `to run with ${kind} ${show(fields[kind])}`;
		return { holds: false, subject: `the node ${id}`, expectation, found: "didn't run" };
	}
	const went = node ?? checked.run;
	const subject = `the ${names[kind]} of ${id === undefined ? 'the run' : id}`;
	if (kind === 'status') {
		const why = went.error && went.status !== fields['status'] ? `is ${show(went.status)} (${went.error})` : undefined;
		const expectation = `to equal ${show(fields['status'])}`;
		return {
			holds: went.status === fields['status'],
			subject,
			expectation,
			expected: fields['status'],
			actual: went.status,
			...(why ? { found: why } : {}),
		};
	}
	if (kind === 'error') {
		return checkError(fields['error'] as boolean | string, went.error, subject, show);
	}
	const actual = kind === 'steps' ? checked.run.steps : went[kind];
	const range = fields[kind] as Range;
	if (actual === undefined) {
		return { holds: false, subject, expectation: formatRange(range), found: "isn't reported by the service" };
	}
	const holds = typeof range === 'number' ? actual === range : actual >= (range.min ?? actual) && actual <= (range.max ?? actual);
	return { holds, subject, expectation: formatRange(range), actual };
}

/** Checks which nodes ran and in which order. */
export function checkNodes(fields: CheckFields, { trace }: CheckedRun): Verdict {
	const { ran = [], skipped = [], order = [] } = fields['nodes'] as { readonly [part in 'ran' | 'skipped' | 'order']?: readonly string[] };
	const came = trace.order;
	const missing = ran.filter(id => !came.includes(id));
	const surplus = skipped.filter(id => came.includes(id));
	const places = order.map(id => came.indexOf(id));
	const outOfOrder = order.find((_, at) => places[at]! < 0 || (at > 0 && places[at]! < places[at - 1]!));
	const found = [
		...(missing.length > 0 ? [`${missing.join(', ')} didn't run`] : []),
		...(surplus.length > 0 ? [`${surplus.join(', ')} ran`] : []),
		...(outOfOrder === undefined ? [] : [`${outOfOrder} ${came.includes(outOfOrder) ? 'is out of order' : "didn't run"}`]),
	];
	const expectation = [
		...(ran.length > 0 ? [`to include ${ran.join(', ')}`] : []),
		...(skipped.length > 0 ? [`not to include ${skipped.join(', ')}`] : []),
		...(order.length > 0 ? [`to be in the order ${order.join(', ')}`] : []),
	].join(' and ');
	return {
		holds: found.length === 0,
		subject: 'the path of the run',
		expectation: expectation || 'to be any path',
		found: `is ${came.join(', ')}${found.length > 0 ? ` (${found.join('; ')})` : ''}`,
		...(order.length > 0 ? { expected: order, actual: came } : {}),
	};
}

function checkError(expected: boolean | string, error: string | undefined, subject: string, show: Show): Verdict {
	const has = error !== undefined && error !== '';
	if (typeof expected === 'string') {
		return {
			holds: has && containsText(error, expected),
			subject,
			expectation: `to contain ${show(expected)}`,
			expected,
			actual: error ?? null,
		};
	}
	return {
		holds: has === expected,
		subject,
		expectation: expected ? 'to exist' : 'not to exist',
		found: has ? `is ${show(error)}` : "doesn't exist",
	};
}

function formatRange(range: Range): string {
	if (typeof range === 'number') {
		return `to be ${range}`;
	}
	const { min, max } = range;
	return min === undefined
		? `to be at most ${max ?? 'any number'}`
		: max === undefined
			? `to be at least ${min}`
			: `to be from ${min} to ${max}`;
}
