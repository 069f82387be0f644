import { NodeError } from './nodes/nodeType.ts';

type Operation = (current: unknown, input: unknown) => unknown;

/**
 * The value of a variable after an operation on it (workflow DSL, "assigner").
 * @throws {NodeError} if the operation is none for the variable's type, or the input is of another type
 */
export function assigned(current: unknown, operation: string, input: unknown): unknown {
	const type = typeOf(current);
	const apply = (type === 'array' ? arrayOperations : type === 'number' ? numberOperations : otherOperations)[operation];
	if (!apply) {
		throw fault(`Operation ${operation} is not supported for type ${type}`, 'OperationNotSupportedError');
	}
	return apply(current, input);
}

/** Type names as the hosted service has them in its texts; lists are "array". */
export function typeOf(value: unknown): string {
	if (Array.isArray(value)) {
		return 'array';
	}
	return value === null ? 'none' : typeof value;
}

const overwrite: Operation = (current, input) => {
	if (current !== null && input !== null && typeOf(current) !== typeOf(input)) {
		throw fault(`Invalid input value ${JSON.stringify(input)}`, 'InvalidInputValueError');
	}
	return input;
};

const set: Operation = (current, input) => {
	if (typeof input === 'string' && current !== null && typeof current !== 'string') {
		return overwrite(current, parsed(input));
	}
	return overwrite(current, input);
};

const otherOperations: Readonly<Record<string, Operation>> = {
	'over-write': overwrite,
	clear: current => (typeof current === 'string' ? '' : typeof current === 'boolean' ? false : current === null ? null : {}),
	set,
};

const numberOperations: Readonly<Record<string, Operation>> = {
	'over-write': overwrite,
	clear: () => 0,
	set,
	'+=': (current, input) => (current as number) + number(input),
	'-=': (current, input) => (current as number) - number(input),
	'*=': (current, input) => (current as number) * number(input),
	'/=': (current, input) => {
		if (number(input) === 0) {
			throw fault('Invalid input value 0', 'InvalidInputValueError');
		}
		return (current as number) / number(input);
	},
};

const arrayOperations: Readonly<Record<string, Operation>> = {
	'over-write': overwrite,
	clear: () => [],
	append: (current, input) => [...(current as unknown[]), input],
	extend: (current, input) => {
		if (!Array.isArray(input)) {
			throw fault(`Invalid input value ${JSON.stringify(input)}`, 'InvalidInputValueError');
		}
		return [...(current as unknown[]), ...input];
	},
	'remove-first': current => (current as unknown[]).slice(1),
	'remove-last': current => (current as unknown[]).slice(0, -1),
};

/** Every operation on a variable, whatever its type. */
export const operationNames: readonly string[] = [
	...new Set([otherOperations, numberOperations, arrayOperations].flatMap(operations => Object.keys(operations))),
];

function number(input: unknown): number {
	const value = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
	if (typeof value !== 'number' || Number.isNaN(value)) {
		throw fault(`Invalid input value ${JSON.stringify(input)}`, 'InvalidInputValueError');
	}
	return value;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new NodeError(`Invalid input value ${JSON.stringify(text)}`, 'InvalidInputValueError', { cause });
	}
}

function fault(message: string, type: string): NodeError {
	return new NodeError(message, type);
}
