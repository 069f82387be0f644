import { type Environment, Interpreter } from '@huggingface/jinja';
import { comparisons } from './comparisons.ts';
import { type Filter, filters, valueFilters } from './filters.ts';
import { textMethods } from './methods.ts';
import { operators } from './operators.ts';
import { filterName, loopRule, operandRule, ownerRule, type Rule } from './pythonRules.ts';
import { fromValue, listValue, pairValue, printed, type RuntimeValue, textValue, toValue } from './runtimeValues.ts';
import { groupFilter, testPrefix } from './source.ts';
import { testsWithValue } from './tests.ts';

export type Statement = NonNullable<Parameters<Interpreter['evaluate']>[0]>;

/** Characters of a text and items of a list that a template may make on its way: one larger may be more than the memory holds at once. */
const maxText = 4_000_000;
const maxItems = 1_000_000;

/** Prints as Python does, knows more filters, and makes no values that are larger than a template can need. */
export class TemplateInterpreter extends Interpreter {
	readonly #printing: ReadonlySet<Statement>;
	/** What the expressions around an expression ask of its value. */
	readonly #rules = new WeakMap<Statement, Rule>();

	constructor(environment: Environment, printing: ReadonlySet<Statement>) {
		super(environment);
		this.#printing = printing;
	}

	override evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue {
		this.#setRules(statement);
		const found = this.#extended(statement, environment) ?? super.evaluate(statement, environment);
		const given = givesPairs(statement) ? pairs(found) : found;
		const value = (statement && this.#rules.get(statement)?.(given)) ?? given;
		this.limit(value);
		return statement && this.#printing.has(statement) && value.type !== 'StringValue' ? textValue(printed(value)) : value;
	}

	/** @throws {Error} for a value that is too large */
	protected limit(value: RuntimeValue): void {
		if (value.type === 'StringValue' && (value.value as string).length > maxText) {
			throw new Error(`a text in it is over ${maxText} characters`);
		}
		if (value.type === 'ArrayValue' && (value.value as unknown[]).length > maxItems) {
			throw new Error(`a list in it has over ${maxItems} items`);
		}
	}

	/** The library evaluates what is inside of a statement by itself: what is asked of it is laid down before. */
	#setRules(statement: Statement | undefined): void {
		switch (statement?.type) {
			case 'MemberExpression': {
				const { object } = statement as unknown as CallExpression['callee'];
				this.#rules.set(object, ownerRule(object));
				break;
			}
			case 'For': {
				const { iterable, loopvar } = statement as unknown as ForStatement;
				this.#rules.set(iterable.type === 'SelectExpression' ? iterable.lhs : iterable, loopRule(loopvar.type === 'TupleLiteral'));
				break;
			}
			case 'FilterExpression': {
				const { operand, filter } = statement as unknown as FilterExpression;
				const rule = operandRule(filterName(filter));
				if (rule) {
					this.#rules.set(operand, rule);
				}
				break;
			}
		}
	}

