import { pythonStr } from '../variables/pythonText.ts';

/** Methods of Python's texts that agents use and the library has not. */
export const textMethods: ReadonlyMap<string, (text: string, args: readonly unknown[]) => unknown> = new Map<
	string,
	(text: string, args: readonly unknown[]) => unknown
>([
	['format', (text, args) => filled(text, args)],
	['find', (text, [part]) => text.indexOf(String(part))],
	['count', (text, [part]) => text.split(String(part)).length - 1],
	['join', (text, [items]) => (items as readonly unknown[]).map(pythonStr).join(text)],
	['splitlines', text => text.split(/\r\n|\r|\n/)],
	['swapcase', text => [...text].map(c => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('')],
	['casefold', text => text.toLowerCase()],
	['isdigit', text => /^\p{Nd}+$/u.test(text)],
	['isalpha', text => /^\p{L}+$/u.test(text)],
	['isupper', text => text === text.toUpperCase() && text !== text.toLowerCase()],
	['islower', text => text === text.toLowerCase() && text !== text.toUpperCase()],
	['zfill', (text, [width]) => text.padStart(bounded(width), '0')],
	['ljust', (text, [width, fill]) => text.padEnd(bounded(width), String(fill ?? ' '))],
	['rjust', (text, [width, fill]) => text.padStart(bounded(width), String(fill ?? ' '))],
	['removeprefix', (text, [part]) => (text.startsWith(String(part)) ? text.slice(String(part).length) : text)],
	['removesuffix', (text, [part]) => (text.endsWith(String(part)) ? text.slice(0, text.length - String(part).length) : text)],
	['partition', (text, [part]) => partition(text, String(part))],
]);

/** `'{} of {1:>5} {2:.2f}'.format(…)`: positions, widths, and digits behind the point. */
function filled(text: string, args: readonly unknown[]): string {
	let next = 0;
	return text.replace(
		/\{\{|\}\}|\{(\d*)(?::([<>^]?)(\d*)(?:\.(\d+))?([a-z%]?))?\}/g,
		(whole, position?: string, align?: string, width?: string, digits?: string) => {
			if (whole === '{{' || whole === '}}') {
				return whole[0] as string;
			}
			const value = args[position ? Number(position) : next++];
			const shown = digits !== undefined && typeof value === 'number' ? value.toFixed(Math.min(Number(digits), 100)) : pythonStr(value);
			const size = bounded(width);
			return align === '<' || (align === '' && typeof value === 'string') ? shown.padEnd(size) : shown.padStart(size);
		},
	);
}

function partition(text: string, part: string): readonly string[] {
	const at = text.indexOf(part);
	return at < 0 ? [text, '', ''] : [text.slice(0, at), part, text.slice(at + part.length)];
}

/** A width of a text; nobody needs more. */
function bounded(width: unknown): number {
	return Math.min(Math.max(0, Math.trunc(Number(width ?? 0)) || 0), 10_000);
}
