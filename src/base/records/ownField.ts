/** Own field of an object with a name from outside: inherited fields such as `constructor` don't count. */
export function getOwnField<T>(fields: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
