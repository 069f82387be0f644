import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { GateLevel } from '#engine/run/gate.ts';
import { isObjectValue } from '#engine/variables/objectValue.ts';
import { replaceMember } from '#engine/variables/replaced.ts';
import { getSegmentType } from '#engine/variables/segmentType.ts';
import type { ValuePath } from './places.ts';

/** True if a value of this type can be set manually. */
export function isSettable(type: string): boolean {
	return !type.includes('file');
}

/**
 * Sets a variable, or a part of the list or object in it, for all later reads of the variable. Returns the previous value.
 * @param selector node (or `sys`, `env`, `conversation`), variable, keys and indexes into it
 */
export function setVariableValue(level: GateLevel, selector: ValuePath, value: unknown): unknown {
	const [node, variable, ...keys] = selector.map(String) as [string, string, ...string[]];
	const { variables } = level;
	const current = variables.get([node, variable]);
	const previous = keys.reduce<unknown>(
		(inner, key) => (isObjectValue(inner) || Array.isArray(inner) ? inner[key as never] : undefined),
		current,
	);
	const type = keys.length === 0 ? variables.getVariableType(node, variable) : getSegmentType(previous);
	const expected = describeExpectedKind(type, value);
	if (expected !== undefined) {
		const shown = JSON.stringify(value)?.slice(0, 60) ?? 'nothing';
		throw new ServiceFault(400, `{{#${selector.join('.')}#}} has the type ${type}. Expected ${expected}, got ${shown}.`, {
			params: 'value',
		});
	}
	variables.putVariable(node, variable, replaceMember(current, keys, value));
	return previous;
}

/** Returns what kind of value was expected; undefined if the value is valid. */
function describeExpectedKind(type: string, value: unknown): string | undefined {
	if (value === undefined) {
		return 'a JSON value';
	}
	if (!isSettable(type)) {
		return "a file, which can't be set manually";
	}
	if (type === 'none') {
		return undefined;
	}
	const element = /^array\[(\w+)\]$/.exec(type)?.[1];
	if (element !== undefined) {
		const test = tests[element];
		return Array.isArray(value) && (test === undefined || value.every(item => test.test(item)))
			? undefined
			: `a list${test ? `, with each item ${test.expected}` : ''}`;
	}
	const test = tests[type];
	return test === undefined || test.test(value) ? undefined : test.expected;
}

interface Test {
	readonly expected: string;
	readonly test: (value: unknown) => boolean;
}

const number: Test = { expected: 'a number', test: value => typeof value === 'number' && Number.isFinite(value) };

/** Tests by type. A whole number can be changed to a fraction. */
const tests: Readonly<Record<string, Test>> = {
	string: { expected: 'a string', test: value => typeof value === 'string' },
	number,
	integer: number,
	float: number,
	boolean: { expected: 'true or false', test: value => typeof value === 'boolean' },
	object: { expected: 'an object', test: isObjectValue },
};
