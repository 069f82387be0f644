/** Characters of one string, items of one list, and characters altogether that an event carries of one value. */
const maxString = 20_000;
const maxItems = 1_000;
const maxTotal = 200_000;

/** What an event carries of a node's values; the whole is in the node's record. */
export interface Preview {
	readonly value: Record<string, unknown> | null;
	readonly truncated: boolean;
}

/** Shortens big values. Small ones, nearly all, are not copied. */
export function preview(value: Record<string, unknown> | null): Preview {
	const left = { characters: maxTotal };
	return value === null || fits(value, left)
		? { value, truncated: false }
		: { value: shortened(value) as Record<string, unknown>, truncated: true };
}

function fits(value: unknown, left: { characters: number }): boolean {
	if (typeof value === 'string') {
		left.characters -= value.length;
		return value.length <= maxString && left.characters >= 0;
	}
	left.characters -= 4;
	if (typeof value !== 'object' || value === null) {
		return left.characters >= 0;
	}
	if (Array.isArray(value)) {
		return value.length <= maxItems && value.every(item => fits(item, left));
	}
	for (const key in value) {
		left.characters -= key.length;
		if (!fits((value as Record<string, unknown>)[key], left)) {
			return false;
		}
	}
	return left.characters >= 0;
}

/** Keeps the beginning of everything; what no longer fits is named by its size. */
function shortened(value: unknown, left = { characters: maxTotal }): unknown {
	if (typeof value === 'string') {
		const length = Math.min(value.length, maxString, Math.max(0, left.characters));
		left.characters -= length;
		return length === value.length ? value : `${value.slice(0, length)}… (${value.length} characters)`;
	}
	left.characters -= 4;
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	const entries = Object.entries(value);
	const kept: [string, unknown][] = [];
	for (const [key, item] of entries) {
		if (left.characters <= 0 || kept.length === maxItems) {
			break;
		}
		left.characters -= key.length;
		kept.push([key, shortened(item, left)]);
	}
	if (Array.isArray(value)) {
		const items = kept.map(([, item]) => item);
		return kept.length === value.length ? items : [...items, `… (${value.length} items)`];
	}
	return Object.fromEntries(kept.length === entries.length ? kept : [...kept, ['…', `${entries.length} keys`]]);
}
