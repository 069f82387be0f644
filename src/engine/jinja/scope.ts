import type { Value } from './values/values.ts';

/** A scope of variables. Values set in a block are visible only in that block. */
export class TemplateScope {
	readonly #names = new Map<string, Value>();
	readonly #outer: TemplateScope | undefined;
	/** True if output is escaped for HTML (`autoescape`). */
	readonly escapes: boolean;

	constructor(outer: TemplateScope | undefined, escapes = outer?.escapes ?? false) {
		this.#outer = outer;
		this.escapes = escapes;
	}

	get(name: string): Value | undefined {
		const found = this.#names.get(name);
		return found === undefined ? this.#outer?.get(name) : found;
	}

	set(name: string, value: Value): void {
		this.#names.set(name, value);
	}
}
