import { getWeightWithin } from '../variables/weight.ts';
import { Budget, TakesLonger } from './budget.ts';
import { createGlobals } from './globals.ts';
import { readTemplate } from './reading/readTemplate.ts';
import type { Body } from './reading/syntax.ts';
import { Renderer } from './render.ts';
import { TemplateScope } from './scope.ts';
import { addTemplatePosition } from './templateError.ts';
import { toTemplateValue } from './values/values.ts';

/** Limits for rendering a template without a thread: items of one `range`, characters of the template, and characters of its values. */
const quickRange = 1000;
const quickText = 4000;
const quickValues = 20_000;

/**
 * A Jinja template that prints values like the hosted service, which runs on Python: `None`, `True`, `['a']`. It has access only to the
 * values passed to it. The template is parsed on first use, so that an agent with a broken template still loads.
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
	 * Renders the template. It may never return, so call it in a thread that can be terminated (`ThreadPool`).
	 * @throws {TemplateError} if the template is broken, creates too large values, or uses something that Jinja or a value doesn't have
	 */
	render(values: Readonly<Record<string, unknown>>): string {
		return this.#renderBody(values);
	}

	/**
	 * Renders the template if that is certain to take at most a few milliseconds with these values; otherwise returns `undefined`.
	 * @throws {TemplateError} like {@link Jinja.render}
	 */
	renderWithinBudget(values: Readonly<Record<string, unknown>>): string | undefined {
		if (!this.#quick || getWeightWithin(values, quickValues) === undefined) {
			return undefined;
		}
		try {
			return this.#renderBody(values, new Budget());
		} catch (error) {
			if (error instanceof TakesLonger) {
				// another attempt would most likely fail too
				this.#quick = false;
				return undefined;
			}
			throw error;
		}
	}

	#renderBody(values: Readonly<Record<string, unknown>>, budget?: Budget): string {
		const scope = new TemplateScope(undefined);
		for (const [name, value] of createGlobals(budget && quickRange)) {
			scope.set(name, value);
		}
		for (const [name, value] of Object.entries(values)) {
			scope.set(name, toTemplateValue(value));
		}
		try {
			this.#body ??= readTemplate(this.text);
			return new Renderer(budget).render(this.#body, scope);
		} catch (error) {
			throw addTemplatePosition(error, 'the template', 1);
		}
	}
}
