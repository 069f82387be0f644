import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '#base/records/plainValues.ts';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import type { TracedCall } from '../../running/toolCalls.ts';
import type { CheckFields } from '../../suite.ts';
import type { CheckedRun } from '../checkSubject.ts';
import { describeCalls } from '../expectations.ts';
import type { Show, Verdict } from '../verdict.ts';

/** How calls are compared: all of them in this order, all in any order, none beyond the expected ones, or at least those. */
type MatchMode = 'strict' | 'unordered' | 'subset' | 'superset';

/** How arguments are compared. `allowed`: the expected arguments are lists of allowed values (Berkeley Function Calling Leaderboard). */
type ArgumentMode = 'exact' | 'ignore' | 'subset' | 'superset' | 'allowed';

type Arguments = Readonly<Record<string, unknown>>;

interface ExpectedCall {
	readonly tool: string;
	readonly arguments?: Arguments;
}

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
	const missing = called.filter(tool => !names.includes(tool));
	const surplus = [...new Set(names)].filter(tool => never.includes(tool) || (only && !only.includes(tool)));
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
export function checkTrajectory(fields: CheckFields, { trace }: CheckedRun, show: Show): Verdict {
	const {
		match = 'strict',
		arguments: mode = 'exact',
		calls: expected,
		perTool = {},
	} = fields['trajectory'] as {
		readonly match?: MatchMode;
		readonly arguments?: ArgumentMode;
		readonly calls: readonly ExpectedCall[];
		readonly perTool?: Readonly<Record<string, ArgumentMode>>;
	};
	const { toolCalls: actual } = trace;
	const fits = (call: TracedCall, wanted: ExpectedCall) =>
		call.tool === wanted.tool &&
		(wanted.arguments === undefined || areArgumentsEqual(call.arguments, wanted.arguments, perTool[call.tool] ?? mode));
	const matched = match === 'strict' ? countOrdered(actual, expected, fits) : countMatching(actual, expected, fits);
	const required = { strict: [actual, expected], unordered: [actual, expected], subset: [actual], superset: [expected] }[match];
	const all = actual.length + expected.length;
	return {
		holds: required.every(({ length }) => length === matched),
		score: all === 0 ? 1 : (2 * matched) / all,
		expectation: describeCalls(show(expected), fields['not'] === true),
		found: localizable`${describeFoundCalls(actual)} Matching: ${matched} of ${expected.length}.`,
		expected,
		actual: actual.map(({ tool, arguments: given }) => ({ tool, arguments: given })),
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

/** Compares the arguments of a call with the expected ones. */
function areArgumentsEqual(actual: Arguments, expected: Arguments, mode: ArgumentMode): boolean {
	const hasEqual = (name: string) => name in actual && name in expected && isDeepStrictEqual(actual[name], expected[name]);
	switch (mode) {
		case 'ignore':
			return true;
		case 'exact':
			return isDeepStrictEqual({ ...actual }, { ...expected });
		case 'subset':
			return Object.keys(actual).every(hasEqual);
		case 'superset':
			return Object.keys(expected).every(hasEqual);
		case 'allowed':
			return (
				Object.keys(actual).every(name => name in expected) &&
				Object.entries(expected).every(([name, values]) => {
					const allowed: readonly unknown[] = Array.isArray(values) ? values : [values];
					// an empty string means that the argument can be absent
					return name in actual ? allowed.some(value => isAllowed(actual[name], value)) : allowed.includes('');
				})
			);
	}
}

/** Compares values of the same type; strings without case, spaces and punctuation. */
function isAllowed(actual: unknown, allowed: unknown): boolean {
	if (typeof actual === 'string' && typeof allowed === 'string') {
		return normalizeText(actual) === normalizeText(allowed);
	}
	if (Array.isArray(actual) && Array.isArray(allowed)) {
		return actual.length === allowed.length && actual.every((each, at) => isAllowed(each, allowed[at]));
	}
	return isRecord(actual) && isRecord(allowed) ? areArgumentsEqual(actual, allowed, 'allowed') : isDeepStrictEqual(actual, allowed);
}

const normalizeText = (text: string) =>
	text
		.replace(/[ ,./\-_*^]/g, '')
		.toLowerCase()
		.replaceAll("'", '"');

type Fits = (call: TracedCall, expected: ExpectedCall) => boolean;

/** Counts the calls of the longest common subsequence. */
function countOrdered(actual: readonly TracedCall[], expected: readonly ExpectedCall[], fits: Fits): number {
	let row = new Array<number>(expected.length + 1).fill(0);
	for (const call of actual) {
		const next = [0];
		for (const [at, wanted] of expected.entries()) {
			next.push(fits(call, wanted) ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
		}
		row = next;
	}
	return row.at(-1)!;
}

/** Counts the pairs of a maximum matching, found by augmenting paths. */
function countMatching(actual: readonly TracedCall[], expected: readonly ExpectedCall[], fits: Fits): number {
	const takenBy = new Map<number, number>();
	const assignCall = (call: number, seen: Set<number>): boolean =>
		expected.some((wanted, at) => {
			if (seen.has(at) || !fits(actual[call]!, wanted)) {
				return false;
			}
			seen.add(at);
			const other = takenBy.get(at);
			if (other !== undefined && !assignCall(other, seen)) {
				return false;
			}
			takenBy.set(at, call);
			return true;
		});
	return actual.filter((_, call) => assignCall(call, new Set())).length;
}
