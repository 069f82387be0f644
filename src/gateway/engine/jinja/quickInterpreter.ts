import type { Environment } from '@huggingface/jinja';
import { type BinaryExpression, type CallExpression, type FilterExpression, type Statement, TemplateInterpreter } from './interpreter.ts';
import { filterName } from './pythonRules.ts';
import type { RuntimeValue } from './runtimeValues.ts';
import { testPrefix } from './source.ts';

/** What a template may do at once, in characters of text that it handles: about two milliseconds. */
const budget = 60_000;
/** What one step takes besides. */
const stepWeight = 20;
/** What an item of a list takes, which a loop may be over. */
const itemWeight = 60;
/** Characters, and numbers, that an argument may be: some filters put it in as often as the text is long. */
const maxArgument = 64;
const maxNumber = 1000;

/** Filters and methods that take no longer than what they are given and what they give is long. */
const quickFilters = new Set(
	`abs batch capitalize count d default dictsort e escape filesizeformat first float forceescape int items join last length list lower
	map max min reject rejectattr replace reverse round safe select selectattr sort string striptags sum title tojson trim truncate unique upper
	urlencode wordcount`.split(/\s+/),
);
const quickMethods = new Set(
	'capitalize endswith get items keys lower lstrip replace rstrip split startswith strip title upper values'.split(' '),
);
const slowStatements = new Set(['Macro', 'CallStatement', 'FilterStatement', 'SpreadExpression', 'KeywordSpreadExpression']);

/** A template is not certain to be filled quickly; what has been done of it is dropped. */
export class TakesLonger extends Error {
	override readonly name = 'TakesLonger';
}

/**
 * Fills a template as long as it is certain that it takes no more than a few milliseconds: each step does work in proportion to the values
 * that it is given and gives, and these are counted. What may do more is not done here.
 */
export class QuickInterpreter extends TemplateInterpreter {
	#left = budget;

	override evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue {
		this.#take(stepWeight);
		if (statement && slowStatements.has(statement.type)) {
			throw new TakesLonger();
		}
		if (statement?.type === 'FilterExpression') {
			const { filter } = statement as unknown as FilterExpression;
			const name = filterName(filter);
			if (!quickFilters.has(name) && !name.startsWith(testPrefix)) {
				throw new TakesLonger();
			}
			this.#checkArguments(filter.type === 'CallExpression' ? filter.args : [], environment);
		} else if (statement?.type === 'CallExpression') {
			const { callee, args } = statement as unknown as CallExpression;
			const quick =
				callee.type === 'MemberExpression'
					? !callee.computed && quickMethods.has(callee.property.value)
					: callee.type === 'Identifier' && (callee as unknown as { value: string }).value === 'range';
			if (!quick) {
				throw new TakesLonger();
			}
			this.#checkArguments(args, environment);
		} else if (statement?.type === 'BinaryExpression') {
			this.#checkOperands(statement as unknown as BinaryExpression, environment);
		}
		return super.evaluate(statement, environment);
	}

	/** Every value that a step gives is paid for, with all that is in it: the step that it is given to may go through the whole. */
	protected override limit(value: RuntimeValue): void {
		this.#pay(value);
	}

	#pay(value: RuntimeValue): void {
		if (value.type === 'StringValue') {
			this.#take((value.value as string).length);
		} else if (value.type === 'ArrayValue' || value.type === 'TupleValue') {
			for (const item of value.value as readonly RuntimeValue[]) {
				this.#take(itemWeight);
				this.#pay(item);
			}
		} else if (value.type === 'ObjectValue' || value.type === 'NamespaceValue' || value.type === 'KeywordArgumentsValue') {
			for (const [key, item] of value.value as ReadonlyMap<string, RuntimeValue>) {
				this.#take(itemWeight + key.length);
				this.#pay(item);
			}
		}
	}

	#take(weight: number): void {
		this.#left -= weight;
		if (this.#left < 0) {
			throw new TakesLonger();
		}
	}

	#checkArguments(args: readonly Statement[], environment: Environment): void {
		for (const argument of args) {
			const expression = argument.type === 'KeywordArgumentExpression' ? (argument as unknown as { value: Statement }).value : argument;
			const { type, value } = this.evaluate(expression, environment);
			const short =
				type === 'StringValue' ? (value as string).length <= maxArgument : typeof value !== 'number' || Math.abs(value) <= maxNumber;
			if (!short) {
				throw new TakesLonger();
			}
		}
	}

	/** `*` and `%` repeat and fill texts, `in` looks for one text from every place of another. */
	#checkOperands({ operator, left, right }: BinaryExpression, environment: Environment): void {
		if (!['*', '%', '**', 'in', 'not in'].includes(operator.value)) {
			return;
		}
		const [first, second] = [this.evaluate(left, environment), this.evaluate(right, environment)];
		const texts = [first, second].filter(({ type }) => type === 'StringValue' || type === 'ArrayValue');
		const looks = operator.value.endsWith('in');
		if (looks ? first.type === 'StringValue' && (first.value as string).length > maxArgument : texts.length > 0) {
			throw new TakesLonger();
		}
	}
}
