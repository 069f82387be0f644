import { readExpression, readFilter, readTuple } from './readExpression.ts';
import type { AssignmentTarget, Body, Expression, Macro, Placed, Statement } from './syntax.ts';
import { TokenReader } from './tokenReader.ts';
import { readTokens } from './tokens.ts';

/** Jinja statements that aren't available here, because there are no other templates to load. */
const others = new Set(['include', 'import', 'from', 'extends']);

/** Parses a template. @throws {TemplateError} with the line if the template is broken */
export function readTemplate(written: string): Body {
	const { tokens, text } = readTokens(written);
	const reader = new TokenReader(tokens, text);
	const body = readBody(reader, []);
	if (!reader.isToken('end')) {
		throw reader.createError(`Encountered unknown tag '${reader.peekToken().value}'`);
	}
	return body;
}

/** Reads statements up to a tag with one of these names, without consuming that tag. */
function readBody(reader: TokenReader, ends: readonly string[]): Body {
	const body: Statement[] = [];
	for (;;) {
		const { type, value, at } = reader.current;
		if (type === 'text') {
			reader.readToken();
			body.push({ type: 'text', text: value });
		} else if (type === 'openPrint') {
			reader.readToken();
			const expression = readTuple(reader);
			reader.expectToken('closePrint');
			body.push({ type: 'print', value: expression, ...getStatementPosition(reader, at) });
		} else if (type === 'openBlock') {
			const name = reader.peekToken();
			if (name.type === 'name' && ends.includes(name.value)) {
				return body;
			}
			reader.readToken();
			body.push(...readStatement(reader, at));
		} else if (ends.length > 0) {
			throw reader.createError(`Unexpected end of template: expected '${ends.join("' or '")}'`);
		} else {
			return body;
		}
	}
}

function readStatement(reader: TokenReader, at: number): readonly Statement[] {
	const { value: name } = reader.expectToken('name');
	switch (name) {
		case 'if':
			return [readIfStatement(reader, at)];
		case 'for':
			return [readForStatement(reader, at)];
		case 'set':
			return [readSetStatement(reader, at)];
		case 'macro':
			return [readMacroStatement(reader, at)];
		case 'call':
			return [readCallBlock(reader, at)];
		case 'filter':
			return [readFilterBlock(reader, at)];
		case 'with':
			return [readWithStatement(reader, at)];
		case 'autoescape': {
			const on = readExpression(reader);
			const place = closeTag(reader, at);
			return [{ type: 'autoescape', on, body: readBlockBody(reader, 'endautoescape'), ...place }];
		}
		case 'block': {
			reader.expectToken('name');
			while (reader.isName('scoped', 'required')) {
				reader.readToken();
			}
			const place = closeTag(reader, at);
			return [{ type: 'with', values: [], body: readBlockBody(reader, 'endblock', true), ...place }];
		}
		case 'print': {
			const value = readTuple(reader);
			return [{ type: 'print', value, ...closeTag(reader, at) }];
		}
		default:
			throw reader.createError(
				others.has(name) ? `'${name}' needs other templates, which aren't supported here` : `Encountered unknown tag '${name}'`,
				at,
			);
	}
}

function readIfStatement(reader: TokenReader, at: number): Statement {
	const test = readTuple(reader, { ternary: true });
	const place = closeTag(reader, at);
	const branches = [{ test, body: readBody(reader, ['elif', 'else', 'endif']) }];
	let otherwise: Body = [];
	for (;;) {
		reader.expectToken('openBlock');
		const { value: name } = reader.expectToken('name');
		if (name === 'elif') {
			const next = readTuple(reader);
			reader.expectToken('closeBlock');
			branches.push({ test: next, body: readBody(reader, ['elif', 'else', 'endif']) });
			continue;
		}
		reader.expectToken('closeBlock');
		if (name === 'endif') {
			return { type: 'if', branches, otherwise, ...place };
		}
		otherwise = readBody(reader, ['endif']);
	}
}

function readForStatement(reader: TokenReader, at: number): Statement {
	const target = readTarget(reader, ['in']);
	reader.expectToken('name', 'in');
	const list = readTuple(reader, { ternary: false, stops: ['recursive'] });
	const test = reader.skipToken('name', 'if') ? readExpression(reader) : undefined;
	const recursive = reader.skipToken('name', 'recursive');
	const place = closeTag(reader, at);
	const body = readBody(reader, ['else', 'endfor']);
	let otherwise: Body = [];
	if (skipNameTag(reader) === 'else') {
		otherwise = readBody(reader, ['endfor']);
		skipNameTag(reader);
	}
	return { type: 'for', target, list, test, recursive, body, otherwise, ...place };
}