	/** Comparisons in a row: each value is worked out once, and no further than to the first that does not hold. */
	#compared(statement: Statement, environment: Environment): RuntimeValue {
		const row: BinaryExpression[] = [];
		let first = statement;
		while (isComparison(first)) {
			row.unshift(first);
			first = first.left;
		}
		let left = this.evaluate(first, environment);
		const holds = row.every(({ operator, right }) => {
			const value = this.evaluate(right, environment);
			const result = comparisons.get(operator.value)?.(left, value) ?? false;
			left = value;
			return result;
		});
		return fromValue(holds);
	}

	/** What the library has not, or not as Python does; `undefined` leaves it to the library. */
	#extended(statement: Statement | undefined, environment: Environment): RuntimeValue | undefined {
		switch (statement?.type) {
			case 'FilterExpression':
				return this.#filtered(statement as unknown as FilterExpression, environment);
			case 'BinaryExpression': {
				if (isComparison(statement)) {
					return this.#compared(statement, environment);
				}
				const { operator, left, right } = statement as unknown as BinaryExpression;
				return operators.get(operator.value)?.(this.evaluate(left, environment), this.evaluate(right, environment));
			}
			case 'CallExpression':
				return this.#called(statement as unknown as CallExpression, environment);
			default:
				return undefined;
		}
	}

	/** A method of a text. */
	#called({ callee, args }: CallExpression, environment: Environment): RuntimeValue | undefined {
		const method = callee.type === 'MemberExpression' && !callee.computed ? textMethods.get(callee.property.value) : undefined;
		const target = method && this.evaluate(callee.object, environment);
		return method && target?.type === 'StringValue'
			? fromValue(
					method(
						target.value as string,
						args.map(argument => toValue(this.evaluate(argument, environment))),
					),
				)
			: undefined;
	}

	#filtered({ operand, filter }: FilterExpression, environment: Environment): RuntimeValue | undefined {
		const name = filterName(filter);
		if (name === groupFilter) {
			return this.evaluate(operand, environment);
		}
		const onValue = valueFilters.get(name);
		const apply = onValue ?? filters.get(name) ?? testFilter(name);
		if (!apply) {
			return undefined;
		}
		const args = filter.type === 'CallExpression' ? filter.args : [];
		const plain = (argument: Statement) => toValue(this.evaluate(argument, environment));
		const result = apply(this.evaluate(operand, environment), {
			positional: args.filter(arg => !isNamed(arg)).map(plain),
			named: Object.fromEntries(args.filter(isNamed).map(arg => [arg.key.value, plain(arg.value)])),
		});
		return onValue ? (result as RuntimeValue) : result === undefined ? undefined : fromValue(result);
	}
}

export interface FilterExpression {
	readonly operand: Statement;
	readonly filter: FilterNode;
}

export interface BinaryExpression {
	readonly operator: { readonly value: string };
	readonly left: Statement;
	readonly right: Statement;
}

export interface CallExpression {
	readonly callee: Statement & { readonly computed: boolean; readonly object: Statement; readonly property: { readonly value: string } };
	readonly args: readonly Statement[];
}

export type FilterNode =
	| { readonly type: 'Identifier'; readonly value: string }
	| { readonly type: 'CallExpression'; readonly callee: { readonly value: string }; readonly args: readonly Statement[] };

interface ForStatement {
	readonly iterable: Statement & { readonly lhs: Statement };
	readonly loopvar: Statement;
}

interface NamedArgument extends Statement {
	readonly key: { readonly value: string };
	readonly value: Statement;
}

function isNamed(argument: Statement): argument is NamedArgument {
	return argument.type === 'KeywordArgumentExpression';
}

function isComparison(statement: Statement): statement is Statement & BinaryExpression {
	return statement.type === 'BinaryExpression' && comparisons.has((statement as unknown as BinaryExpression).operator.value);
}

/** Keys with their values, which are pairs in Python; the library gives lists of two. */
function givesPairs(statement: Statement | undefined): boolean {
	if (statement?.type === 'FilterExpression') {
		return ['dictsort', 'items'].includes(filterName((statement as unknown as FilterExpression).filter));
	}
	const callee = statement?.type === 'CallExpression' ? (statement as unknown as CallExpression).callee : undefined;
	return callee?.type === 'MemberExpression' && !callee.computed && ['dictsort', 'items'].includes(callee.property.value);
}

function pairs(list: RuntimeValue): RuntimeValue {
	const items = list.value as readonly RuntimeValue[];
	return listValue(items.map(({ value }) => pairValue(...(value as [RuntimeValue, RuntimeValue]))));
}

/** The filter that stands for a test with a value. */
function testFilter(name: string): Filter | undefined {
	const [, not, test] = new RegExp(`^${testPrefix}(not_)?(.+)$`).exec(name) ?? [];
	const holds = test ? testsWithValue.get(test) : undefined;
	return holds && ((value, { positional }) => holds(toValue(value), positional[0]) !== Boolean(not));
}
