/** A chunk of a Gemini call's arguments (wire facts 4.1): a value, or text to append, at a path such as `$.places[0].name`. */
export interface PartialArgument {
	readonly jsonPath?: string;
	readonly stringValue?: string;
	readonly numberValue?: number;
	readonly boolValue?: boolean;
	readonly nullValue?: unknown;
}

type Container = Record<string, unknown> | unknown[];

/** Assembles the arguments of a call from chunks. */
export class PartialArguments {
	readonly #args: Record<string, unknown> = {};

	add(chunks: readonly PartialArgument[]): void {
		for (const chunk of chunks) {
			const path = typeof chunk.jsonPath === 'string' ? parseJsonPath(chunk.jsonPath) : [];
			if (path.length > 0 && !path.includes('__proto__')) {
				this.#putValue(path, chunk);
			}
		}
	}

	/** Returns the arguments received so far as JSON. */
	toJson(): string {
		return JSON.stringify(this.#args);
	}

	#putValue(path: readonly string[], chunk: PartialArgument): void {
		let at: Container = this.#args;
		for (const [i, step] of path.slice(0, -1).entries()) {
			const inner: unknown = getEntry(at, step);
			const next: Container =
				typeof inner === 'object' && inner !== null ? (inner as Container) : /^\d*$/.test(path[i + 1] ?? '') ? [] : {};
			setEntry(at, step, next);
			at = next;
		}
		const last = path.at(-1) ?? '';
		if (last === '') {
			// the chunk only marks the end of an array, which needs no change unless the array is empty
			return;
		}
		const before = getEntry(at, last);
		const { stringValue, numberValue, boolValue } = chunk;
		if (typeof stringValue === 'string') {
			setEntry(at, last, typeof before === 'string' ? before + stringValue : stringValue);
		} else if (numberValue !== undefined || boolValue !== undefined) {
			setEntry(at, last, numberValue ?? boolValue);
		} else if ('nullValue' in chunk) {
			setEntry(at, last, null);
		} else if (before === undefined) {
			setEntry(at, last, {});
		}
	}
}

/** Splits a path into names and array indexes. `[]` becomes an empty string. */
function parseJsonPath(path: string): string[] {
	return [...path.replace(/^\$/, '').matchAll(/\.([^.[\]]+)|\['([^']*)'\]|\[(\d{0,6})\]/g)].map(
		([, name, quoted, index]) => name ?? quoted ?? index ?? '',
	);
}

function getEntry(container: Container, step: string): unknown {
	return Object.hasOwn(container, step) ? (container as Record<string, unknown>)[step] : undefined;
}

function setEntry(container: Container, step: string, value: unknown): void {
	(container as Record<string, unknown>)[step] = value;
}
