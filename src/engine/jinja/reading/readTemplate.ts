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
	if (!reader.is('end')) {
		throw reader.createError(`Encountered unknown tag '${reader.peek().value}'`);
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
			reader.expect('closePrint');
			body.push({ type: 'print', value: expression, ...getPlace(reader, at) });
		} else if (type === 'openBlock') {
			const name = reader.peek();
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
	const { value: name } = reader.expect('name');
	switch (name) {
		case 'if':
			return [readIf(reader, at)];
		case 'for':
			return [readFor(reader, at)];
		case 'set':
			return [readSet(reader, at)];
		case 'macro':
			return [readMacroStatement(reader, at)];
		case 'call':
			return [readCallBlock(reader, at)];
		case 'filter':
			return [readFilterBlock(reader, at)];
		case 'with':
			return [readWith(reader, at)];
		case 'autoescape': {
			const on = readExpression(reader);
			const place = closeHead(reader, at);
			return [{ type: 'autoescape', on, body: readInner(reader, 'endautoescape'), ...place }];
		}
		case 'block': {
			reader.expect('name');
			while (reader.isName('scoped', 'required')) {
				reader.readToken();
			}
			const place = closeHead(reader, at);
			return [{ type: 'with', values: [], body: readInner(reader, 'endblock', true), ...place }];
		}
		case 'print': {
			const value = readTuple(reader);
			return [{ type: 'print', value, ...closeHead(reader, at) }];
		}
		default:
			throw reader.createError(
				others.has(name) ? `'${name}' needs other templates, which aren't supported here` : `Encountered unknown tag '${name}'`,
				at,
			);
	}
}

function readIf(reader: TokenReader, at: number): Statement {
	const test = readTuple(reader, { ternary: true });
	const place = closeHead(reader, at);
	const branches = [{ test, body: readBody(reader, ['elif', 'else', 'endif']) }];
	let otherwise: Body = [];
	for (;;) {
		reader.expect('openBlock');
		const { value: name } = reader.expect('name');
		if (name === 'elif') {
			const next = readTuple(reader);
			reader.expect('closeBlock');
			branches.push({ test: next, body: readBody(reader, ['elif', 'else', 'endif']) });
			continue;
		}
		reader.expect('closeBlock');
		if (name === 'endif') {
			return { type: 'if', branches, otherwise, ...place };
		}
		otherwise = readBody(reader, ['endif']);
	}
}

function readFor(reader: TokenReader, at: number): Statement {
	const target = readTarget(reader, ['in']);
	reader.expect('name', 'in');
	const list = readTuple(reader, { ternary: false, stops: ['recursive'] });
	const test = reader.skip('name', 'if') ? readExpression(reader) : undefined;
	const recursive = reader.skip('name', 'recursive');
	const place = closeHead(reader, at);
	const body = readBody(reader, ['else', 'endfor']);
	let otherwise: Body = [];
	if (skipHead(reader) === 'else') {
		otherwise = readBody(reader, ['endfor']);
		skipHead(reader);
	}
	return { type: 'for', target, list, test, recursive, body, otherwise, ...place };
}

function readSet(reader: TokenReader, at: number): Statement {
	const target = readTarget(reader, []);
	if (reader.skip('operator', '=')) {
		const value = readTuple(reader);
		return { type: 'set', target, value, ...closeHead(reader, at) };
	}
	const filter = reader.isOperator('|') ? readFilterRow(reader, { type: 'name', name: '' }) : undefined;
	const place = closeHead(reader, at);
	return { type: 'setBlock', target, filter, body: readInner(reader, 'endset'), ...place };
}

/** Reads filters after a block. An operand with an empty name represents the block's text. */
function readFilterRow(reader: TokenReader, operand: Expression): Expression {
	let value = operand;
	while (reader.isOperator('|')) {
		value = readFilter(reader, value);
	}
	return value;
}

function readFilterBlock(reader: TokenReader, at: number): Statement {
	const filter = readFilterRow(reader, readFilter(reader, undefined));
	const place = closeHead(reader, at);
	return { type: 'filterBlock', filter, body: readInner(reader, 'endfilter'), ...place };
}

function readMacroStatement(reader: TokenReader, at: number): Statement {
	const { value: name } = reader.expect('name');
	const parameters = readParameters(reader);
	const place = closeHead(reader, at);
	return { type: 'macro', macro: { name, parameters, body: readInner(reader, 'endmacro', true) }, ...place };
}

function readCallBlock(reader: TokenReader, at: number): Statement {
	const parameters = reader.isOperator('(') ? readParameters(reader) : [];
	const call = readExpression(reader);
	if (call.type !== 'call') {
		throw reader.createError("expected a call after 'call'", at);
	}
	const place = closeHead(reader, at);
	return { type: 'callBlock', call, caller: { name: 'caller', parameters, body: readInner(reader, 'endcall') }, ...place };
}

function readParameters(reader: TokenReader): Macro['parameters'] {
	reader.expect('operator', '(');
	const parameters: { name: string; value: Expression | undefined }[] = [];
	while (!reader.skip('operator', ')')) {
		if (parameters.length > 0) {
			reader.expect('operator', ',');
		}
		const { value: name } = reader.expect('name');
		parameters.push({ name, value: reader.skip('operator', '=') ? readExpression(reader) : undefined });
	}
	return parameters;
}

function readWith(reader: TokenReader, at: number): Statement {
	const values: (readonly [AssignmentTarget, Expression])[] = [];
	while (!reader.is('closeBlock')) {
		if (values.length > 0) {
			reader.expect('operator', ',');
		}
		const target = readOneTarget(reader);
		reader.expect('operator', '=');
		values.push([target, readExpression(reader)]);
	}
	const place = closeHead(reader, at);
	return { type: 'with', values, body: readInner(reader, 'endwith'), ...place };
}

function readTarget(reader: TokenReader, stops: readonly string[]): AssignmentTarget {
	const first = readOneTarget(reader);
	if (!reader.isOperator(',')) {
		return first;
	}
	const items = [first];
	while (reader.skip('operator', ',') && !reader.isName(...stops) && !reader.isOperator('=', ')')) {
		items.push(readOneTarget(reader));
	}
	return { type: 'tuple', items };
}

function readOneTarget(reader: TokenReader): AssignmentTarget {
	if (reader.skip('operator', '(')) {
		const inner = readTarget(reader, []);
		reader.expect('operator', ')');
		return inner;
	}
	const { value: name, at } = reader.expect('name');
	if (['true', 'false', 'none', 'True', 'False', 'None'].includes(name)) {
		throw reader.createError(`can't assign to '${name}'`, at);
	}
	return reader.skip('operator', '.') ? { type: 'member', object: name, name: reader.expect('name').value } : { type: 'name', name };
}

/** Reads a body and its end tag. @param named true if the end tag may repeat the block's name */
function readInner(reader: TokenReader, end: string, named = false): Body {
	const body = readBody(reader, [end]);
	reader.expect('openBlock');
	reader.expect('name', end);
	if (named && reader.is('name')) {
		reader.readToken();
	}
	reader.expect('closeBlock');
	return body;
}

/** Consumes a tag that consists only of its name. */
function skipHead(reader: TokenReader): string {
	reader.expect('openBlock');
	const { value } = reader.expect('name');
	reader.expect('closeBlock');
	return value;
}

/** Consumes the end of a tag. */
function closeHead(reader: TokenReader, at: number): Placed {
	reader.expect('closeBlock');
	return getPlace(reader, at);
}

function getPlace(reader: TokenReader, at: number): Placed {
	return { source: reader.getSourceFrom(at), line: reader.getLine(at) };
}
