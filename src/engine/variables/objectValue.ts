import { Float } from './float.ts';

/** Whether a value is an object with keys: not a list, not null and not a {@link Float}. */
export function isObjectValue(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float);
}
