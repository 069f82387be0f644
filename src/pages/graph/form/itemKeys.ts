import type { FieldOf, NodeForm, NodeFormField } from '../nodeForm/formTypes.ts';

/** Kinds of fields whose value is typed, in one and the same element. */
const typedKinds: readonly NodeFormField['kind'][] = ['text', 'number', 'value', 'json', 'code'];

/**
 * Gives the items of a form's lists the keys that they have in the form that is shown: an item keeps its element, and what is typed in it, wherever it goes. A field that someone types in
 * keeps its kind until it is left, whatever its value could be by then.
 */
export class ItemKeys {
	#next = 0;

	/** @param before the form that is shown, after all that was asked for; `now` has all of that too */
	align(now: NodeForm, before: NodeForm | undefined, isTypedIn: (field: NodeFormField) => boolean): NodeForm {
		const old = before?.sections.flatMap(({ fields }) => fields) ?? [];
		const aligned = (fields: readonly NodeFormField[], known: readonly NodeFormField[]) =>
			fields.map(field =>
				this.#field(
					field,
					known.find(({ path }) => isSamePath(path, field.path)),
					isTypedIn,
				),
			);
		return { ...now, sections: now.sections.map(section => ({ ...section, fields: aligned(section.fields, old) })) };
	}

	#field(now: NodeFormField, before: NodeFormField | undefined, isTypedIn: (field: NodeFormField) => boolean): NodeFormField {
		switch (now.kind) {
			case 'group': {
				const known = before?.kind === 'group' ? before.fields : [];
				return {
					...now,
					fields: now.fields.map(field =>
						this.#field(
							field,
							known.find(({ name }) => name === field.name),
							isTypedIn,
						),
					),
				};
			}
			case 'list':
				return { ...now, items: this.#items(now, before?.kind === 'list' ? before : undefined, isTypedIn) };
			case 'map': {
				const known = before?.kind === 'map' ? before.entries : [];
				return {
					...now,
					entries: now.entries.map(entry =>
						this.#field(
							entry,
							known.find(({ name }) => name === entry.name),
							isTypedIn,
						),
					),
				};
			}
			default:
				return before && before.kind !== now.kind && isTyped(now) && isTyped(before) && isTypedIn(before) ? keptKind(now, before) : now;
		}
	}

	#items(
		now: FieldOf<'list'>,
		before: FieldOf<'list'> | undefined,
		isTypedIn: (field: NodeFormField) => boolean,
	): readonly NodeFormField[] {
		const known = sameItems(now.items, before?.items ?? []);
		return now.items.map((item, at) => {
			const old = known[at];
			return { ...this.#field(item, old, isTypedIn), key: old?.key ?? item.key ?? ++this.#next };
		});
	}
}

/** The item before for each item now: the one in its place; where there are more or fewer by another hand, those that are the same from both ends. */
function sameItems(now: readonly NodeFormField[], before: readonly NodeFormField[]): readonly (NodeFormField | undefined)[] {
	if (now.length === before.length) {
		return before;
	}
	const [marks, old] = [now.map(contentOf), before.map(contentOf)];
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

/** What an item holds, wherever it stands. */
function contentOf(field: NodeFormField): string {
	switch (field.kind) {
		case 'group':
			return `{${field.fields.map(each => `${each.name}:${contentOf(each)}`).join()}}`;
		case 'list':
			return `[${field.items.map(contentOf).join()}]`;
		default:
			return JSON.stringify(field.value) ?? '';
	}
}

type TypedField = FieldOf<'text' | 'number' | 'value' | 'json' | 'code'>;

function isTyped(field: NodeFormField): field is TypedField {
	return typedKinds.includes(field.kind);
}

function keptKind({ faults, held, value, written }: TypedField, before: TypedField): NodeFormField {
	return { ...before, faults, written, value: String(value ?? ''), ...(held === undefined ? {} : { held }) } as NodeFormField;
}

function isSamePath(a: NodeFormField['path'], b: NodeFormField['path']): boolean {
	return a.length === b.length && a.every((key, at) => key === b[at]);
}
