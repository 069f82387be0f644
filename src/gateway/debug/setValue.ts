import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { GateLevel } from '#engine/run/gate.ts';
import { isObjectValue } from '#engine/variables/objectValue.ts';
import { replaced } from '#engine/variables/replaced.ts';
import { segmentType } from '#engine/variables/segmentType.ts';
import type { ValuePath } from './places.ts';

/** Whether a value of this type can be set by hand. */
export function isSettable(type: string): boolean {
	return !type.includes('file');
}

/**
 * Puts a value into a variable, or into a list or object that one holds: all who read the variable get it from now on.
 * @param selector node (or `sys`, `env`, `conversation`), variable, keys and indexes into it
 * @returns what was there
 */
export function setValue(level: GateLevel, selector: ValuePath, value: unknown): unknown {
	const [node, variable, ...keys] = selector.map(String) as [string, string, ...string[]];
	const { variables } = level;
	const current = variables.get([node, variable]);
	const previous = keys.reduce<unknown>(
		(inner, key) => (isObjectValue(inner) || Array.isArray(inner) ? inner[key as never] : undefined),
		current,
	);
	const type = keys.length === 0 ? variables.typeOf(node, variable) : segmentType(previous);
	const expected = expectation(type, value);
	if (expected !== undefined) {
		const told = JSON.stringify(value)?.slice(0, 60) ?? 'nothing';
		throw new ServiceFault(400, `{{#${selector.join('.')}#}} is of type ${type}: expected ${expected}, got ${told}.`, { params: 'value' });
	}
	variables.put(node, variable, replaced(current, keys, value));
	return previous;
}

/** What a value should have been; undefined: it is. */
function expectation(type: string, value: unknown): string | undefined {
	if (value === undefined) {
		return 'a value, as JSON has it';
	}
	if (!isSettable(type)) {
		return 'a file, which cannot be set by hand';
	}
	if (type === 'none') {
		return undefined;
	}
	const element = /^array\[(\w+)\]$/.exec(type)?.[1];
	if (element !== undefined) {
		const test = tests[element];
		return Array.isArray(value) && (test === undefined || value.every(item => test.of(item)))
			? undefined
			: `a list${test ? `, each item ${test.expected}` : ''}`;
	}
	const test = tests[type];
	return test === undefined || test.of(value) ? undefined : test.expected;
}

interface Test {
	readonly expected: string;
	readonly of: (value: unknown) => boolean;
}

const number: Test = { expected: 'a number', of: value => typeof value === 'number' && Number.isFinite(value) };

/** By type; a whole number can become one that is none. */
const tests: Readonly<Record<string, Test>> = {
	string: { expected: 'a text', of: value => typeof value === 'string' },
	number,
	integer: number,
	float: number,
	boolean: { expected: 'true or false', of: value => typeof value === 'boolean' },
	object: { expected: 'an object', of: isObjectValue },
};
