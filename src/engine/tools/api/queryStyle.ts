import { isObjectValue } from '../../variables/objectValue.ts';

/** A separator for lists that are sent as one value. `deepObject`: each field is a value named like `filter[field]`. */
export type QueryStyle = ',' | ' ' | '|' | 'deepObject';

/** Returns the style that a parameter of an operation asks for; undefined for the usual one. */
export function getQueryStyle({ style, explode }: Readonly<Record<string, unknown>>): QueryStyle | undefined {
	if (style === 'deepObject') {
		return style;
	}
	const separator = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : undefined;
	return separator === undefined ? (explode === false ? ',' : undefined) : explode === true ? undefined : separator;
}

/** Returns the names and values that a parameter adds to the query. */
export function listQueryValues(name: string, value: unknown, style: QueryStyle | undefined): readonly (readonly [string, string])[] {
	if (style === 'deepObject' && isObjectValue(value)) {
		return Object.entries(value).flatMap(([key, field]) => listQueryValues(`${name}[${key}]`, field, style));
	}
	const items = style === undefined || style === 'deepObject' ? [value].flat() : [joinItems(value, style)];
	return items.filter(item => item !== null && item !== undefined).map(item => [name, toParameterText(item)]);
}

/** Joins the items of a list. Returns other values as they are. */
export function joinItems(value: unknown, separator = ','): unknown {
	return Array.isArray(value) ? value.map(toParameterText).join(separator) : value;
}

/** Returns a value as text, objects and lists as JSON. */
export function toParameterText(value: unknown): string {
	return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
