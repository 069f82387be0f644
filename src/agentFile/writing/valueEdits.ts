import { Document, isNode } from 'yaml';
import type { Path } from '../agentText.ts';
import { agentYaml } from '../agentYaml.ts';

/** An edit of a file's values. Paths and indexes refer to the file before all edits. */
export type ValueEdit =
	/** Sets a field. Creates missing parents; `undefined` removes the field. */
	| { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
	/** Inserts items before an index, or at the end: plain values, or nodes of `yaml`, whose style is kept. */
	| { readonly kind: 'insert'; readonly path: Path; readonly at: number; readonly values: readonly unknown[] }
	| { readonly kind: 'remove'; readonly path: Path; readonly at: number }
	/** Moves an item. `to`: the new index. */
	| { readonly kind: 'move'; readonly path: Path; readonly at: number; readonly to: number };

/** Returns the plain value of a node, without aliases, styles and undefined fields. */
export function toPlainValue(value: unknown): unknown {
	const plain: unknown = isNode(value) ? new Document(value, agentYaml).toJS() : value;
	// UTF-8 can't encode lone surrogates
	const toWellFormed = (_: string, each: unknown) => (typeof each === 'string' ? each.toWellFormed() : each);
	return plain === undefined ? null : (JSON.parse(JSON.stringify(plain), toWellFormed) as unknown);
}

/** Applies edits to the plain values of a file. */
export function applyEdits(content: unknown, edits: readonly ValueEdit[]): unknown {
	const sets = edits.filter(edit => edit.kind === 'set');
	// apply deeper and later edits first, so that other indexes stay valid
	const lists = edits
		.filter(edit => edit.kind !== 'set')
		.toSorted((a, b) => b.path.length - a.path.length || b.at - a.at || (a.kind === 'remove' ? -1 : 1));
	const fields = sets.reduce(
		(made, { path, value }) => changeValueAt(made, path, () => (value === undefined ? undefined : toPlainValue(value))),
		content,
	);
	return lists.reduce((made, edit) => changeValueAt(made, edit.path, list => applyItemEdit(Array.isArray(list) ? list : [], edit)), fields);
}

function applyItemEdit(list: readonly unknown[], edit: Exclude<ValueEdit, { kind: 'set' }>): readonly unknown[] {
	switch (edit.kind) {
		case 'insert':
			return list.toSpliced(edit.at, 0, ...edit.values.map(toPlainValue));
		case 'remove':
			return list.toSpliced(edit.at, 1);
		case 'move':
			return list.toSpliced(edit.at, 1).toSpliced(edit.to, 0, list[edit.at]);
	}
}

/** Returns the value with a change at a path. Creates missing parents. */
export function changeValueAt(value: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown): unknown {
	if (key === undefined) {
		return change(value);
	}
	if (Array.isArray(value)) {
		return value.with(Number(key), changeValueAt(value[Number(key)], rest, change));
	}
	const fields = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
	const name = String(key);
	const inner = changeValueAt(Object.hasOwn(fields, name) ? fields[name] : undefined, rest, change);
	if (inner === undefined && value === undefined) {
		return undefined;
	}
	const { [name]: _, ...others } = fields;
	return inner === undefined ? others : { ...fields, [name]: inner };
}

/** Returns the value at a path of a plain value. */
export function getValueAt(value: unknown, path: Path): unknown {
	return path.reduce<unknown>(
		(inner, key) =>
			typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
				? (inner as Readonly<Record<string | number, unknown>>)[key]
				: undefined,
		value,
	);
}
