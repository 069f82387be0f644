import type { FieldOf, NodeForm, NodeFormField } from '../nodeForm/formTypes.ts';

/** Kinds of fields that share one element, `<draft-input>`. */
const typedKinds: readonly NodeFormField['kind'][] = ['text', 'number', 'value', 'json', 'code'];

/**
 * Gives list items the keys that they have in the shown form, so that an item keeps its element and draft when it moves. While the user
 * types in a field, the field keeps its kind, even if its new value would have another kind.
 */
export class ItemKeys {
	#next = 0;

	/** @param before the form that is shown. Like `now`, it includes all pending edits. */
	assignKeys(now: NodeForm, before: NodeForm | undefined, isTypedIn: (field: NodeFormField) => boolean): NodeForm {
		const old = before?.sections.flatMap(({ fields }) => fields) ?? [];
		const assignFieldKeys = (fields: readonly NodeFormField[], known: readonly NodeFormField[]) =>
			fields.map(field =>
				this.#assignInnerKeys(
					field,
					known.find(({ path }) => isSamePath(path, field.path)),
					isTypedIn,
				),
			);
		return { ...now, sections: now.sections.map(section => ({ ...section, fields: assignFieldKeys(section.fields, old) })) };
	}

	#assignInnerKeys(now: NodeFormField, before: NodeFormField | undefined, isTypedIn: (field: NodeFormField) => boolean): NodeFormField {
		switch (now.kind) {
			case 'group': {
				const known = before?.kind === 'group' ? before.fields : [];
				return {
					...now,
					fields: now.fields.map(field =>
						this.#assignInnerKeys(
							field,
							known.find(({ name }) => name === field.name),
							isTypedIn,
						),
					),
				};
			}
			case 'list':
				return { ...now, items: this.#assignItemKeys(now, before?.kind === 'list' ? before : undefined, isTypedIn) };
			case 'map': {
				const known = before?.kind === 'map' ? before.entries : [];
				return {
					...now,
					entries: now.entries.map(entry =>
						this.#assignInnerKeys(
							entry,
							known.find(({ name }) => name === entry.name),
							isTypedIn,
						),
					),
				};
			}
			default:
				return before && before.kind !== now.kind && isTypedField(now) && isTypedField(before) && isTypedIn(before)
					? keepFieldKind(now, before)
					: now;
		}
	}

	#assignItemKeys(
		now: FieldOf<'list'>,
		before: FieldOf<'list'> | undefined,
		isTypedIn: (field: NodeFormField) => boolean,
	): readonly NodeFormField[] {
		const known = matchItems(now.items, before?.items ?? []);
		return now.items.map((item, at) => {
			const old = known[at];
			return { ...this.#assignInnerKeys(item, old, isTypedIn), key: old?.key ?? item.key ?? ++this.#next };
		});
	}
}

/** Finds the previous version of each item: the item at the same index if the length is the same, else equal items from both ends. */
function matchItems(now: readonly NodeFormField[], before: readonly NodeFormField[]): readonly (NodeFormField | undefined)[] {
	if (now.length === before.length) {
		return before;
	}
	const [marks, old] = [now.map(serializeContent), before.map(serializeContent)];
	const least = Math.min(now.length, before.length);
	let front = 0;
	while (front < least && marks[front] === old[front]) {
		front++;
	}
	let back = 0;
	while (back < least - front && marks.at(-1 - back) === old.at(-1 - back)) {
		back++;
	}
	return now.map((_, at) => (at < front ? before[at] : at >= now.length - back ? before[at - now.length + before.length] : undefined));
}

/** Returns a comparable text of an item's content, without its position. */
function serializeContent(field: NodeFormField): string {
	switch (field.kind) {
		case 'group':
			return `{${field.fields.map(each => `${each.name}:${serializeContent(each)}`).join()}}`;
		case 'list':
			return `[${field.items.map(serializeContent).join()}]`;
		default:
			return JSON.stringify(field.value) ?? '';
	}
}

type TypedField = FieldOf<'text' | 'number' | 'value' | 'json' | 'code'>;

function isTypedField(field: NodeFormField): field is TypedField {
	return typedKinds.includes(field.kind);
}

function keepFieldKind({ faults, held, value, written }: TypedField, before: TypedField): NodeFormField {
	return { ...before, faults, written, value: String(value ?? ''), ...(held === undefined ? {} : { held }) } as NodeFormField;
}

function isSamePath(a: NodeFormField['path'], b: NodeFormField['path']): boolean {
	return a.length === b.length && a.every((key, at) => key === b[at]);
}
