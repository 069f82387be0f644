import type { Translate } from './localization.ts';
import { plainWords } from './plainWords.ts';

/** A message as its English template (`{0}` for the first value) and its values, so that a program with translations can show it in another language. */
export interface LocalizableMessage {
	readonly template: string;
	readonly args: readonly (string | number)[];
}

/** Tag of a template literal: localizable`Couldn't read ${name}.` has the template `Couldn't read {0}.` */
export function localizable(texts: TemplateStringsArray, ...args: readonly (string | number)[]): LocalizableMessage {
	return { template: texts.reduce((template, text, index) => `${template}{${index - 1}}${text}`), args };
}

/** The message in English. */
export function formatMessage({ template, args }: LocalizableMessage): string {
	return plainWords(template, ...args);
}

/** The message in the language of `t`. */
export function translateMessage({ template, args }: LocalizableMessage, t: Translate): string {
	return t(template, ...args.map(each => (typeof each === 'object' ? translateMessage(each, t) : each)));
}

/** Longest header value that {@link encodeMessage} makes, in characters. */
const maxHeaderLength = 4096;

/** The message as the value of an HTTP header (ASCII); undefined if it would be over 4,096 characters long. */
export function encodeMessage({ template, args }: LocalizableMessage): string | undefined {
	const value = encodeURIComponent(JSON.stringify([template, ...args]).toWellFormed());
	return value.length <= maxHeaderLength ? value : undefined;
}

/** The message in a header's value that {@link encodeMessage} made; undefined for any other text. */
export function decodeMessage(value: string): LocalizableMessage | undefined {
	try {
		const [template, ...args]: readonly unknown[] = JSON.parse(decodeURIComponent(value));
		return typeof template === 'string' && args.every(isArgument) ? { template, args } : undefined;
	} catch {
		return undefined;
	}
}

function isArgument(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}
