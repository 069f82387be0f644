import { toFloatValue } from '../../variables/float.ts';
import { toInteger } from '../values/numbers.ts';
import { Undefined, type Value } from '../values/values.ts';
import { readStringLiteral } from './stringLiteral.ts';
import type { ArgumentList, Expression } from './syntax.ts';
import type { TokenReader } from './tokenReader.ts';

const constants: Readonly<Record<string, Value>> = { true: true, True: true, false: false, False: false, none: null, None: null };

/** @param ternary true if `a if b` is allowed, which it isn't in a loop's condition */
export function readExpression(reader: TokenReader, ternary = true): Expression {
	return ternary ? readCondition(reader) : readOrExpression(reader);
}

/**
 * Reads one expression, or several separated by commas as a tuple.
 * @param stops names that end the expression
 */
export function readTuple(reader: TokenReader, { ternary = true, stops = [] as readonly string[], brackets = false } = {}): Expression {
	const items: Expression[] = [];
	let isTuple = false;
	const isAtTupleEnd = () =>
		reader.isToken('closePrint') || reader.isToken('closeBlock') || reader.isOperator(')') || (stops.length > 0 && reader.isName(...stops));
	while (!isAtTupleEnd()) {
		items.push(readExpression(reader, ternary));
		if (!reader.skipToken('operator', ',')) {
			break;
		}
		isTuple = true;
	}
	const [first] = items;
	if (first && !isTuple) {
		return first;
	}
	if (!first && !brackets) {
		throw reader.createError(`expected an expression, got '${reader.current.value}'`);
	}
	return { type: 'tuple', items };
}

function readCondition(reader: TokenReader): Expression {
	let yes = readOrExpression(reader);
	while (reader.skipToken('name', 'if')) {
		const test = readOrExpression(reader);
		yes = { type: 'condition', test, yes, no: reader.skipToken('name', 'else') ? readCondition(reader) : undefined };
	}
	return yes;
}

function readOrExpression(reader: TokenReader): Expression {
	let left = readAndExpression(reader);
	while (reader.skipToken('name', 'or')) {
		left = { type: 'or', left, right: readAndExpression(reader) };
	}
	return left;
}

function readAndExpression(reader: TokenReader): Expression {
	let left = readNotExpression(reader);
	while (reader.skipToken('name', 'and')) {
		left = { type: 'and', left, right: readNotExpression(reader) };
	}
	return left;
}

function readNotExpression(reader: TokenReader): Expression {
	return reader.skipToken('name', 'not') ? { type: 'not', operand: readNotExpression(reader) } : readComparison(reader);
}

function readComparison(reader: TokenReader): Expression {
	const first = readOperation(reader, 0);
	const row: (readonly [string, Expression])[] = [];
	for (;;) {
		if (reader.isOperator('==', '!=', '<', '<=', '>', '>=')) {
			row.push([reader.readToken().value, readOperation(reader, 0)]);
		} else if (reader.skipToken('name', 'in')) {
			row.push(['in', readOperation(reader, 0)]);
		} else if (reader.isName('not') && reader.peekToken().type === 'name' && reader.peekToken().value === 'in') {
			reader.readToken();
			reader.readToken();
			row.push(['not in', readOperation(reader, 0)]);
		} else {
			return row.length > 0 ? { type: 'comparison', first, row } : first;
		}
	}
}

/** Binary operators by increasing precedence. Operators of one level are left-associative. */
const levels = [['+', '-'], ['~'], ['*', '/', '//', '%'], ['**']];

function readOperation(reader: TokenReader, level: number): Expression {
	const operators = levels[level];
	if (!operators) {
		return readUnaryExpression(reader, true);
	}
	let left = readOperation(reader, level + 1);
	while (reader.isOperator(...operators)) {
		left = { type: 'operation', operator: reader.readToken().value, left, right: readOperation(reader, level + 1) };
	}
	return left;
}

function readUnaryExpression(reader: TokenReader, filters: boolean): Expression {
	const value: Expression = reader.isOperator('-', '+')
		? { type: 'signed', operator: reader.readToken().value, operand: readUnaryExpression(reader, false) }
		: readPrimaryExpression(reader);
	const reached = readPostfixOperators(reader, value);
	return filters ? readFilters(reader, reached) : reached;
}

function readPrimaryExpression(reader: TokenReader): Expression {
	const token = reader.readToken();
	switch (token.type) {
		case 'name':
			return Object.hasOwn(constants, token.value)
				? { type: 'constant', value: constants[token.value] as Value }
				: { type: 'name', name: token.value };
		case 'string': {
			let value = readStringLiteral(token.value);
			while (reader.isToken('string')) {
				value += readStringLiteral(reader.readToken().value);
			}
			return { type: 'constant', value };
		}
		case 'int':
			return { type: 'constant', value: toInteger(BigInt(token.value.replaceAll('_', ''))) };
		case 'float':
			return { type: 'constant', value: toFloatValue(Number(token.value.replaceAll('_', ''))) };
		case 'operator':
			return readBracketExpression(reader, token.value, token.at);
		default:
			throw reader.createError(`expected an expression, got '${token.value}'`, token.at);
	}
}

