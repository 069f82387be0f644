import { Evaluator, getExpressionName } from './evaluate.ts';
import { escapeHtml, safeFilters } from './filters/textFilters.ts';
import { createLoop } from './loop.ts';
import type { AssignmentTarget, Body, Expression, Macro, Placed, Statement } from './reading/syntax.ts';
import { TemplateScope } from './scope.ts';
import { addTemplatePosition, TemplateError } from './templateError.ts';
import { toPrintedText } from './values/printing.ts';
import {
	type Arguments,
	Callable,
	Dict,
	getTypeName,
	isTruthy,
	listItems,
	Members,
	Tuple,
	Undefined,
	type Value,
} from './values/values.ts';

type Of<T extends Statement['type']> = Statement & { readonly type: T };

/** Maximum number of characters that a template may print. */
const maxPrinted = 4_000_000;

/** Executes the statements of a template. */
export class Renderer extends Evaluator {
	#printedLength = 0;

	/** @throws {TemplateError} with the statement that failed */
	render(body: Body, scope: TemplateScope): string {
		const pieces: string[] = [];
		for (const statement of body) {
			const text = statement.type === 'text' ? statement.text : this.#renderWithPosition(statement, scope);
			if (statement.type === 'text' || statement.type === 'print') {
				this.#printedLength += text.length;
				if (this.#printedLength > maxPrinted) {
					throw new TemplateError(`its output is longer than ${maxPrinted} characters`);
				}
			}
			pieces.push(text);
		}
		return pieces.join('');
	}

	#renderWithPosition(statement: Exclude<Statement, Of<'text'>>, scope: TemplateScope): string {
		const { source, line } = statement as Placed;
		try {
			return this.#renderStatement(statement, scope);
		} catch (error) {
			throw addTemplatePosition(error, source, line);
		}
	}

	#renderStatement(statement: Exclude<Statement, Of<'text'>>, scope: TemplateScope): string {
		switch (statement.type) {
			case 'print':
				return this.#renderOutput(statement.value, scope);
			case 'if': {
				const taken = statement.branches.find(({ test }) => isTruthy(this.evaluateExpression(test, scope)));
				return this.render(taken?.body ?? statement.otherwise, scope);
			}
			case 'for':
				return this.#renderLoop(statement, scope);
			case 'set':
				this.#assignValue(statement.target, this.evaluateExpression(statement.value, scope), scope);
				return '';
			case 'setBlock': {
				const text = this.render(statement.body, new TemplateScope(scope));
				this.#assignValue(statement.target, statement.filter ? this.applyFilter(statement.filter, text, scope) : text, scope);
				return '';
			}
			case 'macro':
				scope.set(statement.macro.name, this.#createMacro(statement.macro, scope));
				return '';
			case 'callBlock':
				return this.#renderCallBlock(statement, scope);
			case 'filterBlock':
				this.budget?.throwTakesLonger();
				return toPrintedText(this.applyFilter(statement.filter, this.render(statement.body, new TemplateScope(scope)), scope));
			case 'with': {
				const inner = new TemplateScope(scope);
				for (const [target, value] of statement.values) {
					this.#assignValue(target, this.evaluateExpression(value, scope), inner);
				}
				return this.render(statement.body, inner);
			}
			case 'autoescape':
				return this.render(statement.body, new TemplateScope(scope, isTruthy(this.evaluateExpression(statement.on, scope))));
		}
	}

	#renderOutput(expression: Expression, scope: TemplateScope): string {
		const text = toPrintedText(this.evaluateExpression(expression, scope));
		const isSafe = expression.type === 'filter' && safeFilters.has(expression.name);
		return scope.escapes && !isSafe ? escapeHtml(text) : text;
	}

	#renderLoop(statement: Of<'for'>, scope: TemplateScope, list = this.evaluateExpression(statement.list, scope), depth = 0): string {
		const items = listItems(list).filter(item => {
			if (!statement.test) {
				return true;
			}
			const inner = new TemplateScope(scope);
			this.#assignValue(statement.target, item, inner);
			return isTruthy(this.evaluateExpression(statement.test, inner));
		});
		if (items.length === 0) {
			return this.render(statement.otherwise, new TemplateScope(scope));
		}
		const again = statement.recursive ? (inner: Value) => this.#renderLoop(statement, scope, inner, depth + 1) : undefined;
		const { loop, next } = createLoop(items, depth, again);
		let text = '';
		for (const item of items) {
			this.budget?.chargeStep();
			next();
			const inner = new TemplateScope(scope);
			inner.set('loop', loop);
			this.#assignValue(statement.target, item, inner);
			text += this.render(statement.body, inner);
		}
		return text;
	}

	#assignValue(target: AssignmentTarget, value: Value, scope: TemplateScope): void {
		if (target.type === 'name') {
			scope.set(target.name, value);
		} else if (target.type === 'member') {
			const owner = scope.get(target.object);
			if (!(owner instanceof Members) || !owner.set) {
				throw new TemplateError(`'${target.object}' isn't a namespace. Only attributes of a namespace can be set.`);
			}
			owner.set(target.name, value);
		} else {
			if (typeof value !== 'string' && !Array.isArray(value) && !(value instanceof Dict)) {
				throw new TemplateError(`cannot unpack non-iterable ${getTypeName(value)} object`);
			}
			const items = listItems(value);
			if (items.length !== target.items.length) {
				const fault = items.length < target.items.length ? 'not enough' : 'too many';
				const got = items.length < target.items.length ? `, got ${items.length}` : '';
				throw new TemplateError(`${fault} values to unpack (expected ${target.items.length}${got})`);
			}
			for (const [index, item] of items.entries()) {
				this.#assignValue(target.items[index] as AssignmentTarget, item, scope);
			}
		}
	}

	#renderCallBlock({ call, caller }: Of<'callBlock'>, scope: TemplateScope): string {
		this.budget?.throwTakesLonger();
		const { callee, args } = call as Expression & { readonly type: 'call' };
		const { positional, named } = this.evaluateArguments(args, scope);
		const given = { positional, named: new Map([...named, ['caller', this.#createMacro(caller, scope) as Value]]) };
		return toPrintedText(this.callValue(this.evaluateExpression(callee, scope), given, getExpressionName(callee)));
	}

	#createMacro({ name, parameters, body }: Macro, scope: TemplateScope): Callable {
		const known = new Set(parameters.map(parameter => parameter.name));
		const renderMacro = ({ positional, named }: Arguments): string => {
			const inner = new TemplateScope(scope);
			inner.set('varargs', Tuple.create(...positional.slice(parameters.length)));
			inner.set('kwargs', new Dict([...named].filter(([key]) => !known.has(key) && key !== 'caller')));
			inner.set('caller', named.get('caller') ?? new Undefined('caller'));
			for (const [index, parameter] of parameters.entries()) {
				const given = index < positional.length ? positional[index] : named.get(parameter.name);
				const evaluateDefault = () => (parameter.value ? this.evaluateExpression(parameter.value, inner) : new Undefined(parameter.name));
				inner.set(parameter.name, given === undefined ? evaluateDefault() : given);
			}
			return this.render(body, inner);
		};
		return new Callable(name, renderMacro);
	}
}
