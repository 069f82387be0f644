import type { Budget } from './budget.ts';
import { filters, isQuick, worksOnItems } from './filters/filters.ts';
import { safeFilters } from './filters/textFilters.ts';
import { itemOf, memberOf, sliceOf } from './members.ts';
import type { ArgumentList, Expression } from './reading/syntax.ts';
import type { TemplateScope } from './scope.ts';
import { TemplateError } from './templateError.ts';
import { tests } from './tests.ts';
import { comparisons, refuseUndefined } from './values/comparisons.ts';
import { operators, signed } from './values/operators.ts';
import {
	type Arguments,
	Callable,
	Dict,
	isTrue,
	itemsOf,
	keyOf,
	Members,
	Tuple,
	typeName,
	Undefined,
	type Value,
} from './values/values.ts';

/** Maximum characters of a string and items of a list that a template may create, to limit memory. */
const maxText = 4_000_000;
const maxItems = 1_000_000;

/** Evaluates expressions. With a `budget`, evaluation is limited to a few milliseconds. */
export class Evaluator {
	readonly budget: Budget | undefined;

	constructor(budget: Budget | undefined) {
		this.budget = budget;
	}

	/** @throws {TemplateError} if evaluation fails */
	value(expression: Expression, scope: TemplateScope): Value {
		this.budget?.step();
		const value = this.#value(expression, scope);
		if (typeof value === 'string' && value.length > maxText) {
			throw new TemplateError(`a string in it is longer than ${maxText} characters`);
		}
		if (Array.isArray(value) && value.length > maxItems) {
			throw new TemplateError(`a list in it has more than ${maxItems} items`);
		}
		this.budget?.pay(value);
		return value;
	}

	/** Applies the filters of a filter block to its text. */
	filtered(filter: Expression, text: string, scope: TemplateScope): Value {
		const inner = filter as Expression & { readonly type: 'filter' };
		const { operand } = inner;
		const given = operand?.type === 'filter' ? this.filtered(operand, text, scope) : text;
		return this.#filter(inner.name, given, this.arguments(inner.args, scope));
	}

	/**
	 * Calls a function or callable object.
	 * @param called the expression's name, for messages
	 */
	call(callee: Value, args: Arguments, called: string): Value {
		if (callee instanceof Callable) {
			this.budget?.call(callee.quick, [...args.positional, ...args.named.values()]);
			return callee.call(args);
		}
		if (callee instanceof Members && callee.call) {
			this.budget?.refuse();
			return callee.call(args);
		}
		if (callee instanceof Undefined) {
			throw new TemplateError(`${called ? `'${called}'` : 'the function'} is undefined`);
		}
		throw new TemplateError(`'${typeName(callee)}' object is not callable`);
	}

	arguments({ positional, named, spread, spreadNamed }: ArgumentList, scope: TemplateScope): Arguments {
		const values = positional.map(each => this.value(each, scope));
		const names = new Map(named.map(([name, each]) => [name, this.value(each, scope)]));
		const more = spreadNamed && this.value(spreadNamed, scope);
		if (more instanceof Dict) {
			for (const [name, value] of more) {
				names.set(String(name), value);
			}
		}
		return { positional: spread ? [...values, ...itemsOf(this.value(spread, scope))] : values, named: names };
	}

	#value(expression: Expression, scope: TemplateScope): Value {
		switch (expression.type) {
			case 'constant':
				return expression.value;
			case 'name': {
				const found = scope.get(expression.name);
				return found === undefined ? new Undefined(expression.name) : found;
			}
			case 'list':
				return expression.items.map(item => this.value(item, scope));
			case 'tuple':
				return Tuple.of2(...expression.items.map(item => this.value(item, scope)));
			case 'dict':
				return new Dict(expression.entries.map(([key, item]) => [keyOf(this.value(key, scope)), this.value(item, scope)]));
			case 'condition': {
				if (isTrue(this.value(expression.test, scope))) {
					return this.value(expression.yes, scope);
				}
				return expression.no ? this.value(expression.no, scope) : new Undefined();
			}
			case 'and':
			case 'or': {
				const left = this.value(expression.left, scope);
				return isTrue(left) === (expression.type === 'and') ? this.value(expression.right, scope) : left;
			}
			case 'not':
				return !isTrue(this.value(expression.operand, scope));
			case 'signed':
				return signed(expression.operator, this.value(expression.operand, scope));
			case 'operation': {
				const [left, right] = [this.value(expression.left, scope), this.value(expression.right, scope)];
				this.budget?.operation(expression.operator, left, right);
				return (operators[expression.operator] as (left: Value, right: Value) => Value)(left, right);
			}
			case 'comparison':
				return this.#compared(expression, scope);
			case 'member':
				return memberOf(this.#owner(expression.object, scope), expression.name);
			case 'item': {
				const owner = this.#owner(expression.object, scope);
				return itemOf(owner, this.value(expression.key, scope));
			}
			case 'slice': {
				const owner = this.#owner(expression.object, scope);
				return sliceOf(
					owner,
					expression.bounds.map(bound => bound && this.value(bound, scope)),
				);
			}
			case 'call':
				return this.call(this.value(expression.callee, scope), this.arguments(expression.args, scope), nameOf(expression.callee));
			case 'filter': {
				const operand = expression.operand ? this.value(expression.operand, scope) : '';
				const inner = expression.operand?.type === 'filter' ? expression.operand.name : '';
				if (safeFilters.has(inner) && (expression.name === 'e' || expression.name === 'escape')) {
					return operand;
				}
				return this.#filter(expression.name, operand, this.arguments(expression.args, scope));
			}
			case 'test': {
				const operand = expression.operand ? this.value(expression.operand, scope) : '';
				const test = tests.get(expression.name);
				if (!test) {
					throw new TemplateError(`No test named '${expression.name}'`);
				}
				const { positional } = this.arguments(expression.args, scope);
				this.budget?.call(true, positional);
				return test(operand, ...positional);
			}
		}
	}

	#filter(name: string, operand: Value, args: Arguments): Value {
		const filter = filters.get(name);
		if (!filter) {
			throw new TemplateError(`No filter named '${name}'`);
		}
		this.budget?.filter(isQuick(name, args.positional), worksOnItems(name), operand, [...args.positional, ...args.named.values()]);
		return filter.call(operand, args);
	}

	/** Evaluates each operand once, and stops at the first comparison that is false. */
	#compared({ first, row }: Expression & { readonly type: 'comparison' }, scope: TemplateScope): boolean {
		let left = this.value(first, scope);
		return row.every(([operator, expression]) => {
			const right = this.value(expression, scope);
			this.budget?.operation(operator, left, right);
			const holds = comparisons[operator]?.(left, right) ?? false;
			left = right;
			return holds;
		});
	}

	/** Evaluates the object of a member access, which must be defined. */
	#owner(expression: Expression, scope: TemplateScope): Value {
		const owner = this.value(expression, scope);
		refuseUndefined(owner);
		return owner;
	}
}

/** Returns the name of a called expression for messages. */
export function nameOf(expression: Expression): string {
	switch (expression.type) {
		case 'name':
			return expression.name;
		case 'member': {
			const owner = nameOf(expression.object);
			return owner ? `${owner}.${expression.name}` : expression.name;
		}
		default:
			return '';
	}
}
