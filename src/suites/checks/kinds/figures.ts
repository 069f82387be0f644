import { containsText } from '#base/text/containsText.ts';
import { type LocalizableMessage, localizable, type MessageArgument } from '#base/text/localizableMessage.ts';
import type { CheckFields } from '../../suite.ts';
import { type CheckedRun, findTracedNode } from '../checkSubject.ts';
import type { Show, Verdict } from '../verdict.ts';

/** Kinds that check metrics and the status of a run or node. */
type FigureKind = 'status' | 'error' | 'seconds' | 'tokens' | 'cost' | 'steps';

const nameFigure: Readonly<Record<FigureKind, (owner: MessageArgument) => LocalizableMessage>> = {
	status: owner => localizable`the status of ${owner}`,
	error: owner => localizable`the error of ${owner}`,
	seconds: owner => localizable`the duration in seconds of ${owner}`,
	tokens: owner => localizable`the token count of ${owner}`,
	cost: owner => localizable`the cost of ${owner}`,
	steps: owner => localizable`the step count of ${owner}`,
};

type Range = number | { readonly min?: number; readonly max?: number };

/** Checks a metric or the status of the run or the check's node. */
export function checkFigure(kind: FigureKind, fields: CheckFields, checked: CheckedRun, show: Show): Verdict {
	const id = fields['node'] as string | undefined;
	const node = findTracedNode(fields, checked);
	if (id !== undefined && !node) {
		const expectation = localizable`to run with ${kind} ${show(fields[kind])}`;
		return { holds: false, subject: localizable`the node ${id}`, expectation, found: localizable`didn't run` };
	}
	const went = node ?? checked.run;
	const subject = nameFigure[kind](id ?? localizable`the run`);
	if (kind === 'status') {
		const why = went.error && went.status !== fields['status'] ? localizable`is ${show(went.status)} (${went.error})` : undefined;
		const expectation = localizable`to equal ${show(fields['status'])}`;
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
		return { holds: false, subject, expectation: formatRange(range), found: localizable`isn't reported by the service` };
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
	const wrong = [
		...(missing.length > 0 ? [localizable`${missing.join(', ')} didn't run`] : []),
		...(surplus.length > 0 ? [localizable`${surplus.join(', ')} ran`] : []),
		...(outOfOrder === undefined
			? []
			: [came.includes(outOfOrder) ? localizable`${outOfOrder} is out of order` : localizable`${outOfOrder} didn't run`]),
	];
	const expectations = [
		...(ran.length > 0 ? [localizable`to include ${ran.join(', ')}`] : []),
		...(skipped.length > 0 ? [localizable`not to include ${skipped.join(', ')}`] : []),
		...(order.length > 0 ? [localizable`to be in the order ${order.join(', ')}`] : []),
	];
	const path = came.join(', ');
	return {
		holds: wrong.length === 0,
		subject: localizable`the path of the run`,
		expectation:
			expectations.length > 0 ? expectations.reduce((one, other) => localizable`${one} and ${other}`) : localizable`to be any path`,
		found:
			wrong.length > 0 ? localizable`is ${path} (${wrong.reduce((one, other) => localizable`${one}; ${other}`)})` : localizable`is ${path}`,
		...(order.length > 0 ? { expected: order, actual: came } : {}),
	};
}

function checkError(expected: boolean | string, error: string | undefined, subject: MessageArgument, show: Show): Verdict {
	const has = error !== undefined && error !== '';
	if (typeof expected === 'string') {
		return {
			holds: has && containsText(error, expected),
			subject,
			expectation: localizable`to contain ${show(expected)}`,
			expected,
			actual: error ?? null,
		};
	}
	return {
		holds: has === expected,
		subject,
		expectation: expected ? localizable`to exist` : localizable`not to exist`,
		found: has ? localizable`is ${show(error)}` : localizable`doesn't exist`,
	};
}

function formatRange(range: Range): LocalizableMessage {
	if (typeof range === 'number') {
		return localizable`to be ${range}`;
	}
	const { min, max } = range;
	return min === undefined
		? localizable`to be at most ${max ?? localizable`any number`}`
		: max === undefined
			? localizable`to be at least ${min}`
			: localizable`to be from ${min} to ${max}`;
}
