import { cutText } from './cutText.ts';

/** Translates a message of the UI and fills in its placeholders. This is `vscode.l10n.t` in the editor and `fillPlaceholders` elsewhere. */
export interface Translate {
	(message: string, ...args: (string | number | boolean)[]): string;
	(message: string, args: Readonly<Record<string, string | number | boolean>>): string;
	(options: {
		message: string;
		args?: (string | number | boolean)[] | Readonly<Record<string, string | number | boolean>>;
		comment: string | string[];
	}): string;
}

/** Maximum length of a value in a message, in UTF-16 units. */
const longestValue = 1000;

/** Returns a function that shortens the values in messages: a file can have a problem with the same long text thousands of times. */
export function limitValues(t: Translate): Translate {
	const limitValue = <T>(value: T) => (typeof value === 'string' ? cutText(value, longestValue) : value);
	return ((...given: Parameters<Translate>): string => Reflect.apply(t, undefined, given.map(limitValue))) as Translate;
}

/** Part of `vscode.l10n` needed by code that runs without VS Code. */
export interface Localization {
	readonly t: Translate;
}
