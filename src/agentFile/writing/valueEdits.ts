import { Document, isNode } from 'yaml';
import type { Path } from '../agentText.ts';
import { agentYaml } from '../agentYaml.ts';

/** A change of what a file holds. Paths and indexes are those of the file before any change. */
export type ValueEdit =
	/** Where the path does not exist yet it is made; `undefined` takes the field away. */
	| { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
	/** New items before the item that has the index, or behind the last one: plain values, or nodes of `yaml`, whose style is kept. */
	| { readonly kind: 'insert'; readonly path: Path; readonly at: number; readonly values: readonly unknown[] }
	| { readonly kind: 'remove'; readonly path: Path; readonly at: number }
	/** `to`: the index that it then has. */
	| { readonly kind: 'move'; readonly path: Path; readonly at: number; readonly to: number };

/** Plain value of what is written: aliases and styles gone, fields without a value too. */
export function plainOf(value: unknown): unknown {
	const plain: unknown = isNode(value) ? new Document(value, agentYaml).toJS() : value;
	// a file in UTF-8 has no lone surrogates
	const wellFormed = (_: string, each: unknown) => (typeof each === 'string' ? each.toWellFormed() : each);
	return plain === undefined ? null : (JSON.parse(JSON.stringify(plain), wellFormed) as unknown);
}

/** What a file holds after its changes. */
export function withEdits(content: unknown, edits: readonly ValueEdit[]): unknown {
	const sets = edits.filter(edit => edit.kind === 'set');
	// what lies deeper, and what stands further behind, first: so that the indexes of the others hold
	const lists = edits
		.filter(edit => edit.kind !== 'set')
		.toSorted((a, b) => b.path.length - a.path.length || b.at - a.at || (a.kind === 'remove' ? -1 : 1));
	const fields = sets.reduce(
		(made, { path, value }) => withValue(made, path, () => (value === undefined ? undefined : plainOf(value))),
		content,
	);
	return lists.reduce((made, edit) => withValue(made, edit.path, list => withItems(Array.isArray(list) ? list : [], edit)), fields);
}

function withItems(list: readonly unknown[], edit: Exclude<ValueEdit, { kind: 'set' }>): readonly unknown[] {
	switch (edit.kind) {
		case 'insert':
			return list.toSpliced(edit.at, 0, ...edit.values.map(plainOf));
		case 'remove':
			return list.toSpliced(edit.at, 1);
		case 'move':
			return list.toSpliced(edit.at, 1).toSpliced(edit.to, 0, list[edit.at]);
	}
}

/** A value with another one at a path in it; fields on the way there are made. */
export function withValue(value: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown): unknown {
	if (key === undefined) {
		return change(value);
	}
	if (Array.isArray(value)) {
		return value.with(Number(key), withValue(value[Number(key)], rest, change));
	}
	const fields = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
	const name = String(key);
	const inner = withValue(Object.hasOwn(fields, name) ? fields[name] : undefined, rest, change);
	if (inner === undefined && value === undefined) {
		return undefined;
	}
	const { [name]: _, ...others } = fields;
	return inner === undefined ? others : { ...fields, [name]: inner };
}

/** The value at a path of a plain value. */
export function valueIn(value: unknown, path: Path): unknown {
	return path.reduce<unknown>(
		(inner, key) =>
			typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
				? (inner as Readonly<Record<string | number, unknown>>)[key]
				: undefined,
		value,
	);
}
