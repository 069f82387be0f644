/**
 * A float with an integral value such as `3.0`, which JavaScript can't tell from an integer. Nodes may return one as the whole value of an
 * output: strings and templates print it as Python does, everything else gets the number (`VariablePool.get`, `toPlainValues`).
 */
export class Float {
	readonly value: number;

	constructor(value: number) {
		this.value = value;
	}

	/** Returns the plain number, which paused runs and logs store. */
	toJSON(): number {
		return this.value;
	}
}

/** Marks a number that is a float in the hosted service. */
export function toFloatValue(value: number): number | Float {
	return Number.isInteger(value) ? new Float(value) : value;
}

export function toPlainValue(value: unknown): unknown {
	return value instanceof Float ? value.value : value;
}

/** Replaces each {@link Float} by its number; returns the same object if there are none. */
export function toPlainValues(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	return Object.values(values).some(value => value instanceof Float)
		? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toPlainValue(value)]))
		: values;
}

/** Formats a float as Python does: `1e-05`, `1e+16`, `3.0`. */
export function formatFloat(value: number): string {
	if (Number.isNaN(value)) {
		return 'nan';
	}
	if (!Number.isFinite(value)) {
		return value > 0 ? 'inf' : '-inf';
	}
	const size = Math.abs(value);
	if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
		return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
	}
	const text = Object.is(value, -0) ? '-0' : String(value);
	return Number.isInteger(value) ? `${text}.0` : text;
}
