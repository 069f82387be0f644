import { Environment, parse } from '@huggingface/jinja';
import { weightWithin } from '../variables/weight.ts';
import { type Statement, TemplateInterpreter } from './interpreter.ts';
import { QuickInterpreter, TakesLonger } from './quickInterpreter.ts';
import { readSource } from './source.ts';

type Program = ReturnType<typeof parse>;

/** Items of one `range`, as in Jinja's own sandbox. */
const maxRange = 100_000;
/** Items of one `range`, characters of the template, and of its values, for what is filled at once. */
const quickRange = 1000;
const quickText = 4000;
const quickValues = 20_000;

/**
 * A Jinja template that prints values as the hosted service does, which runs on Python: `None`, `True`, `['a']`. It sees the values it
 * is given and nothing else. It is read on first use, so that an agent whose template is broken still loads.
 */
export class Jinja {
	readonly text: string;
	#template: Template | undefined;
	#quick: boolean;

	constructor(text: string) {
		this.text = text;
		this.#quick = text.length <= quickText;
	}

	/**
	 * May take for ever: runs in a thread that can be ended (`ThreadPool`).
	 * @throws {Error} if the template is broken, makes too large values, or uses what Jinja has and the library has not
	 */
	render(values: Readonly<Record<string, unknown>>): string {
		this.#template ??= read(this.text);
		return fill(this.#template, values, maxRange, (environment, printing) => new TemplateInterpreter(environment, printing));
	}

	/**
	 * The same for a template that is certain to take no more than a few milliseconds with these values; `undefined` if that is not certain.
	 * @throws {Error} as `render`
	 */
	renderQuickly(values: Readonly<Record<string, unknown>>): string | undefined {
		if (!this.#quick || weightWithin(values, quickValues) === undefined) {
			return undefined;
		}
		this.#template ??= read(this.text);
		try {
			return fill(this.#template, values, quickRange, (environment, printing) => new QuickInterpreter(environment, printing));
		} catch (error) {
			if (error instanceof TakesLonger) {
				// it would most likely be begun in vain again
				this.#quick = false;
				return undefined;
			}
			throw error;
		}
	}
}

function fill(
	{ program, printing, raw }: Template,
	values: Readonly<Record<string, unknown>>,
	longest: number,
	interpreter: (environment: Environment, printing: ReadonlySet<Statement>) => TemplateInterpreter,
): string {
	const environment = new Environment();
	for (const [name, value] of Object.entries({ ...constants, range: range(longest), ...values, ...raw })) {
		// an environment comes with names of its own, which a variable of the agent hides
		environment.variables.delete(name);
		environment.set(name, value);
	}
	return String(interpreter(environment, printing).run(program).value);
}

const constants = {
	True: true,
	False: false,
	None: null,
	true: true,
	false: false,
	none: null,
};

/** @param longest more items than these need a thread, or are refused as in Jinja's own sandbox */
function range(longest: number) {
	return (first: number, last?: number, step = 1): number[] => {
		const [start, stop] = last === undefined ? [0, first] : [first, last];
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
		if (length > longest) {
			throw new TakesLonger();
		}
		return Array.from({ length }, (_, index) => start + index * step);
	};
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
