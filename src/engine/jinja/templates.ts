import { ThreadFault } from '#base/threads/threadFault.ts';
import { ThreadPool } from '#base/threads/threadPool.ts';
import { taskThreadFile } from '../threads/taskThreadFile.ts';
import { Float, plainValues } from '../variables/float.ts';
import { weightWithin } from '../variables/weight.ts';
import type { Jinja } from './jinja.ts';

/** Threads for templates, and what one template may take. */
const limits = { maxThreads: 2, timeoutMs: 2000, memoryMb: 512 };
/** Characters of all values that one template is given. */
const maxValues = 4_000_000;

/** Fills templates: short work at once, all other in threads that are ended when their time is over. One for the whole gateway. */
export class Templates {
	readonly #threads = new ThreadPool(taskThreadFile, limits);

	/** @throws {Error} what is wrong with the template, also as a rejection */
	render(template: Jinja, values: Readonly<Record<string, unknown>>, signal: AbortSignal): string | Promise<string> {
		return template.renderQuickly(values) ?? this.#inThread(template, values, signal);
	}

	close(): Promise<void> {
		return this.#threads.close();
	}

	async #inThread({ text }: Jinja, values: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string> {
		if (weightWithin(values, maxValues) === undefined) {
			throw new ThreadFault('memory', `its values are over ${maxValues} characters together`);
		}
		const floats = Object.keys(values).filter(name => values[name] instanceof Float);
		return this.#threads.run('template', { text, values: plainValues(values), floats }, signal);
	}
}
