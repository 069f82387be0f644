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

/** Maximum characters that one template inserts: it can contain a long column very often. */
const mostInserted = 16 * 1024 * 1024;

/** A template that gets too long with the values of a row. */
export class TooLongTemplate extends Error {
	override readonly name = 'TooLongTemplate';
}

/**
 * Replaces `{{NAME}}` in all strings of a value. A string that is only a placeholder becomes the value itself, of any type. Throws a
 * {@link MissingColumn} or {@link TooLongTemplate}.
 */
export function fillTemplate(value: unknown, values: Readonly<Record<string, unknown>>): unknown {
	let left = mostInserted;
	const countText = (text: string) => {
		left -= text.length;
		if (left < 0) {
			throw new TooLongTemplate(`The row inserts more than ${mostInserted} characters into the templates of the suite.`);
		}
		return text;
	};
	return fillValue(value, values, countText);
}

function fillValue(value: unknown, values: Readonly<Record<string, unknown>>, countText: (text: string) => string): unknown {
	if (typeof value === 'string') {
		return fillText(value, values, countText);
	}
	if (Array.isArray(value)) {
		return value.map(each => fillValue(each, values, countText));
	}
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fillValue(each, values, countText)]));
	}
	return value;
}

/** Returns the column whose value a template is; `undefined` if it's another template. */
export function getOnlyColumn(template: unknown): string | undefined {
	const [first] = typeof template === 'string' ? template.matchAll(place) : [];
	return first && first[0] === template ? first[1]!.trim() : undefined;
}

/** Returns the names used in a template. */
export function listTemplateNames(text: string): readonly string[] {
	return [...text.matchAll(place)].map(([, name = '']) => name.trim());
}

function fillText(text: string, values: Readonly<Record<string, unknown>>, countText: (text: string) => string): unknown {
	const [first] = text.matchAll(place);
	if (!first) {
		return text;
	}
	if (first[0] === text) {
		const value = getColumn(first[1]!.trim(), values);
		return typeof value === 'string' ? countText(value) : value;
	}
	return text.replace(place, (_, name: string) => {
		const value = getColumn(name.trim(), values);
		return countText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
	});
}

function getColumn(name: string, values: Readonly<Record<string, unknown>>): unknown {
	if (!Object.hasOwn(values, name)) {
		throw new MissingColumn(name);
	}
	return getOwnField(values, name);
}
