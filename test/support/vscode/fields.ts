/** Returns a base class for plain values. Its constructor assigns its arguments to these fields, in order. */
export function createFieldsClass<T extends object>(...names: readonly (keyof T & string)[]): new (...values: T[keyof T][]) => T {
	class Fields {
		constructor(...values: T[keyof T][]) {
			Object.assign(this, Object.fromEntries(names.map((name, i) => [name, values[i]])));
		}
	}
	return Fields as unknown as new (
		...values: T[keyof T][]
	) => T;
}
