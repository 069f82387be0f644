import type { ToolFunction } from './engineTool.ts';

/** Maximum length of an expression in characters. */
const longestExpression = 1000;
/** Maximum nesting of brackets. */
const deepest = 50;

/**
 * Evaluates an arithmetic `expression` by Python's rules: + - * / // % **, ^ as power, brackets, and mathematical functions and constants.
 * Nothing else is accepted, so it can't be abused to run code.
 */
export const calculateExpression: ToolFunction = ({ expression }) => {
	const text = String(expression ?? '').trim();
	if (text === '' || text.length > longestExpression) {
		throw new Error(`expected an expression of 1 to ${longestExpression} characters, for example '(2 + 3) * 4'`);
	}
	const value = new Calculation(text).parseExpression();
	if (Number.isNaN(value)) {
		throw new Error(`the result of '${text}' isn't a number`);
	}
	return { text: formatResult(value) };
};

/** Formats an integer beyond 2⁵³ with an exponent, because its last digits aren't exact. */
function formatResult(value: number): string {
	return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

/** Multiplies a number by a power of ten, without the errors of a multiplication: 1.005 × 100 is 100.49999999999999. */
function shiftPoint(number: number, digits: number): number {
	const [mantissa, exponent = 0] = String(number).split('e');
	return Number(`${mantissa}e${Number(exponent) + digits}`);
}

const functions: Readonly<Record<string, (...numbers: number[]) => number>> = {
	abs: Math.abs,
	acos: Math.acos,
	asin: Math.asin,
	atan: Math.atan,
	atan2: Math.atan2,
	cbrt: Math.cbrt,
	ceil: Math.ceil,
	cos: Math.cos,
	cosh: Math.cosh,
	exp: Math.exp,
	floor: Math.floor,
	ln: Math.log,
	log: Math.log,
	log10: Math.log10,
	log2: Math.log2,
	max: Math.max,
	min: Math.min,
	pow: (base, exponent) => (base as number) ** (exponent as number),
	round: (number, digits = 0) => shiftPoint(Math.round(shiftPoint(number as number, digits)), -digits),
	sign: Math.sign,
	sin: Math.sin,
	sinh: Math.sinh,
	sqrt: Math.sqrt,
	tan: Math.tan,
	tanh: Math.tanh,
	trunc: Math.trunc,
};
const constants: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E, tau: 2 * Math.PI };
const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
	'+': (a, b) => a + b,
	'-': (a, b) => a - b,
	'*': (a, b) => a * b,
	'/': (a, b) => a / requireNonZero(b),
	'//': (a, b) => Math.floor(a / requireNonZero(b)),
	'%': (a, b) => a - b * Math.floor(a / requireNonZero(b)),
};

function requireNonZero(divisor: number): number {
	if (divisor === 0) {
		throw new Error("can't divide by zero");
	}
	return divisor;
}

/** Parses and evaluates one expression from left to right. */
class Calculation {
	readonly #text: string;
	readonly #words: readonly string[];
	#at = 0;
	#depth = 0;

	constructor(text: string) {
		this.#text = text;
		this.#words = text.match(/\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|[A-Za-z]\w*|\*\*|\/\/|\S/g) ?? [];
	}

	parseExpression(): number {
		const value = this.#parseSum();
		return this.#at < this.#words.length ? this.#refuseExpression() : value;
	}

	#parseSum(): number {
		return this.#parseChain(['+', '-'], () => this.#parseProduct());
	}

	#parseProduct(): number {
		return this.#parseChain(['*', '/', '//', '%', '×', '·', '÷'], () => this.#parseSigned());
	}

	#parseChain(signs: readonly string[], part: () => number): number {
		let value = part();
		for (let sign = this.#takeToken(...signs); sign !== undefined; sign = this.#takeToken(...signs)) {
			const plain = { '×': '*', '·': '*', '÷': '/' }[sign] ?? sign;
			value = operators[plain]?.(value, part()) ?? Number.NaN;
		}
		return value;
	}

	#parseSigned(): number {
		this.#enterLevel();
		const sign = this.#takeToken('+', '-');
		const value = sign === undefined ? this.#parsePower() : sign === '-' ? -this.#parseSigned() : this.#parseSigned();
		this.#depth--;
		return value;
	}

	#parsePower(): number {
		const base = this.#parseValue();
		return this.#takeToken('**', '^') === undefined ? base : base ** this.#parseSigned();
	}

	#parseValue(): number {
		const word = this.#words[this.#at++] ?? '';
		if (/^[\d.]/.test(word)) {
			return Number(word.replaceAll('_', ''));
		}
		if (word === '(') {
			const value = this.#parseSum();
			this.#expectToken(')');
			return value;
		}
		if (Object.hasOwn(functions, word) && this.#words[this.#at] === '(') {
			this.#at++;
			return this.#parseCall(functions[word] as (...numbers: number[]) => number);
		}
		if (word === 'math' && this.#takeToken('.') !== undefined) {
			return this.#parseValue();
		}
		return Object.hasOwn(constants, word) ? (constants[word] as number) : this.#refuseExpression(this.#at - 1);
	}

	#parseCall(made: (...numbers: number[]) => number): number {
		const numbers = [this.#parseSum()];
		while (this.#takeToken(',') !== undefined) {
			numbers.push(this.#parseSum());
		}
		this.#expectToken(')');
		return made(...numbers);
	}

	#takeToken(...wanted: readonly string[]): string | undefined {
		const word = this.#words[this.#at];
		if (word === undefined || !wanted.includes(word)) {
			return undefined;
		}
		this.#at++;
		return word;
	}

	#expectToken(word: string): void {
		if (this.#takeToken(word) === undefined) {
			this.#refuseExpression();
		}
	}

	#enterLevel(): void {
		if (++this.#depth > deepest) {
			throw new Error(`'${this.#text.slice(0, 50)}…' has more than ${deepest} levels of parentheses or signs`);
		}
	}

	#refuseExpression(at = this.#at): never {
		const word = this.#words[at];
		throw new Error(
			`'${this.#text}' isn't a valid arithmetic expression: ${word === undefined ? 'it ends too early' : `unexpected '${word}'`}`,
		);
	}
}
