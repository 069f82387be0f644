import { ownField } from '#base/records/ownField.ts';
import { tryParseJson } from '#base/text/json.ts';
import { isTooDeep } from '#contract/jsonDepth.ts';

const part = /\.?([^.[\]"']+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** The names and indexes of a path such as `facts.items[0].id` or `["a.b"]`; `$` alone is the whole value. `undefined` for what is none. */
export function parsePath(path: string): readonly (string | number)[] | undefined {
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
		names.push(found[1] ?? (found[2] === undefined ? unescaped(found[3]!) : Number(found[2])));
	}
	return names.length > 0 ? names : undefined;
}

/** What a path leads to; `undefined` where there is nothing. A text on the way that is a JSON object or list is read as one. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
	let at = value;
	for (const name of path) {
		const holder = typeof at === 'string' ? parsed(at) : at;
		if (typeof holder !== 'object' || holder === null) {
			return undefined;
		}
		at = Array.isArray(holder)
			? typeof name === 'number' || /^\d+$/.test(name)
				? holder[Number(name)]
				: undefined
			: ownField(holder as Record<string, unknown>, String(name));
	}
	return at;
}

/** A text as the value that it is the JSON of; `undefined` for any other text, and for one so deep that it could not be kept. */
export function parsed(text: string): unknown {
	const value = tryParseJson(text);
	return isTooDeep(text, value) ? undefined : value;
}

function unescaped(name: string): string {
	return name.replace(/\\(.)/g, '$1');
}
