/** Returns the error message of Python's `json.loads` for invalid JSON, with line and column; `undefined` if the JSON is valid. */
export function findPythonJsonError(text: string): string | undefined {
	const scanner = new Scanner(text);
	try {
		scanner.scanDocument();
		return undefined;
	} catch (error) {
		if (!(error instanceof Fault)) {
			throw error;
		}
		const before = [...text.slice(0, error.at)];
		const line = before.filter(character => character === '\n').length + 1;
		const column = before.length - before.lastIndexOf('\n');
		return `${error.message}: line ${line} column ${column} (char ${before.length})`;
	}
}

class Fault extends Error {
	readonly at: number;

	constructor(message: string, at: number) {
		super(message);
		this.at = at;
	}
}

const literal = /null|true|false|NaN|-?Infinity|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Maximum nesting depth. Python has a similar limit, and raises a different error beyond it. */
const maxDepth = 900;

class Scanner {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	scanDocument(): void {
		this.#skipBlanks();
		this.#scanValue(0);
		this.#skipBlanks();
		if (this.#at < this.#text.length) {
			throw new Fault('Extra data', this.#at);
		}
	}

	#scanValue(depth: number): void {
		const character = this.#text[this.#at];
		if (depth > maxDepth) {
			throw new Fault('Expecting value', this.#at);
		}
		if (character === '"') {
			this.#scanString();
		} else if (character === '{') {
			this.#scanObject(depth);
		} else if (character === '[') {
			this.#scanArray(depth);
		} else {
			literal.lastIndex = this.#at;
			const found = literal.exec(this.#text);
			if (!found) {
				throw new Fault('Expecting value', this.#at);
			}
			this.#at += found[0].length;
		}
	}

	#scanObject(depth: number): void {
		this.#at++;
		this.#skipBlanks();
		if (this.#takeCharacter('}')) {
			return;
		}
		for (;;) {
			if (this.#text[this.#at] !== '"') {
				throw new Fault('Expecting property name enclosed in double quotes', this.#at);
			}
			this.#scanString();
			this.#skipBlanks();
			if (!this.#takeCharacter(':')) {
				throw new Fault("Expecting ':' delimiter", this.#at);
			}
			this.#skipBlanks();
			this.#scanValue(depth + 1);
			this.#skipBlanks();
			if (this.#takeCharacter('}')) {
				return;
			}
			this.#scanComma();
		}
	}

	#scanArray(depth: number): void {
		this.#at++;
		this.#skipBlanks();
		if (this.#takeCharacter(']')) {
			return;
		}
		for (;;) {
			this.#scanValue(depth + 1);
			this.#skipBlanks();
			if (this.#takeCharacter(']')) {
				return;
			}
			this.#scanComma();
		}
	}

	#scanComma(): void {
		if (!this.#takeCharacter(',')) {
			throw new Fault("Expecting ',' delimiter", this.#at);
		}
		this.#skipBlanks();
	}

	#scanString(): void {
		const begin = this.#at++;
		for (;;) {
			const character = this.#text[this.#at];
			if (character === undefined) {
				throw new Fault('Unterminated string starting at', begin);
			}
			if (character < ' ') {
				throw new Fault('Invalid control character at', this.#at);
			}
			this.#at++;
			if (character === '"') {
				return;
			}
			if (character === '\\') {
				this.#scanEscape(begin);
			}
		}
	}

	#scanEscape(begin: number): void {
		const character = this.#text[this.#at];
		if (character === undefined) {
			throw new Fault('Unterminated string starting at', begin);
		}
		if (character === 'u') {
			if (!/^[\da-fA-F]{4}$/.test(this.#text.slice(this.#at + 1, this.#at + 5))) {
				throw new Fault('Invalid \\uXXXX escape', this.#at);
			}
			this.#at += 5;
		} else if ('"\\/bfnrt'.includes(character)) {
			this.#at++;
		} else {
			throw new Fault('Invalid \\escape', this.#at - 1);
		}
	}

	#takeCharacter(character: string): boolean {
		const found = this.#text[this.#at] === character;
		this.#at += found ? 1 : 0;
		return found;
	}

	#skipBlanks(): void {
		while (' \t\n\r'.includes(this.#text[this.#at] ?? 'x')) {
			this.#at++;
		}
	}
}
