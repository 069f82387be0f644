import { Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, Scalar, YAMLMap } from 'yaml';
import { isDeepEqual, isRecord, toFields } from '#base/records/plainValues.ts';
import type { Path } from '../agentText.ts';
import { addFields, type Holder, removeField, replaceValue, type Writing } from './fieldWriter.ts';
import { moveItemText, writeItems } from './itemWriter.ts';
import { Unwritable } from './pieces.ts';
import { applyEdits, changeValueAt, getValueAt, toPlainValue, type ValueEdit } from './valueEdits.ts';
import { findFieldIndex } from './yamlPlaces.ts';

/** Finds where edits apply in a file's text and collects the text changes. */
export class EditWriter {
	readonly #writing: Writing;
	readonly #document: Document.Parsed;
	readonly #content: unknown;
	readonly #added = new Map<YAMLMap, { readonly fields: Map<string, unknown>; readonly depth: number }>();
	readonly #waiting = new Map<string, { readonly changed: unknown; readonly write: (changed: unknown) => void }>();

	constructor(writing: Writing, document: Document.Parsed, content: unknown) {
		this.#writing = writing;
		this.#document = document;
		this.#content = content;
	}

	collectChanges(edits: readonly ValueEdit[]): void {
		for (const edit of edits) {
			if (edit.kind === 'set') {
				this.#setValue(edit.path, edit.value);
			} else if (edit.kind === 'move') {
				this.#moveItem(edit.path, edit.at, edit.to);
			}
		}
		const lists = Map.groupBy(
			edits.filter(edit => edit.kind === 'insert' || edit.kind === 'remove'),
			({ path }) => JSON.stringify(path),
		);
		for (const each of lists.values()) {
			const [{ path } = { path: [] }] = each;
			const removed = new Set(each.flatMap(edit => (edit.kind === 'remove' ? [edit.at] : [])));
			const inserted = new Map<number, readonly unknown[]>();
			for (const edit of each) {
				if (edit.kind === 'insert' && edit.values.length > 0) {
					inserted.set(edit.at, [...(inserted.get(edit.at) ?? []), ...edit.values]);
				}
			}
			const found = this.#findValue(path);
			if (found && isSeq(found.node) && found.node.items.length > 0) {
				writeItems(this.#writing, found.node, found.holder, { removed, inserted }, path.length);
			} else {
				// there's no list yet, or it's an alias
				const applyListEdits = (old: unknown) =>
					applyEdits(
						old,
						each.map(edit => ({ ...edit, path: [] })),
					);
				this.#setValue(
					path,
					found && isSeq(found.node) ? [...inserted.values()].flat() : applyListEdits(getValueAt(this.#content, path)),
					applyListEdits,
				);
			}
		}
		this.#writeDeferredEdits();
	}

	/** Finds a value that is written at the path itself; `undefined` if it's missing or comes from an alias. */
	#findValue(path: Path): { readonly node: unknown; readonly holder: Holder } | undefined {
		let node: unknown = this.#document.contents;
		let holder: Holder | undefined;
		for (const key of path) {
			this.#writing.shared.markDetached(node);
			holder = isMap(node) ? { map: node, index: findFieldIndex(node, key) } : isSeq(node) ? { list: node, index: Number(key) } : undefined;
			node = holder && getHolderValue(holder);
			if (node === undefined) {
				return undefined;
			}
		}
		this.#writing.shared.markDetached(node);
		return holder && { node, holder };
	}

	/** @param change computes the value from the old one, with other edits applied */
	#setValue(path: Path, value: unknown, change: (old: unknown) => unknown = () => value): void {
		let node: unknown = this.#document.contents;
		let holder: Holder | undefined;
		for (const [depth, key] of path.entries()) {
			const rest = path.slice(depth + 1);
			if (isMap(node)) {
				this.#writing.shared.markDetached(node);
				const index = findFieldIndex(node, key);
				if (index < 0) {
					this.#addMissingField(node, path.slice(0, depth + 1), rest, value, change);
					return;
				}
				holder = { map: node, index };
			} else if (isSeq(node)) {
				this.#writing.shared.markDetached(node);
				holder = { list: node, index: Number(key) };
				if (!(Number(key) in node.items)) {
					throw new Unwritable(this.#writing.refusals.place);
				}
			} else {
				this.#setInsideAlias(node, holder, path.slice(0, depth), path.slice(depth), value, change);
				return;
			}
			node = getHolderValue(holder);
		}
		if (!holder) {
			throw new Unwritable(this.#writing.refusals.place);
		}
		if (this.#waiting.has(JSON.stringify(path))) {
			this.#deferEdit(path, [], change);
		} else if (value !== undefined) {
			this.#changeValue(holder, node, getValueAt(this.#content, path), value, path.length);
		} else if ('map' in holder) {
			this.#removeFields(holder.map, [holder.index]);
		} else {
			throw new Unwritable(this.#writing.refusals.place);
		}
	}

	/** Adds a field that a map doesn't have itself; it may come from a merge. */
	#addMissingField(map: YAMLMap, path: Path, rest: Path, value: unknown, change: (old: unknown) => unknown): void {
		const current = getValueAt(this.#content, path);
		if (value === undefined && (current === undefined || (rest.length > 0 && getValueAt(current, rest) === undefined))) {
			return;
		}
		this.#deferEdit(path, rest, change, changed => {
			if (changed === undefined) {
				throw new Unwritable(this.#writing.refusals.place);
			}
			this.#addField(map, String(path.at(-1)), changed, path.length);
		});
	}

	/** Sets a value inside an alias, or inside a value that has no fields. */
	#setInsideAlias(
		node: unknown,
		holder: Holder | undefined,
		path: Path,
		rest: Path,
		value: unknown,
		change: (old: unknown) => unknown,
	): void {
		if (holder && (value !== undefined || isAlias(node))) {
			this.#deferEdit(path, rest, change, changed => {
				this.#changeValue(holder, node, getValueAt(this.#content, path), changed, path.length);
			});
		}
	}

	/** Collects all edits in a value, so that the value is written once. */
	#deferEdit(path: Path, rest: Path, change: (old: unknown) => unknown, write: (changed: unknown) => void = () => {}): void {
		const key = JSON.stringify(path);
		const known = this.#waiting.get(key);
		const current = known ? known.changed : getValueAt(this.#content, path);
		this.#waiting.set(key, { changed: changeValueAt(current, rest, change), write: known?.write ?? write });
	}

	#writeDeferredEdits(): void {
		for (const { changed, write } of this.#waiting.values()) {
			write(changed);
		}
		this.#waiting.clear();
		for (const [map, { fields, depth }] of this.#added) {
			addFields(this.#writing, map, fields, depth);
		}
	}

	#addField(map: YAMLMap, name: string, value: unknown, depth: number): void {
		const { fields } = this.#added.get(map) ?? { fields: new Map() };
		this.#added.set(map, { fields: fields.set(name, value), depth });
	}

	#changeValue(holder: Holder, node: unknown, current: unknown, value: unknown, depth: number): void {
		if (isDeepEqual(toPlainValue(current), toPlainValue(value))) {
			return;
		}
		if (isAlias(node)) {
			replaceValue(
				this.#writing,
				holder,
				this.#writing.shared.isLostValue(this.#writing.shared.getAliasTarget(node)) ? value : createMergedAlias(node, current, value),
			);
			return;
		}
		this.#writing.shared.markDetached(node);
		if (isMap(node) && isRecord(value)) {
			const own = node.items.flatMap(({ key }, index) =>
				isScalar(key) && typeof key.value !== 'symbol' ? [{ name: String(key.value), index }] : [],
			);
			const gone = own.filter(({ name }) => !Object.hasOwn(value, name));
			const names = new Set(own.map(({ name }) => name));
			const merged = Object.keys(toFields(current)).filter(name => !names.has(name));
			if (gone.length < own.length && merged.every(name => Object.hasOwn(value, name))) {
				this.#changeFields(node, current, value, { own, gone }, depth);
				return;
			}
		}
		if (isSeq(node) && Array.isArray(value) && Array.isArray(current) && node.items.length > 0 && value.length > 0) {
			this.#changeItems(node, holder, current, value, depth);
			return;
		}
		replaceValue(this.#writing, holder, value);
	}

	#changeFields(
		map: YAMLMap,
		current: unknown,
		value: Readonly<Record<string, unknown>>,
		{ own, gone }: Record<'own' | 'gone', readonly { name: string; index: number }[]>,
		depth: number,
	): void {
		for (const { name, index } of own) {
			if (Object.hasOwn(value, name)) {
				this.#changeValue({ map, index }, getHolderValue({ map, index }), getValueAt(current, [name]), value[name], depth + 1);
			}
		}
		this.#removeFields(
			map,
			gone.map(({ index }) => index),
		);
		const names = new Set(own.map(({ name }) => name));
		for (const [name, each] of Object.entries(value)) {
			if (!names.has(name) && !isDeepEqual(toPlainValue(getValueAt(current, [name]) ?? null), toPlainValue(each))) {
				this.#addField(map, name, each, depth + 1);
			}
		}
	}

	/** Changes the items of a list. Keeps equal items at both ends, and changes as many of the others as possible in place. */
	#changeItems(
		list: Node & { items: unknown[] },
		holder: Holder,
		current: readonly unknown[],
		value: readonly unknown[],
		depth: number,
	): void {
		const isSameItem = (a: number, b: number) => isDeepEqual(toPlainValue(current[a]), toPlainValue(value[b]));
		const most = Math.min(current.length, value.length);
		let front = 0;
		while (front < most && isSameItem(front, front)) {
			front++;
		}
		let back = 0;
		while (back < most - front && isSameItem(current.length - 1 - back, value.length - 1 - back)) {
			back++;
		}
		const both = most - front - back;
		for (let at = front; at < front + both; at++) {
			this.#changeValue({ list: list as never, index: at }, list.items[at], current[at], value[at], depth + 1);
		}
		const removed = new Set(Array.from({ length: current.length - front - back - both }, (_, at) => front + both + at));
		const added = value.slice(front + both, value.length - back);
		const inserted = new Map(added.length > 0 ? [[front + both, added]] : []);
		if (removed.size > 0 || inserted.size > 0) {
			writeItems(this.#writing, list as never, holder, { removed, inserted }, depth);
		}
	}

	#removeFields(map: YAMLMap, indexes: readonly number[]): void {
		for (const index of indexes) {
			removeField(this.#writing, map, index);
		}
	}

	#moveItem(path: Path, at: number, to: number): void {
		const found = this.#findValue(path);
		if (!found || !isSeq(found.node) || !moveItemText(this.#writing, found.node, at, to, path.length)) {
			this.#setValue(path, getValueAt(applyEdits(this.#content, [{ kind: 'move', path, at, to }]), path));
		}
	}
}

function getHolderValue(holder: Holder): unknown {
	return 'map' in holder ? (holder.map.items[holder.index] as Pair | undefined)?.value : holder.list.items[holder.index];
}

/**
 * Creates a map that merges the alias and overrides some fields. Returns the whole value if fields were removed, because a merge keeps
 * them.
 */
function createMergedAlias(alias: Alias, current: unknown, value: unknown): unknown {
	if (!isRecord(current) || !isRecord(value) || !Object.keys(current).every(name => Object.hasOwn(value, name))) {
		return value;
	}
	const map = new YAMLMap();
	map.flow = true;
	map.add({ key: new Scalar(Symbol('<<')), value: new Alias(alias.source) } as never);
	for (const [name, each] of Object.entries(value)) {
		if (!isDeepEqual(toPlainValue(getValueAt(current, [name]) ?? null), toPlainValue(each))) {
			map.set(name, each);
		}
	}
	return map;
}
