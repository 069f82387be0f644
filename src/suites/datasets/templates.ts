import { getOwnField } from '#base/records/ownField.ts';

// spaces are trimmed later, because matching them here would backtrack
const place = /\{\{([^{}]+)\}\}/g;

/** A column that a template uses but a row doesn't have. */
export class MissingColumn extends Error {
	override readonly name = 'MissingColumn';
	readonly column: string;

	constructor(column: string) {
		super(`no column ${column}`);
		this.column = column;
	}
}

/**
 * Replaces `{{NAME}}` in all strings of a value. A string that is only a placeholder becomes the value itself, of any type. Throws a
 * {@link MissingColumn}.
 */
export function fillTemplate(value: unknown, values: Readonly<Record<string, unknown>>): unknown {
	if (typeof value === 'string') {
		return fillText(value, values);
	}
	if (Array.isArray(value)) {
		return value.map(each => fillTemplate(each, values));
	}
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fillTemplate(each, values)]));
	}
	return value;
}

/** Returns the names used in a template. */
export function listTemplateNames(text: string): readonly string[] {
	return [...text.matchAll(place)].map(([, name = '']) => name.trim());
}

function fillText(text: string, values: Readonly<Record<string, unknown>>): unknown {
	const [first] = text.matchAll(place);
	if (!first) {
		return text;
	}
	if (first[0] === text) {
		return getColumn(first[1]!.trim(), values);
	}
	return text.replace(place, (_, name: string) => {
		const value = getColumn(name.trim(), values);
		return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	});
}

function getColumn(name: string, values: Readonly<Record<string, unknown>>): unknown {
	if (!Object.hasOwn(values, name)) {
		throw new MissingColumn(name);
	}
	return getOwnField(values, name);
}
