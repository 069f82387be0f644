/** Returns an object's own field, for names that come from outside. Inherited fields such as `constructor` don't count. */
export function getOwnField<T>(fields: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
