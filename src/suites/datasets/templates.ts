import { ownField } from '#base/records/ownField.ts';

// spaces are taken off afterwards: here they would be tried in every way
const place = /\{\{([^{}]+)\}\}/g;

/** A column that a template names and a row does not have. */
export class MissingColumn extends Error {
	override readonly name = 'MissingColumn';
	readonly column: string;

	constructor(column: string) {
		super(`no column ${column}`);
		this.column = column;
	}
}

/**
 * A value with the places `{{NAME}}` in all its texts filled in. A text that is one place alone becomes the value itself, of whatever type.
 * Throws a {@link MissingColumn}.
 */
export function filled(value: unknown, values: Readonly<Record<string, unknown>>): unknown {
	if (typeof value === 'string') {
		return filledText(value, values);
	}
	if (Array.isArray(value)) {
		return value.map(each => filled(each, values));
	}
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, values)]));
	}
	return value;
}

/** Names that the templates in a text have. */
export function namesIn(text: string): readonly string[] {
	return [...text.matchAll(place)].map(([, name = '']) => name.trim());
}

function filledText(text: string, values: Readonly<Record<string, unknown>>): unknown {
	const [first] = text.matchAll(place);
	if (!first) {
		return text;
	}
	if (first[0] === text) {
		return columnOf(first[1]!.trim(), values);
	}
	return text.replace(place, (_, name: string) => {
		const value = columnOf(name.trim(), values);
		return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	});
}

function columnOf(name: string, values: Readonly<Record<string, unknown>>): unknown {
	if (!Object.hasOwn(values, name)) {
		throw new MissingColumn(name);
	}
	return ownField(values, name);
}
