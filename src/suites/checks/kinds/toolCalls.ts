import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import type { TracedCall } from '../../running/toolCalls.ts';
import type { CheckFields } from '../../suite.ts';
import type { CheckedRun } from '../checkSubject.ts';
import { describeCalls } from '../expectations.ts';
import type { CheckThreads } from '../thread/checkTasks.ts';
import type { Trajectory } from '../thread/matchCalls.ts';
import type { Show, Verdict } from '../verdict.ts';

/** Maximum number of calls to name in a message. */
const mostNamed = 30;

/** Checks which tools the run called, how often and in which order. */
export function checkTools(fields: CheckFields, { trace }: CheckedRun): Verdict {
	const {
		called = [],
		never = [],
		only,
		order = [],
		times = {},
		errors,
	} = fields['tools'] as {
		readonly [part in 'called' | 'never' | 'only' | 'order']?: readonly string[];
	} & { readonly times?: Readonly<Record<string, Range>>; readonly errors?: Range };
	const { toolCalls: calls } = trace;
	const names = calls.map(({ tool }) => tool);
	const failed = calls.filter(({ error }) => error !== undefined);
	const known = new Set(names);
	const missing = called.filter(tool => !known.has(tool));
	const surplus = [...known].filter(tool => never.includes(tool) || (only && !only.includes(tool)));
	const outOfOrder = findOutOfOrder(names, order);
	const miscounted = Object.keys(times).filter(tool => !isInRange(names.filter(name => name === tool).length, times[tool]!));
	const hasWrongErrors = errors !== undefined && !isInRange(failed.length, errors);
	return {
		holds: [missing, surplus, miscounted].every(list => list.length === 0) && outOfOrder === undefined && !hasWrongErrors,
		expectation: describeCalls(JSON.stringify(fields['tools']), fields['not'] === true),
		found: [
			describeFoundCalls(calls),
			...(missing.length > 0 ? [localizable`Missing: ${missing.join(', ')}.`] : []),
			...(surplus.length > 0 ? [localizable`Unexpected: ${surplus.join(', ')}.`] : []),
			...(outOfOrder === undefined ? [] : [localizable`Out of order: ${outOfOrder}.`]),
			...(miscounted.length > 0 ? [localizable`Wrong number of calls: ${miscounted.join(', ')}.`] : []),
			...(hasWrongErrors ? [localizable`Failed calls: ${failed.map(({ tool }) => tool).join(', ') || '0'}.`] : []),
		].reduce((one, other) => localizable`${one} ${other}`),
		...(order.length > 0 ? { expected: order, actual: names } : {}),
	};
}

/** Checks the calls of the run against a list. The score is the F1 of the largest possible matching. */
export async function checkTrajectory(
	fields: CheckFields,
	{ trace }: CheckedRun,
	threads: CheckThreads,
	signal: AbortSignal,
	show: Show,
): Promise<Verdict> {
	const trajectory = fields['trajectory'] as Trajectory;
	const { match = 'strict', calls: expected } = trajectory;
	const actual = trace.toolCalls.map(({ tool, arguments: given }) => ({ tool, arguments: given }));
	const matched = await threads.run('trajectory', { calls: actual, trajectory }, signal);
	const required = { strict: [actual, expected], unordered: [actual, expected], subset: [actual], superset: [expected] }[match];
	const all = actual.length + expected.length;
	return {
		holds: required.every(({ length }) => length === matched),
		score: all === 0 ? 1 : (2 * matched) / all,
		expectation: describeCalls(show(expected), fields['not'] === true),
		found: localizable`${describeFoundCalls(trace.toolCalls)} Matching: ${matched} of ${expected.length}.`,
		expected,
		actual,
	};
}

type Range = number | { readonly min?: number; readonly max?: number };

function isInRange(count: number, range: Range): boolean {
	return typeof range === 'number' ? count === range : count >= (range.min ?? count) && count <= (range.max ?? count);
}

/** Returns the first tool that isn't called after the tools before it. Other calls can be in between. */
function findOutOfOrder(names: readonly string[], order: readonly string[]): string | undefined {
	let at = 0;
	return order.find(tool => {
		const found = names.indexOf(tool, at);
		at = found + 1;
		return found < 0;
	});
}

function describeFoundCalls(calls: readonly TracedCall[]): LocalizableMessage {
	const names = calls.slice(0, mostNamed).map(({ tool }) => tool);
	return calls.length === 0
		? localizable`No tool was called.`
		: localizable`Tool calls: ${[...names, ...(calls.length > mostNamed ? ['…'] : [])].join(', ')}.`;
}
