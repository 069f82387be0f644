/** A piece of a call's arguments as Gemini streams them (wire facts 4.1): a value, or more of a text, at a path like `$.places[0].name`. */
export interface PartialArgument {
	readonly jsonPath?: string;
	readonly stringValue?: string;
	readonly numberValue?: number;
	readonly boolValue?: boolean;
	readonly nullValue?: unknown;
}

type Container = Record<string, unknown> | unknown[];

/** The arguments of one call, put together from their pieces. */
export class PartialArguments {
	readonly #args: Record<string, unknown> = {};

	add(pieces: readonly PartialArgument[]): void {
		for (const piece of pieces) {
			const path = typeof piece.jsonPath === 'string' ? stepsOf(piece.jsonPath) : [];
			if (path.length > 0 && !path.includes('__proto__')) {
				this.#put(path, piece);
			}
		}
	}

	/** The arguments so far, as JSON. */
	json(): string {
		return JSON.stringify(this.#args);
	}

	#put(path: readonly string[], piece: PartialArgument): void {
		let at: Container = this.#args;
		for (const [i, step] of path.slice(0, -1).entries()) {
			const inner: unknown = read(at, step);
			const next: Container =
				typeof inner === 'object' && inner !== null ? (inner as Container) : /^\d*$/.test(path[i + 1] ?? '') ? [] : {};
			write(at, step, next);
			at = next;
		}
		const last = path.at(-1) ?? '';
		if (last === '') {
			// an array has ended; one without elements says nothing else
			return;
		}
		const before = read(at, last);
		const { stringValue, numberValue, boolValue } = piece;
		if (typeof stringValue === 'string') {
			write(at, last, typeof before === 'string' ? before + stringValue : stringValue);
		} else if (numberValue !== undefined || boolValue !== undefined) {
			write(at, last, numberValue ?? boolValue);
		} else if ('nullValue' in piece) {
			write(at, last, null);
		} else if (before === undefined) {
			write(at, last, {});
		}
	}
}

/** Steps of a path: names, numbers of array elements as text, and an empty step for `[]`. */
function stepsOf(path: string): string[] {
	return [...path.replace(/^\$/, '').matchAll(/\.([^.[\]]+)|\['([^']*)'\]|\[(\d{0,6})\]/g)].map(
		([, name, quoted, index]) => name ?? quoted ?? index ?? '',
	);
}

function read(container: Container, step: string): unknown {
	return Object.hasOwn(container, step) ? (container as Record<string, unknown>)[step] : undefined;
}

function write(container: Container, step: string, value: unknown): void {
	(container as Record<string, unknown>)[step] = value;
}
