import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { toTimestampMs } from '#contract/timestamps.ts';

/** A response object with unchecked fields. */
export type ReplyFields = Readonly<Record<string, unknown>>;

/** Returns the objects of a list. Throws if the value isn't a list. */
export function readList(value: unknown): readonly ReplyFields[] {
	if (!Array.isArray(value)) {
		throw new TypeError('not a list');
	}
	return value.filter(isRecord);
}

/** Throws if the object has no string with this name. */
export function readString(fields: ReplyFields, name: string): string {
	const value = fields[name];
	if (typeof value !== 'string' || value === '') {
		throw new TypeError(`no ${name}`);
	}
	return value;
}

export function toOptionalText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a number, even if it was sent as a string. */
export function toOptionalNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns Unix seconds for a time in any of Dify's formats. */
export function toOptionalTime(value: unknown): number | undefined {
	const ms = toTimestampMs(value);
	return ms === undefined ? undefined : ms / 1000;
}

/** Returns an object, even if it was sent as JSON text. */
export function toOptionalRecord(value: unknown): ReplyFields | undefined {
	const parsed = typeof value === 'string' ? tryParseJson(value) : value;
	return isRecord(parsed) ? parsed : undefined;
}

/** Returns the name of an account, given as an object or a string. A bare account ID is dropped because it means nothing to a reader. */
export function readAccountName(value: unknown): string | undefined {
	const name = isRecord(value) ? (toOptionalText(value['name']) ?? toOptionalText(value['email'])) : toOptionalText(value);
	return name !== undefined && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(name) ? undefined : name;
}
