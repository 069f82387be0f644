import { Evaluator, nameOf } from './evaluate.ts';
import { escapeHtml, safeFilters } from './filters/textFilters.ts';
import { loopValue } from './loop.ts';
import type { AssignmentTarget, Body, Expression, Macro, Placed, Statement } from './reading/syntax.ts';
import { TemplateScope } from './scope.ts';
import { TemplateError, withPlace } from './templateError.ts';
import { printed } from './values/printing.ts';
import { type Arguments, Callable, Dict, isTrue, itemsOf, Members, Tuple, typeName, Undefined, type Value } from './values/values.ts';

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
			const text = statement.type === 'text' ? statement.text : this.#placed(statement, scope);
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

	#placed(statement: Exclude<Statement, Of<'text'>>, scope: TemplateScope): string {
		const { source, line } = statement as Placed;
		try {
			return this.#statement(statement, scope);
		} catch (error) {
			throw withPlace(error, source, line);
		}
	}

	#statement(statement: Exclude<Statement, Of<'text'>>, scope: TemplateScope): string {
		switch (statement.type) {
			case 'print':
				return this.#print(statement.value, scope);
			case 'if': {
				const taken = statement.branches.find(({ test }) => isTrue(this.value(test, scope)));
				return this.render(taken?.body ?? statement.otherwise, scope);
			}
			case 'for':
				return this.#loop(statement, scope);
			case 'set':
				this.#assign(statement.target, this.value(statement.value, scope), scope);
				return '';
			case 'setBlock': {
				const text = this.render(statement.body, new TemplateScope(scope));
				this.#assign(statement.target, statement.filter ? this.filtered(statement.filter, text, scope) : text, scope);
				return '';
			}
			case 'macro':
				scope.set(statement.macro.name, this.#macro(statement.macro, scope));
				return '';
			case 'callBlock':
				return this.#callBlock(statement, scope);
			case 'filterBlock':
				this.budget?.refuse();
				return printed(this.filtered(statement.filter, this.render(statement.body, new TemplateScope(scope)), scope));
			case 'with': {
				const inner = new TemplateScope(scope);
				for (const [target, value] of statement.values) {
					this.#assign(target, this.value(value, scope), inner);
				}
				return this.render(statement.body, inner);
			}
			case 'autoescape':
				return this.render(statement.body, new TemplateScope(scope, isTrue(this.value(statement.on, scope))));
		}
	}

	#print(expression: Expression, scope: TemplateScope): string {
		const text = printed(this.value(expression, scope));
		const isSafe = expression.type === 'filter' && safeFilters.has(expression.name);
		return scope.escapes && !isSafe ? escapeHtml(text) : text;
	}

	#loop(statement: Of<'for'>, scope: TemplateScope, list = this.value(statement.list, scope), depth = 0): string {
		const items = itemsOf(list).filter(item => {
			if (!statement.test) {
				return true;
			}
			const inner = new TemplateScope(scope);
			this.#assign(statement.target, item, inner);
			return isTrue(this.value(statement.test, inner));
		});
		if (items.length === 0) {
			return this.render(statement.otherwise, new TemplateScope(scope));
		}
		const again = statement.recursive ? (inner: Value) => this.#loop(statement, scope, inner, depth + 1) : undefined;
		const { loop, next } = loopValue(items, depth, again);
		let text = '';
		for (const item of items) {
			this.budget?.step();
			next();
			const inner = new TemplateScope(scope);
			inner.set('loop', loop);
			this.#assign(statement.target, item, inner);
			text += this.render(statement.body, inner);
		}
		return text;
	}

	#assign(target: AssignmentTarget, value: Value, scope: TemplateScope): void {
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
				throw new TemplateError(`cannot unpack non-iterable ${typeName(value)} object`);
			}
			const items = itemsOf(value);
			if (items.length !== target.items.length) {
				const fault = items.length < target.items.length ? 'not enough' : 'too many';
				const got = items.length < target.items.length ? `, got ${items.length}` : '';
				throw new TemplateError(`${fault} values to unpack (expected ${target.items.length}${got})`);
			}
			for (const [index, item] of items.entries()) {
				this.#assign(target.items[index] as AssignmentTarget, item, scope);
			}
		}
	}

	#callBlock({ call, caller }: Of<'callBlock'>, scope: TemplateScope): string {
		this.budget?.refuse();
		const { callee, args } = call as Expression & { readonly type: 'call' };
		const { positional, named } = this.arguments(args, scope);
		const given = { positional, named: new Map([...named, ['caller', this.#macro(caller, scope) as Value]]) };
		return printed(this.call(this.value(callee, scope), given, nameOf(callee)));
	}

	#macro({ name, parameters, body }: Macro, scope: TemplateScope): Callable {
		const known = new Set(parameters.map(parameter => parameter.name));
		const fill = ({ positional, named }: Arguments): string => {
			const inner = new TemplateScope(scope);
			inner.set('varargs', Tuple.of2(...positional.slice(parameters.length)));
			inner.set('kwargs', new Dict([...named].filter(([key]) => !known.has(key) && key !== 'caller')));
			inner.set('caller', named.get('caller') ?? new Undefined('caller'));
			for (const [index, parameter] of parameters.entries()) {
				const given = index < positional.length ? positional[index] : named.get(parameter.name);
				const fallback = () => (parameter.value ? this.value(parameter.value, inner) : new Undefined(parameter.name));
				inner.set(parameter.name, given === undefined ? fallback() : given);
			}
			return this.render(body, inner);
		};
		return new Callable(name, fill);
	}
}
