import { isDeepStrictEqual } from 'node:util';
import { getOwnField } from '#base/records/ownField.ts';
import { isRecord } from '#base/records/plainValues.ts';

/** How calls are compared: all of them in this order, all in any order, none beyond the expected ones, or at least those. */
type MatchMode = 'strict' | 'unordered' | 'subset' | 'superset';

/** How arguments are compared. `allowed`: the expected arguments are lists of allowed values (Berkeley Function Calling Leaderboard). */
type ArgumentMode = 'exact' | 'ignore' | 'subset' | 'superset' | 'allowed';

type Arguments = Readonly<Record<string, unknown>>;

/** A call that a check expects. */
interface ExpectedCall {
	readonly tool: string;
	readonly arguments?: Arguments;
}

/** A call that was made. */
interface MadeCall {
	readonly tool: string;
	readonly arguments: Arguments;
}

/** The field `trajectory` of a check. */
export interface Trajectory {
	readonly match?: MatchMode;
	readonly arguments?: ArgumentMode;
	readonly calls: readonly ExpectedCall[];
	readonly perTool?: Readonly<Record<string, ArgumentMode>>;
}

/** Calls to compare with a trajectory. */
export interface ComparedCalls {
	readonly calls: readonly MadeCall[];
	readonly trajectory: Trajectory;
}

/** Returns the number of calls in the largest possible matching. Takes time in proportion to both lists multiplied, or more. */
export function countMatchingCalls({ calls, trajectory }: ComparedCalls): number {
	const { match = 'strict', arguments: mode = 'exact', calls: expected, perTool = {} } = trajectory;
	const fits = (call: MadeCall, wanted: ExpectedCall) =>
		call.tool === wanted.tool &&
		(wanted.arguments === undefined || areArgumentsEqual(call.arguments, wanted.arguments, getOwnField(perTool, call.tool) ?? mode));
	return match === 'strict' ? countOrdered(calls, expected, fits) : countMatching(calls, expected, fits);
}

/** Compares the arguments of a call with the expected ones. */
function areArgumentsEqual(actual: Arguments, expected: Arguments, mode: ArgumentMode): boolean {
	const hasEqual = (name: string) =>
		Object.hasOwn(actual, name) && Object.hasOwn(expected, name) && isDeepStrictEqual(actual[name], expected[name]);
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
				Object.keys(actual).every(name => Object.hasOwn(expected, name)) &&
				Object.entries(expected).every(([name, values]) => {
					const allowed: readonly unknown[] = Array.isArray(values) ? values : [values];
					// an empty string means that the argument can be absent
					return Object.hasOwn(actual, name) ? allowed.some(value => isAllowed(actual[name], value)) : allowed.includes('');
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

type Fits = (call: MadeCall, expected: ExpectedCall) => boolean;

/** Counts the calls of the longest common subsequence. */
function countOrdered(actual: readonly MadeCall[], expected: readonly ExpectedCall[], fits: Fits): number {
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
function countMatching(actual: readonly MadeCall[], expected: readonly ExpectedCall[], fits: Fits): number {
	/** Expected call of each call, and the reverse. */
	const matched = new Map<number, number>();
	const takenBy = new Map<number, number>();
	for (const start of actual.keys()) {
		/** Call from which the search has reached each expected call. */
		const reachedBy = new Map<number, number>();
		const queue = [start];
		let free: number | undefined;
		for (let next = 0; free === undefined && next < queue.length; next++) {
			const call = queue[next]!;
			for (const [at, wanted] of expected.entries()) {
				if (reachedBy.has(at) || !fits(actual[call]!, wanted)) {
					continue;
				}
				reachedBy.set(at, call);
				const other = takenBy.get(at);
				if (other === undefined) {
					free = at;
					break;
				}
				queue.push(other);
			}
		}
		// each call on the path takes the expected call that the search has reached from it
		while (free !== undefined) {
			const call: number = reachedBy.get(free)!;
			const before = matched.get(call);
			matched.set(call, free);
			takenBy.set(free, call);
			free = before;
		}
	}
	return matched.size;
}
