import { Float } from './float.ts';

/** True for an object with keys: not a list, null or a {@link Float}. */
export function isObjectValue(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float);
}
