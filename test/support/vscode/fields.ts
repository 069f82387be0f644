/** What a class of plain values extends: its instances have these fields, given in this order. */
export function fields<T extends object>(...names: readonly (keyof T & string)[]): new (...values: T[keyof T][]) => T {
	class Fields {
		constructor(...values: T[keyof T][]) {
			Object.assign(this, Object.fromEntries(names.map((name, i) => [name, values[i]])));
		}
	}
	return Fields as unknown as new (
		...values: T[keyof T][]
	) => T;
}
