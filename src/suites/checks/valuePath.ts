import { getOwnField } from '#base/records/ownField.ts';
import { tryParseJson } from '#base/text/json.ts';
import { isTooDeepJson } from '#contract/jsonDepth.ts';

const part = /\.?([^.[\]"']+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * Parses a path such as `facts.items[0].id` or `["a.b"]` into names and indexes; `$` is the whole value. Returns `undefined` if it's
 * invalid.
 */
export function parseValuePath(path: string): readonly (string | number)[] | undefined {
	if (path === '$') {
		return [];
	}
	const names: (string | number)[] = [];
	part.lastIndex = 0;
	while (part.lastIndex < path.length) {
		const at = part.lastIndex;
		const found = part.exec(path);
		if (!found || (at === 0 && path.startsWith('.')) || (at > 0 && found[1] !== undefined && path[at] !== '.')) {
			return undefined;
		}
		names.push(found[1] ?? (found[2] === undefined ? unescapeName(found[3]!) : Number(found[2])));
	}
	return names.length > 0 ? names : undefined;
}

/** Returns the value at a path; `undefined` if there's none. Strings with a JSON object or list are parsed on the way. */
export function getValueAtPath(value: unknown, path: readonly (string | number)[]): unknown {
	let at = value;
	for (const name of path) {
		const holder = typeof at === 'string' ? parseJsonValue(at) : at;
		if (typeof holder !== 'object' || holder === null) {
			return undefined;
		}
		at = Array.isArray(holder)
			? typeof name === 'number' || /^\d+$/.test(name)
				? holder[Number(name)]
				: undefined
			: getOwnField(holder as Record<string, unknown>, String(name));
	}
	return at;
}

/** Parses a JSON string; `undefined` for invalid JSON and values that are nested too deeply to be stored. */
export function parseJsonValue(text: string): unknown {
	const value = tryParseJson(text);
	return isTooDeepJson(text, value) ? undefined : value;
}

function unescapeName(name: string): string {
	return name.replace(/\\(.)/g, '$1');
}
