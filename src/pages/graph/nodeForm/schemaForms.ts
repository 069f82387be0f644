import { type JsonSchema, resolved } from '#base/text/schemaCheck.ts';

/** What a value is by the schema: of several forms that it can have the one that it is written in, else the first. */
export function formOf(schema: JsonSchema, value: unknown, root: JsonSchema): JsonSchema {
	const { anyOf, usually, ...own } = resolved(schema, root);
	const variants = [...(anyOf ?? []), ...(usually ?? [])].map(each => resolved(each, root)).filter(({ type }) => type !== 'null');
	const meant = isMissing(value) ? variants[0] : variants.find(each => fits(each, value));
	return meant ? { ...own, ...meant } : own;
}

/** The type that a schema names, beside null; absent where it names none. */
export function typeOf({ type }: JsonSchema): string | undefined {
	return [type].flat().find(each => each !== 'null');
}

/** Whether a file has nothing to show at a field. */
export function isMissing(value: unknown): value is undefined | null {
	return value === undefined || value === null;
}

/** Whether a value has the type that a schema names. */
export function fits(schema: JsonSchema, value: unknown): boolean {
	const type = typeOf(schema);
	return type === undefined || type === (Array.isArray(value) ? 'array' : typeof value);
}

/** Whether there are two answers to a field: its type says so, or what it is known by. */
export function isYesOrNo(schema: JsonSchema): boolean {
	return (
		typeOf(schema) === 'boolean' || (schema.examples?.length === 2 && schema.examples.every(each => each === 'true' || each === 'false'))
	);
}

/** A field's name as people read it: `max_retries` is “Max retries”. */
export function labelOf(name: string): string {
	const words = name
		.replaceAll('_', ' ')
		.replaceAll(/([a-z])([A-Z])/g, '$1 $2')
		.trim();
	return words.charAt(0).toUpperCase() + words.slice(1);
}
