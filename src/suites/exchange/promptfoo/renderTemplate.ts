import { getOwnField } from '#base/records/ownField.ts';

/** A variable in a template of Nunjucks. Spaces are trimmed later, because matching them here would backtrack. */
const variable = /\{\{([^{}]+)\}\}/g;
/** Names of variables, and of fields in them. */
const name = /^[A-Za-z_$][\w$]*(?:\.[\w$]+)*$/;
/** Maximum length of a rendered text, and maximum depth of variables in variables. */
const longestText = 1024 * 1024;
const mostLevels = 8;

/** A template that uses more than variables. `part` is where it does. */
export class UnknownTemplate extends Error {
	override readonly name = 'UnknownTemplate';
	readonly part: string;

	constructor(part: string) {
		super(part);
		this.part = part;
	}
}

/**
 * Converts a template to one of suites, which has the same variables. Adds their names to `names`. Throws an {@link UnknownTemplate} if it
 * uses anything else.
 */
export function convertTemplate(text: string, names: Set<string>): string {
	return replaceVariables(text, each => {
		names.add(each);
		return `{{${each}}}`;
	});
}

/**
 * Renders a template with variables, which can contain others. Missing ones are empty. Throws an {@link UnknownTemplate} if it uses anything
 * else, or gets too long.
 */
export function renderTemplate(text: string, variables: Readonly<Record<string, unknown>>): string {
	let left = longestText;
	const renderText = (part: string, level: number): string =>
		replaceVariables(part, each => {
			const value = formatVariable(getVariable(each, variables));
			left -= value.length;
			if (left < 0 || level > mostLevels) {
				throw new UnknownTemplate(each);
			}
			return value.includes('{{') ? renderText(value, level + 1) : value;
		});
	return renderText(text, 1);
}

/** Returns a variable by its name, or a field of one by its path. */
export function getVariable(path: string, variables: Readonly<Record<string, unknown>>): unknown {
	return path
		.split('.')
		.reduce<unknown>(
			(holder, each) => (typeof holder === 'object' && holder !== null ? getOwnField(holder as never, each) : undefined),
			variables,
		);
}

/** Converts a variable to the text that a template inserts. */
export function formatVariable(value: unknown): string {
	return value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function replaceVariables(text: string, replace: (name: string) => string): string {
	// what remains between variables must have no other syntax
	const parts: string[] = [];
	let end = 0;
	for (const match of text.matchAll(variable)) {
		const path = match[1]!.trim();
		if (!name.test(path) || /^(?:env|loop|_conversation)\b/.test(path)) {
			throw new UnknownTemplate(match[0]);
		}
		parts.push(requirePlain(text.slice(end, match.index)), replace(path));
		end = match.index + match[0].length;
	}
	return [...parts, requirePlain(text.slice(end))].join('');
}

function requirePlain(text: string): string {
	const at = text.search(/\{[{%#]/);
	if (at >= 0) {
		throw new UnknownTemplate(text.slice(at, at + 60));
	}
	return text;
}
