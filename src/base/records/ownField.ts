/**
 * What an object has of its own under a name, which a service or a user's file has given: what all objects have, such as `constructor`, is
 * no field.
 */
export function ownField<T>(fields: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
