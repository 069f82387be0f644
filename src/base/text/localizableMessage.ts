import { fillPlaceholders } from './fillPlaceholders.ts';
import type { Translate } from './localization.ts';

/** A message as an English template (`{0}` for the first value) with values, so that another program can translate it. */
export interface LocalizableMessage {
	readonly template: string;
	readonly args: readonly MessageArgument[];
}

/** A value of a message. If it is a message itself, it is translated before it is filled in. */
export type MessageArgument = string | number | LocalizableMessage;

/** Template literal tag: localizable`Couldn't read ${name}.` has the template `Couldn't read {0}.` */
export function localizable(texts: TemplateStringsArray, ...args: readonly MessageArgument[]): LocalizableMessage {
	return { template: texts.reduce((template, text, index) => `${template}{${index - 1}}${text}`), args: args.map(toMessageArgument) };
}

/** Converts an object that isn't a message to JSON, because fields of responses can have other types than declared. */
function toMessageArgument(value: unknown): MessageArgument {
	return typeof value === 'number' || typeof value === 'string' || isMessage(value) ? value : (JSON.stringify(value) ?? String(value));
}

function isMessage(value: unknown): value is LocalizableMessage {
	const { template, args } = (value ?? {}) as Partial<LocalizableMessage>;
	return typeof template === 'string' && Array.isArray(args) && args.every(each => isPlainArgument(each) || isMessage(each));
}

export function formatMessage({ template, args }: LocalizableMessage): string {
	return fillPlaceholders(template, ...args.map(each => (typeof each === 'object' ? formatMessage(each) : each)));
}

/** Returns the message in the language of `t`. */
export function translateMessage({ template, args }: LocalizableMessage, t: Translate): string {
	const text = t(template, ...args.map(each => (typeof each === 'object' ? translateMessage(each, t) : each)));
	// Chinese and Japanese don't put spaces between words, but translations have them around placeholders
	return args.some(each => typeof each === 'object')
		? text.replaceAll(/(?<=[\p{Script=Han}\p{Script=Hiragana}]) (?=[\p{Script=Han}\p{Script=Hiragana}])|(?<=。) /gu, '')
		: text;
}

/** Maximum length of a header value that {@link encodeMessage} creates, in characters. */
const maxHeaderLength = 4096;

/**
 * Encodes a message as the value of an HTTP header (ASCII). Returns undefined if the value would be over 4,096 characters long, or if the
 * message contains other messages.
 */
export function encodeMessage({ template, args }: LocalizableMessage): string | undefined {
	if (!args.every(isPlainArgument)) {
		return undefined;
	}
	const value = encodeURIComponent(JSON.stringify([template, ...args]).toWellFormed());
	return value.length <= maxHeaderLength ? value : undefined;
}

/** Decodes a header value that {@link encodeMessage} created. Returns undefined for any other text. */
export function decodeMessage(value: string): LocalizableMessage | undefined {
	if (value.length > maxHeaderLength) {
		return undefined;
	}
	try {
		const [template, ...args]: readonly unknown[] = JSON.parse(decodeURIComponent(value));
		return typeof template === 'string' && args.every(isPlainArgument) ? { template, args } : undefined;
	} catch {
		return undefined;
	}
}

function isPlainArgument(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}
