import type { TemplateError } from '../templateError.ts';
import { createErrorAtPosition, getLineAt, type Token } from './tokens.ts';

/** Names of token types in messages. */
const named: Readonly<Partial<Record<Token['type'], string>>> = {
	closePrint: "'}}'",
	closeBlock: "'%}'",
	openBlock: "'{%'",
	name: 'a name',
};

/** Reads the tokens of a template in order. */
export class TokenReader {
	readonly #tokens: readonly Token[];
	readonly #text: string;
	#position = 0;
	#counted = { at: 0, line: 1 };

	constructor(tokens: readonly Token[], text: string) {
		this.#tokens = tokens;
		this.#text = text;
	}

	get current(): Token {
		return this.#tokens[this.#position] as Token;
	}

	peekToken(ahead = 1): Token {
		return this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)] as Token;
	}

	readToken(): Token {
		const token = this.current;
		this.#position = Math.min(this.#position + 1, this.#tokens.length - 1);
		return token;
	}

	isToken(type: Token['type'], value?: string): boolean {
		return this.current.type === type && (value === undefined || this.current.value === value);
	}

	isOperator(...values: readonly string[]): boolean {
		return this.current.type === 'operator' && values.includes(this.current.value);
	}

	isName(...values: readonly string[]): boolean {
		return this.current.type === 'name' && values.includes(this.current.value);
	}

	/** Consumes the current token if it matches. Returns true if it did. */
	skipToken(type: Token['type'], value: string): boolean {
		const found = this.isToken(type, value);
		if (found) {
			this.readToken();
		}
		return found;
	}

	/** Reads a dotted name as one string. */
	expectDottedName(): string {
		let name = this.expectToken('name').value;
		while (this.skipToken('operator', '.')) {
			name += `.${this.expectToken('name').value}`;
		}
		return name;
	}

	/** @throws {TemplateError} if the current token doesn't match */
	expectToken(type: Token['type'], value?: string): Token {
		if (!this.isToken(type, value)) {
			throw this.createError(`expected ${value === undefined ? named[type] : `'${value}'`}, got '${this.current.value}'`);
		}
		return this.readToken();
	}

	createError(message: string, at = this.current.at): TemplateError {
		return createErrorAtPosition(message, this.#text, at);
	}

	/** Returns the line of a position. Counts from the last requested position, because statements come in order. */
	getLine(at: number): number {
		const { at: from, line } = this.#counted.at <= at ? this.#counted : { at: 0, line: 1 };
		this.#counted = { at, line: line + getLineAt(this.#text.slice(from, at), at - from) - 1 };
		return this.#counted.line;
	}

	/** Returns the template's text from a position to the end of the previous token. */
	getSourceFrom(at: number): string {
		return this.#text.slice(at, this.#tokens[this.#position - 1]?.to ?? at).trim();
	}
}
