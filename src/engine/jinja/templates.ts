import { ThreadFault } from '#base/threads/threadFault.ts';
import { ThreadPool } from '#base/threads/threadPool.ts';
import { taskThreadFile } from '../threads/taskThreadFile.ts';
import { Float, toPlainValues } from '../variables/float.ts';
import { getWeightWithin } from '../variables/weight.ts';
import type { Jinja } from './jinja.ts';

/** Number of threads for templates, and the limits for one template. */
const limits = { maxThreads: 2, timeoutMs: 2000, memoryMb: 512 };
/** Maximum number of characters of all values passed to one template. */
const maxValues = 4_000_000;

/**
 * Renders templates: quick ones immediately, all others in threads that are terminated when they exceed their time limit. The gateway has
 * one instance.
 */
export class Templates {
	readonly #threads = new ThreadPool(taskThreadFile, limits);

	/**
	 * Returns the rendered text, or a promise if a thread is needed.
	 * @throws {Error} that describes the problem with the template; the promise rejects with the same error
	 */
	render(template: Jinja, values: Readonly<Record<string, unknown>>, signal: AbortSignal): string | Promise<string> {
		return template.renderWithinBudget(values) ?? this.#renderInThread(template, values, signal);
	}

	close(): Promise<void> {
		return this.#threads.close();
	}

	async #renderInThread({ text }: Jinja, values: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string> {
		if (getWeightWithin(values, maxValues) === undefined) {
			throw new ThreadFault('memory', `its values are longer than ${maxValues} characters in total`);
		}
		const floats = Object.keys(values).filter(name => values[name] instanceof Float);
		return this.#threads.run('template', { text, values: toPlainValues(values), floats }, signal);
	}
}
