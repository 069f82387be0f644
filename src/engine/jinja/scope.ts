import type { Value } from './values/values.ts';

/** Names and their values; what a block sets stays in it. */
export class TemplateScope {
	readonly #names = new Map<string, Value>();
	readonly #outer: TemplateScope | undefined;
	/** Whether what is printed is made safe for HTML (`autoescape`). */
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