function readSetStatement(reader: TokenReader, at: number): Statement {
	const target = readTarget(reader, []);
	if (reader.skipToken('operator', '=')) {
		const value = readTuple(reader);
		return { type: 'set', target, value, ...closeTag(reader, at) };
	}
	const filter = reader.isOperator('|') ? readFilterChain(reader, { type: 'name', name: '' }) : undefined;
	const place = closeTag(reader, at);
	return { type: 'setBlock', target, filter, body: readBlockBody(reader, 'endset'), ...place };
}

/** Reads filters after a block. An operand with an empty name represents the block's text. */
function readFilterChain(reader: TokenReader, operand: Expression): Expression {
	let value = operand;
	while (reader.isOperator('|')) {
		value = readFilter(reader, value);
	}
	return value;
}

function readFilterBlock(reader: TokenReader, at: number): Statement {
	const filter = readFilterChain(reader, readFilter(reader, undefined));
	const place = closeTag(reader, at);
	return { type: 'filterBlock', filter, body: readBlockBody(reader, 'endfilter'), ...place };
}

function readMacroStatement(reader: TokenReader, at: number): Statement {
	const { value: name } = reader.expectToken('name');
	const parameters = readParameters(reader);
	const place = closeTag(reader, at);
	return { type: 'macro', macro: { name, parameters, body: readBlockBody(reader, 'endmacro', true) }, ...place };
}

function readCallBlock(reader: TokenReader, at: number): Statement {
	const parameters = reader.isOperator('(') ? readParameters(reader) : [];
	const call = readExpression(reader);
	if (call.type !== 'call') {
		throw reader.createError("expected a call after 'call'", at);
	}
	const place = closeTag(reader, at);
	return { type: 'callBlock', call, caller: { name: 'caller', parameters, body: readBlockBody(reader, 'endcall') }, ...place };
}

function readParameters(reader: TokenReader): Macro['parameters'] {
	reader.expectToken('operator', '(');
	const parameters: { name: string; value: Expression | undefined }[] = [];
	while (!reader.skipToken('operator', ')')) {
		if (parameters.length > 0) {
			reader.expectToken('operator', ',');
		}
		const { value: name } = reader.expectToken('name');
		parameters.push({ name, value: reader.skipToken('operator', '=') ? readExpression(reader) : undefined });
	}
	return parameters;
}

function readWithStatement(reader: TokenReader, at: number): Statement {
	const values: (readonly [AssignmentTarget, Expression])[] = [];
	while (!reader.isToken('closeBlock')) {
		if (values.length > 0) {
			reader.expectToken('operator', ',');
		}
		const target = readSingleTarget(reader);
		reader.expectToken('operator', '=');
		values.push([target, readExpression(reader)]);
	}
	const place = closeTag(reader, at);
	return { type: 'with', values, body: readBlockBody(reader, 'endwith'), ...place };
}

function readTarget(reader: TokenReader, stops: readonly string[]): AssignmentTarget {
	const first = readSingleTarget(reader);
	if (!reader.isOperator(',')) {
		return first;
	}
	const items = [first];
	while (reader.skipToken('operator', ',') && !reader.isName(...stops) && !reader.isOperator('=', ')')) {
		items.push(readSingleTarget(reader));
	}
	return { type: 'tuple', items };
}

function readSingleTarget(reader: TokenReader): AssignmentTarget {
	if (reader.skipToken('operator', '(')) {
		const inner = readTarget(reader, []);
		reader.expectToken('operator', ')');
		return inner;
	}
	const { value: name, at } = reader.expectToken('name');
	if (['true', 'false', 'none', 'True', 'False', 'None'].includes(name)) {
		throw reader.createError(`can't assign to '${name}'`, at);
	}
	return reader.skipToken('operator', '.')
		? { type: 'member', object: name, name: reader.expectToken('name').value }
		: { type: 'name', name };
}

/** Reads a body and its end tag. @param named true if the end tag may repeat the block's name */
function readBlockBody(reader: TokenReader, end: string, named = false): Body {
	const body = readBody(reader, [end]);
	reader.expectToken('openBlock');
	reader.expectToken('name', end);
	if (named && reader.isToken('name')) {
		reader.readToken();
	}
	reader.expectToken('closeBlock');
	return body;
}

/** Consumes a tag that consists only of its name. */
function skipNameTag(reader: TokenReader): string {
	reader.expectToken('openBlock');
	const { value } = reader.expectToken('name');
	reader.expectToken('closeBlock');
	return value;
}

/** Consumes the end of a tag. */
function closeTag(reader: TokenReader, at: number): Placed {
	reader.expectToken('closeBlock');
	return getStatementPosition(reader, at);
}

function getStatementPosition(reader: TokenReader, at: number): Placed {
	return { source: reader.getSourceFrom(at), line: reader.getLine(at) };
}
