import { Environment, Interpreter, parse } from '@huggingface/jinja';
import { type Filter, filters } from './filters.ts';
import { textMethods } from './methods.ts';
import { operators } from './operators.ts';
import { fromValue, printed, type RuntimeValue, textValue, toValue } from './runtimeValues.ts';
import { readSource, testPrefix } from './source.ts';
import { testsWithValue } from './tests.ts';

type Program = ReturnType<typeof parse>;
type Statement = Program['body'][number];

/** Milliseconds that filling one template may take. */
const maxMs = 2000;
/** Items of one `range`, as in Jinja's own sandbox. */
const maxRange = 100_000;

/**
 * A Jinja template that prints values as the hosted service does, which runs on Python: `None`, `True`, `['a']`. It sees the values it
 * is given and nothing else. It is read on first use, so that an agent whose template is broken still loads.
 */
export class Jinja {
	readonly #text: string;
	#template: Template | undefined;

	constructor(text: string) {
		this.#text = text;
	}

	/** @throws {Error} if the template is broken, takes too long, or uses what Jinja has and the library has not */
	render(values: Readonly<Record<string, unknown>>): string {
		this.#template ??= read(this.#text);
		const { program, printing, raw } = this.#template;
		const environment = new Environment();
		for (const [name, value] of Object.entries({ ...constants, ...values, ...raw })) {
			// an environment comes with names of its own, which a variable of the agent hides
			environment.variables.delete(name);
			environment.set(name, value);
		}
		return String(new BoundedInterpreter(environment, printing).run(program).value);
	}
}

/** Prints as Python does, knows more filters, and ends when its time is over. */
class BoundedInterpreter extends Interpreter {
	readonly #printing: ReadonlySet<Statement>;
	readonly #deadline = performance.now() + maxMs;
	#steps = 0;

	constructor(environment: Environment, printing: ReadonlySet<Statement>) {
		super(environment);
		this.#printing = printing;
	}

	override evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue {
		// a loop with an empty body takes long without any other step
		if ((statement?.type === 'For' || (++this.#steps & 255) === 0) && performance.now() > this.#deadline) {
			throw new Error(`it takes longer than ${maxMs / 1000} seconds`);
		}
		const value = this.#extended(statement, environment) ?? super.evaluate(statement, environment);
		return statement && this.#printing.has(statement) && value.type !== 'StringValue' ? textValue(printed(value)) : value;
	}

	/** What the library has not, or not as Python does; `undefined` leaves it to the library. */
	#extended(statement: Statement | undefined, environment: Environment): RuntimeValue | undefined {
		switch (statement?.type) {
			case 'FilterExpression':
				return this.#filtered(statement as unknown as FilterExpression, environment);
			case 'BinaryExpression': {
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
		const name = filter.type === 'CallExpression' ? filter.callee.value : filter.value;
		const apply = filters.get(name) ?? testFilter(name);
		if (!apply) {
			return undefined;
		}
		const args = filter.type === 'CallExpression' ? filter.args : [];
		const plain = (argument: Statement) => toValue(this.evaluate(argument, environment));
		const result = apply(this.evaluate(operand, environment), {
			positional: args.filter(arg => !isNamed(arg)).map(plain),
			named: Object.fromEntries(args.filter(isNamed).map(arg => [arg.key.value, plain(arg.value)])),
		});
		return result === undefined ? undefined : fromValue(result);
	}
}

interface FilterExpression {
	readonly operand: Statement;
	readonly filter: FilterNode;
}

interface BinaryExpression {
	readonly operator: { readonly value: string };
	readonly left: Statement;
	readonly right: Statement;
}

interface CallExpression {
	readonly callee: Statement & { readonly computed: boolean; readonly object: Statement; readonly property: { readonly value: string } };
	readonly args: readonly Statement[];
}

type FilterNode =
	| { readonly type: 'Identifier'; readonly value: string }
	| { readonly type: 'CallExpression'; readonly callee: { readonly value: string }; readonly args: readonly Statement[] };

interface NamedArgument extends Statement {
	readonly key: { readonly value: string };
	readonly value: Statement;
}

function isNamed(argument: Statement): argument is NamedArgument {
	return argument.type === 'KeywordArgumentExpression';
}

const constants = {
	True: true,
	False: false,
	None: null,
	true: true,
	false: false,
	none: null,
	range: (start: number, stop?: number, step = 1) => range(stop === undefined ? 0 : start, stop ?? start, step),
};

function range(start: number, stop: number, step: number): number[] {
	if (![start, stop, step].every(Number.isInteger)) {
		throw new Error('range() takes whole numbers');
	}
	if (step === 0) {
		throw new Error('range() arg 3 must not be zero');
	}
	const length = Math.max(0, Math.ceil((stop - start) / step));
	if (length > maxRange) {
		throw new Error(`Range too big. The sandbox blocks ranges larger than MAX_RANGE (${maxRange}).`);
	}
	return Array.from({ length }, (_, index) => start + index * step);
}

/** A template, read. `printing`: expressions whose value is printed. */
interface Template {
	readonly program: Program;
	readonly printing: ReadonlySet<Statement>;
	readonly raw: Readonly<Record<string, string>>;
}

function read(text: string): Template {
	const { tokens, raw } = readSource(text);
	const program = parse(tokens);
	const printing = new Set<Statement>();
	collectPrinting(program.body, printing);
	return { program, printing, raw };
}

/** The filter that stands for a test with a value. */
function testFilter(name: string): Filter | undefined {
	const [, not, test] = new RegExp(`^${testPrefix}(not_)?(.+)$`).exec(name) ?? [];
	const holds = test ? testsWithValue.get(test) : undefined;
	return holds && ((value, { positional }) => holds(toValue(value), positional[0]) !== Boolean(not));
}

const silent = new Set(['If', 'For', 'Macro', 'Set', 'Comment', 'Break', 'Continue', 'CallStatement', 'FilterStatement']);

/** Expressions that stand where their value is printed: directly in a body. */
function collectPrinting(body: readonly Statement[], printing: Set<Statement>): void {
	for (const statement of body) {
		if (!silent.has(statement.type)) {
			printing.add(statement);
		}
		for (const inner of ['body', 'alternate', 'defaultBlock'] as const) {
			const nested = (statement as unknown as Record<string, unknown>)[inner];
			if (Array.isArray(nested)) {
				collectPrinting(nested as Statement[], printing);
			}
		}
	}
}
