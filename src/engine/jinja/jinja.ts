import { weightWithin } from '../variables/weight.ts';
import { Budget, TakesLonger } from './budget.ts';
import { globals } from './globals.ts';
import { readTemplate } from './reading/readTemplate.ts';
import type { Body } from './reading/syntax.ts';
import { Renderer } from './render.ts';
import { TemplateScope } from './scope.ts';
import { withPlace } from './templateError.ts';
import { fromPlain } from './values/values.ts';

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
	#body: Body | undefined;
	#quick: boolean;

	constructor(text: string) {
		this.text = text;
		this.#quick = text.length <= quickText;
	}

	/**
	 * May take for ever: runs in a thread that can be ended (`ThreadPool`).
	 * @throws {TemplateError} if the template is broken, makes too large values, or uses what Jinja or a value doesn't have
	 */
	render(values: Readonly<Record<string, unknown>>): string {
		return this.#fill(values);
	}

	/**
	 * The same for a template that is certain to take no more than a few milliseconds with these values; `undefined` if that is not certain.
	 * @throws {TemplateError} as `render`
	 */
	renderQuickly(values: Readonly<Record<string, unknown>>): string | undefined {
		if (!this.#quick || weightWithin(values, quickValues) === undefined) {
			return undefined;
		}
		try {
			return this.#fill(values, new Budget());
		} catch (error) {
			if (error instanceof TakesLonger) {
				// it would most likely be started in vain again
				this.#quick = false;
				return undefined;
			}
			throw error;
		}
	}

	#fill(values: Readonly<Record<string, unknown>>, budget?: Budget): string {
		const scope = new TemplateScope(undefined);
		for (const [name, value] of globals(budget && quickRange)) {
			scope.set(name, value);
		}
		for (const [name, value] of Object.entries(values)) {
			scope.set(name, fromPlain(value));
		}
		try {
			this.#body ??= readTemplate(this.text);
			return new Renderer(budget).render(this.#body, scope);
		} catch (error) {
			throw withPlace(error, 'the template', 1);
		}
	}
}
