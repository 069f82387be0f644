import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { timestampToMs } from '#contract/timestamps.ts';

/** An object with fields of any kind, as answers have them. */
export type ReplyFields = Readonly<Record<string, unknown>>;

/** The objects of a list. Throws where it is none: the answer is another one than was asked for. */
export function listOf(value: unknown): readonly ReplyFields[] {
	if (!Array.isArray(value)) {
		throw new TypeError('not a list');
	}
	return value.filter(isRecord);
}

/** Throws for an object without a text of this name. */
export function textIn(fields: ReplyFields, name: string): string {
	const value = fields[name];
	if (typeof value !== 'string' || value === '') {
		throw new TypeError(`no ${name}`);
	}
	return value;
}

export function optionalText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A number, also one that came as a text. */
export function optionalNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Unix seconds of a time in any of the forms in which Dify writes one. */
export function optionalTime(value: unknown): number | undefined {
	const ms = timestampToMs(value);
	return ms === undefined ? undefined : ms / 1000;
}

/** An object, also one that came as its JSON. */
export function optionalRecord(value: unknown): ReplyFields | undefined {
	const parsed = typeof value === 'string' ? tryParseJson(value) : value;
	return isRecord(parsed) ? parsed : undefined;
}

/** Name of the account that an answer names as an object, or by itself; an account's bare ID tells nobody who it is. */
export function accountName(value: unknown): string | undefined {
	const name = isRecord(value) ? (optionalText(value['name']) ?? optionalText(value['email'])) : optionalText(value);
	return name !== undefined && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(name) ? undefined : name;
}
