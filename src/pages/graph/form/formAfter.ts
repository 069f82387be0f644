import type { FieldOf, FormOperation, NodeForm, NodeFormField } from '../nodeForm/formTypes.ts';
import { dataAfter, itemsAfter } from '../nodeForm/plainOperations.ts';
import { textOfValue } from '../nodeForm/valueText.ts';

type Path = NodeFormField['path'];
type FieldEdit = Exclude<FormOperation, { do: 'rename' }>;

/**
 * Returns the form with an edit applied, before the file has it. This way edits show immediately, and responses to earlier edits don't
 * revert them. Side effects on other fields, such as new choices or problems, arrive with the form of the new file.
 */
export function formAfter(form: NodeForm, operation: FormOperation): NodeForm {
	if (operation.do === 'rename' || operation.node !== form.node) {
		return form;
	}
	return { ...form, sections: form.sections.map(section => ({ ...section, fields: fieldsAfter(section.fields, operation) })) };
}

function fieldsAfter(fields: readonly NodeFormField[], operation: FieldEdit): readonly NodeFormField[] {
	return fields.map(field => fieldAfter(field, operation));
}

function fieldAfter(field: NodeFormField, operation: FieldEdit): NodeFormField {
	const { path } = field;
	const depth = path.length;
	if (!path.every((key, at) => operation.path[at] === key)) {
		return field;
	}
	if (operation.path.length === depth) {
		return operation.do === 'set' ? withValue(field, operation.value) : field.kind === 'list' ? listAfter(field, operation) : field;
	}
	const rest = { ...operation, path: operation.path.slice(depth) };
	switch (field.kind) {
		case 'group': {
			const fields = fieldsAfter(field.fields, operation);
			return { ...field, written: true, fields, ...('value' in field ? { value: dataAfter(field.value, rest) } : {}) };
		}
		case 'list':
			return { ...field, items: fieldsAfter(field.items, operation) };
		case 'map':
			return mapAfter(field, operation, rest);
		default:
			return field;
	}
}

/** Returns a field with another value. */
function withValue(field: NodeFormField, value: unknown): NodeFormField {
	const written = value !== undefined;
	const text = textOfValue(value);
	switch (field.kind) {
		case 'text':
		case 'code':
		case 'value':
		case 'json':
			return { ...field, written, value: text, held: heldOf(field) };
		case 'number':
			return { ...field, written, value: typeof value === 'number' ? value : text === '' ? undefined : text, held: heldOf(field) };
		case 'checkbox':
			return { ...field, written, value: typeof value === 'boolean' ? value : undefined };
		case 'select':
		case 'modelName':
		case 'kept':
			return { ...field, written, value: text };
		case 'selector':
			return { ...field, written, value: Array.isArray(value) ? value.map(String) : [] };
		case 'group': {
			const fields = field.fields.map(each => withValue(each, fieldIn(value, each.name)));
			return { ...field, written, fields, ...('value' in field ? { value } : {}) };
		}
		case 'list':
			return { ...field, written, items: itemsOf(field, value) };
		case 'map':
			return { ...field, written, ...entriesOf(field, value) };
	}
}

/** Returns the text that the file has for a typed field. */
function heldOf(field: FieldOf<'text' | 'code' | 'value' | 'json' | 'number'>): string {
	return field.held ?? textOfValue(field.value);
}

function itemsOf(list: FieldOf<'list'>, value: unknown): readonly NodeFormField[] {
	const values: readonly unknown[] = Array.isArray(value) ? value : [];
	return values.flatMap((each, at) => {
		const item = list.items[at] ?? list.next;
		return item ? [withValue(placed(item, [...list.path, at]), each)] : [];
	});
}

function listAfter(list: FieldOf<'list'>, operation: Exclude<FieldEdit, { do: 'set' }>): NodeFormField {
	if (operation.do === 'insertItem' && !list.next) {
		return list;
	}
	const items =
		operation.do === 'insertItem'
			? itemsAfter(list.items, { ...operation, value: withValue(list.next as NodeFormField, operation.value) })
			: itemsAfter(list.items, operation);
	return { ...list, written: true, items: items.map((item, at) => placed(item, [...list.path, at])) };
}

function mapAfter(map: FieldOf<'map'>, operation: FieldEdit, rest: FieldEdit): NodeFormField {
	const content = dataAfter(Object.fromEntries(map.value), rest);
	const value = Object.entries(typeof content === 'object' && content !== null ? content : {});
	const [name] = rest.path;
	if (operation.do === 'set' && rest.path.length === 1) {
		return { ...map, written: true, ...entriesOf(map, Object.fromEntries(value)) };
	}
	return { ...map, value, entries: map.entries.map(entry => (entry.name === name ? fieldAfter(entry, operation) : entry)) };
}

/** Returns the entries of a changed map: known, renamed and new ones. */
function entriesOf(map: FieldOf<'map'>, content: unknown): Pick<FieldOf<'map'>, 'entries' | 'value'> {
	const value = Object.entries(typeof content === 'object' && content !== null ? content : {});
	const entries = value.flatMap(([name, each], at) => {
		const renamed = value.length === map.entries.length ? map.entries[at] : undefined;
		const entry = map.entries.find(known => known.name === name) ?? renamed ?? map.next;
		return entry ? [{ ...withValue(placed(entry, [...map.path, name]), each), name, label: name }] : [];
	});
	return { entries, value };
}

/** Returns a field, and all fields in it, moved to another path. */
function placed(field: NodeFormField, path: Path): NodeFormField {
	const depth = field.path.length;
	if (depth === path.length && field.path.at(-1) === path.at(-1)) {
		return field;
	}
	const moved = (inner: NodeFormField): NodeFormField => {
		const at = { ...inner, path: [...path, ...inner.path.slice(depth)] };
		switch (at.kind) {
			case 'group':
				return { ...at, fields: at.fields.map(moved) };
			case 'list':
				return { ...at, items: at.items.map(moved), ...(at.next ? { next: moved(at.next) } : {}) };
			case 'map':
				return { ...at, entries: at.entries.map(moved), ...(at.next ? { next: moved(at.next) } : {}) };
			default:
				return at;
		}
	};
	const last = path.at(-1);
	return typeof last === 'number' ? { ...moved(field), name: String(last + 1) } : moved(field);
}

function fieldIn(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
		? (value as Readonly<Record<string, unknown>>)[name]
		: undefined;
}