function readBracketExpression(reader: TokenReader, open: string, at: number): Expression {
	if (open === '(') {
		const tuple = readTuple(reader, { brackets: true });
		reader.expectToken('operator', ')');
		return tuple;
	}
	if (open === '[') {
		return { type: 'list', items: readBracketedList(reader, ']', () => readExpression(reader)) };
	}
	if (open === '{') {
		const entries = readBracketedList(reader, '}', () => {
			const key = readExpression(reader);
			reader.expectToken('operator', ':');
			return [key, readExpression(reader)] as const;
		});
		return { type: 'dict', entries };
	}
	throw reader.createError(`expected an expression, got '${open}'`, at);
}

/** Reads comma-separated parts up to a closing bracket. A trailing comma is allowed. */
function readBracketedList<T>(reader: TokenReader, close: string, readPart: () => T): T[] {
	const parts: T[] = [];
	while (!reader.skipToken('operator', close)) {
		if (parts.length > 0) {
			reader.expectToken('operator', ',');
			if (reader.skipToken('operator', close)) {
				break;
			}
		}
		parts.push(readPart());
	}
	return parts;
}

function readPostfixOperators(reader: TokenReader, from: Expression): Expression {
	let value = from;
	for (;;) {
		if (reader.skipToken('operator', '.')) {
			const token = reader.readToken();
			if (token.type !== 'name' && token.type !== 'int') {
				throw reader.createError(`expected a name after '.', got '${token.value}'`, token.at);
			}
			value =
				token.type === 'name'
					? { type: 'member', object: value, name: token.value }
					: { type: 'item', object: value, key: { type: 'constant', value: Number(token.value) } };
		} else if (reader.skipToken('operator', '[')) {
			value = readSubscript(reader, value);
		} else if (reader.isOperator('(')) {
			value = { type: 'call', callee: value, args: readArguments(reader) };
		} else {
			return value;
		}
	}
}

function readSubscript(reader: TokenReader, object: Expression): Expression {
	const bounds: (Expression | undefined)[] = [];
	let isSlice = false;
	for (;;) {
		bounds.push(reader.isOperator(':', ']') ? undefined : readTupleKey(reader));
		if (!reader.skipToken('operator', ':')) {
			break;
		}
		isSlice = true;
	}
	reader.expectToken('operator', ']');
	const [key] = bounds;
	if (isSlice) {
		return { type: 'slice', object, bounds };
	}
	return { type: 'item', object, key: key ?? { type: 'constant', value: new Undefined() } };
}

function readTupleKey(reader: TokenReader): Expression {
	const first = readExpression(reader);
	if (!reader.isOperator(',')) {
		return first;
	}
	const items = [first];
	while (reader.skipToken('operator', ',')) {
		items.push(readExpression(reader));
	}
	return { type: 'tuple', items };
}

function readArguments(reader: TokenReader): ArgumentList {
	reader.expectToken('operator', '(');
	const positional: Expression[] = [];
	const named: (readonly [string, Expression])[] = [];
	let spread: Expression | undefined;
	let spreadNamed: Expression | undefined;
	readBracketedList(reader, ')', () => {
		if (reader.skipToken('operator', '*')) {
			spread = readExpression(reader);
		} else if (reader.skipToken('operator', '**')) {
			spreadNamed = readExpression(reader);
		} else if (reader.isToken('name') && reader.peekToken().type === 'operator' && reader.peekToken().value === '=') {
			const { value } = reader.readToken();
			reader.readToken();
			named.push([value, readExpression(reader)]);
		} else if (named.length > 0) {
			throw reader.createError('invalid syntax for function call expression: a positional argument after a keyword argument');
		} else {
			positional.push(readExpression(reader));
		}
	});
	return { positional, named, spread, spreadNamed };
}

const noArguments: ArgumentList = { positional: [], named: [], spread: undefined, spreadNamed: undefined };

function readFilters(reader: TokenReader, from: Expression): Expression {
	let value = from;
	for (;;) {
		if (reader.isOperator('|')) {
			value = readFilter(reader, value);
		} else if (reader.isName('is')) {
			value = readTest(reader, value);
		} else if (reader.isOperator('(')) {
			value = { type: 'call', callee: value, args: readArguments(reader) };
		} else {
			return value;
		}
	}
}

/** @param operand absent at the start of a filter block, where the first filter has no `|` */
export function readFilter(reader: TokenReader, operand: Expression | undefined): Expression {
	if (operand) {
		reader.expectToken('operator', '|');
	}
	const name = reader.expectDottedName();
	return { type: 'filter', operand, name, args: reader.isOperator('(') ? readArguments(reader) : noArguments };
}

function readTest(reader: TokenReader, operand: Expression): Expression {
	reader.readToken();
	const negated = reader.skipToken('name', 'not');
	const name = reader.expectDottedName();
	let args = noArguments;
	if (reader.isOperator('(')) {
		args = readArguments(reader);
	} else if (isValueStart(reader)) {
		if (reader.isName('is')) {
			throw reader.createError('You cannot chain multiple tests with is');
		}
		args = { ...noArguments, positional: [readPostfixOperators(reader, readPrimaryExpression(reader))] };
	}
	const test: Expression = { type: 'test', operand, name, args };
	return negated ? { type: 'not', operand: test } : test;
}

function isValueStart(reader: TokenReader): boolean {
	const { type } = reader.current;
	return (
		['string', 'int', 'float'].includes(type) ||
		reader.isOperator('[', '{') ||
		(type === 'name' && !reader.isName('else', 'or', 'and', 'if', 'in', 'not'))
	);
}
