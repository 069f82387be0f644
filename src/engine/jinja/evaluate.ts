import type { Budget } from './budget.ts';
import { filters, isItemFilter, isQuickFilter } from './filters/filters.ts';
import { safeFilters } from './filters/textFilters.ts';
import { getItem, getMember, sliceValue } from './members.ts';
import type { ArgumentList, Expression } from './reading/syntax.ts';
import type { TemplateScope } from './scope.ts';
import { TemplateError } from './templateError.ts';
import { tests } from './tests.ts';
import { comparisons, refuseUndefined } from './values/comparisons.ts';
import { applySign, operators } from './values/operators.ts';
import {
	type Arguments,
	Callable,
	Dict,
	getTypeName,
	isTruthy,
	listItems,
	Members,
	Tuple,
	toDictKey,
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
	evaluateExpression(expression: Expression, scope: TemplateScope): Value {
		this.budget?.chargeStep();
		const value = this.#computeValue(expression, scope);
		if (typeof value === 'string' && value.length > maxText) {
			throw new TemplateError(`a string in it is longer than ${maxText} characters`);
		}
		if (Array.isArray(value) && value.length > maxItems) {
			throw new TemplateError(`a list in it has more than ${maxItems} items`);
		}
		this.budget?.chargeValue(value);
		return value;
	}

	/** Applies the filters of a filter block to its text. */
	applyFilter(filter: Expression, text: string, scope: TemplateScope): Value {
		const inner = filter as Expression & { readonly type: 'filter' };
		const { operand } = inner;
		const given = operand?.type === 'filter' ? this.applyFilter(operand, text, scope) : text;
		return this.#callFilter(inner.name, given, this.evaluateArguments(inner.args, scope));
	}

	/**
	 * Calls a function or callable object.
	 * @param called the expression's name, for messages
	 */
	callValue(callee: Value, args: Arguments, called: string): Value {
		if (callee instanceof Callable) {
			this.budget?.chargeCall(callee.quick, [...args.positional, ...args.named.values()]);
			return callee.call(args);
		}
		if (callee instanceof Members && callee.call) {
			this.budget?.throwTakesLonger();
			return callee.call(args);
		}
		if (callee instanceof Undefined) {
			throw new TemplateError(`${called ? `'${called}'` : 'the function'} is undefined`);
		}
		throw new TemplateError(`'${getTypeName(callee)}' object is not callable`);
	}

	evaluateArguments({ positional, named, spread, spreadNamed }: ArgumentList, scope: TemplateScope): Arguments {
		const values = positional.map(each => this.evaluateExpression(each, scope));
		const names = new Map(named.map(([name, each]) => [name, this.evaluateExpression(each, scope)]));
		const more = spreadNamed && this.evaluateExpression(spreadNamed, scope);
		if (more instanceof Dict) {
			for (const [name, value] of more) {
				names.set(String(name), value);
			}
		}
		return { positional: spread ? [...values, ...listItems(this.evaluateExpression(spread, scope))] : values, named: names };
	}

	#computeValue(expression: Expression, scope: TemplateScope): Value {
		switch (expression.type) {
			case 'constant':
				return expression.value;
			case 'name': {
				const found = scope.get(expression.name);
				return found === undefined ? new Undefined(expression.name) : found;
			}
			case 'list':
				return expression.items.map(item => this.evaluateExpression(item, scope));
			case 'tuple':
				return Tuple.create(...expression.items.map(item => this.evaluateExpression(item, scope)));
			case 'dict':
				return new Dict(
					expression.entries.map(([key, item]) => [toDictKey(this.evaluateExpression(key, scope)), this.evaluateExpression(item, scope)]),
				);
			case 'condition': {
				if (isTruthy(this.evaluateExpression(expression.test, scope))) {
					return this.evaluateExpression(expression.yes, scope);
				}
				return expression.no ? this.evaluateExpression(expression.no, scope) : new Undefined();
			}
			case 'and':
			case 'or': {
				const left = this.evaluateExpression(expression.left, scope);
				return isTruthy(left) === (expression.type === 'and') ? this.evaluateExpression(expression.right, scope) : left;
			}
			case 'not':
				return !isTruthy(this.evaluateExpression(expression.operand, scope));
			case 'signed':
				return applySign(expression.operator, this.evaluateExpression(expression.operand, scope));
			case 'operation': {
				const [left, right] = [this.evaluateExpression(expression.left, scope), this.evaluateExpression(expression.right, scope)];
				this.budget?.chargeOperation(expression.operator, left, right);
				return (operators[expression.operator] as (left: Value, right: Value) => Value)(left, right);
			}
			case 'comparison':
				return this.#evaluateComparison(expression, scope);
			case 'member':
				return getMember(this.#evaluateOwner(expression.object, scope), expression.name);
			case 'item': {
				const owner = this.#evaluateOwner(expression.object, scope);
				return getItem(owner, this.evaluateExpression(expression.key, scope));
			}
			case 'slice': {
				const owner = this.#evaluateOwner(expression.object, scope);
				return sliceValue(
					owner,
					expression.bounds.map(bound => bound && this.evaluateExpression(bound, scope)),
				);
			}
			case 'call':
				return this.callValue(
					this.evaluateExpression(expression.callee, scope),
					this.evaluateArguments(expression.args, scope),
					getExpressionName(expression.callee),
				);
			case 'filter': {
				const operand = expression.operand ? this.evaluateExpression(expression.operand, scope) : '';
				const inner = expression.operand?.type === 'filter' ? expression.operand.name : '';
				if (safeFilters.has(inner) && (expression.name === 'e' || expression.name === 'escape')) {
					return operand;
				}
				return this.#callFilter(expression.name, operand, this.evaluateArguments(expression.args, scope));
			}
			case 'test': {
				const operand = expression.operand ? this.evaluateExpression(expression.operand, scope) : '';
				const test = tests.get(expression.name);
				if (!test) {
					throw new TemplateError(`No test named '${expression.name}'`);
				}
				const { positional } = this.evaluateArguments(expression.args, scope);
				this.budget?.chargeCall(true, positional);
				return test(operand, ...positional);
			}
		}
	}

	#callFilter(name: string, operand: Value, args: Arguments): Value {
		const filter = filters.get(name);
		if (!filter) {
			throw new TemplateError(`No filter named '${name}'`);
		}
		this.budget?.chargeFilter(isQuickFilter(name, args.positional), isItemFilter(name), operand, [
			...args.positional,
			...args.named.values(),
		]);
		return filter.call(operand, args);
	}

	/** Evaluates each operand once, and stops at the first comparison that is false. */
	#evaluateComparison({ first, row }: Expression & { readonly type: 'comparison' }, scope: TemplateScope): boolean {
		let left = this.evaluateExpression(first, scope);
		return row.every(([operator, expression]) => {
			const right = this.evaluateExpression(expression, scope);
			this.budget?.chargeOperation(operator, left, right);
			const holds = comparisons[operator]?.(left, right) ?? false;
			left = right;
			return holds;
		});
	}

	/** Evaluates the object of a member access, which must be defined. */
	#evaluateOwner(expression: Expression, scope: TemplateScope): Value {
		const owner = this.evaluateExpression(expression, scope);
		refuseUndefined(owner);
		return owner;
	}
}

/** Returns the name of a called expression for messages. */
export function getExpressionName(expression: Expression): string {
	switch (expression.type) {
		case 'name':
			return expression.name;
		case 'member': {
			const owner = getExpressionName(expression.object);
			return owner ? `${owner}.${expression.name}` : expression.name;
		}
		default:
			return '';
	}
}
