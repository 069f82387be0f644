import type { FieldOf, FormOperation, NodeForm, NodeFormField } from '../nodeForm/formTypes.ts';
import { applyToData, applyToItems } from '../nodeForm/plainOperations.ts';
import { formatFieldValue } from '../nodeForm/valueText.ts';

type Path = NodeFormField['path'];
type FieldEdit = Exclude<FormOperation, { do: 'rename' }>;

/**
 * Returns the form with an edit applied, before the file contains the edit. This way edits show immediately, and responses to earlier edits
 * don't revert them. Side effects on other fields, such as new choices or problems, arrive with the form of the new file.
 */
export function applyToForm(form: NodeForm, operation: FormOperation): NodeForm {
	if (operation.do === 'rename' || operation.node !== form.node) {
		return form;
	}
	return { ...form, sections: form.sections.map(section => ({ ...section, fields: applyToFields(section.fields, operation) })) };
}

function applyToFields(fields: readonly NodeFormField[], operation: FieldEdit): readonly NodeFormField[] {
	return fields.map(field => applyToField(field, operation));
}

function applyToField(field: NodeFormField, operation: FieldEdit): NodeFormField {
	const { path } = field;
	const depth = path.length;
	if (!path.every((key, at) => operation.path[at] === key)) {
		return field;
	}
	if (operation.path.length === depth) {
		return operation.do === 'set' ? setFieldValue(field, operation.value) : field.kind === 'list' ? applyToList(field, operation) : field;
	}
	const rest = { ...operation, path: operation.path.slice(depth) };
	switch (field.kind) {
		case 'group': {
			const fields = applyToFields(field.fields, operation);
			return { ...field, written: true, fields, ...('value' in field ? { value: applyToData(field.value, rest) } : {}) };
		}
		case 'list':
			return { ...field, items: applyToFields(field.items, operation) };
		case 'map':
			return applyToMap(field, operation, rest);
		default:
			return field;
	}
}

/** Returns a field with another value. */
function setFieldValue(field: NodeFormField, value: unknown): NodeFormField {
	const written = value !== undefined;
	const text = formatFieldValue(value);
	switch (field.kind) {
		case 'text':
		case 'code':
		case 'value':
		case 'json':
			return { ...field, written, value: text, held: getTextInFile(field) };
		case 'number':
			return { ...field, written, value: typeof value === 'number' ? value : text === '' ? undefined : text, held: getTextInFile(field) };
		case 'checkbox':
			return { ...field, written, value: typeof value === 'boolean' ? value : undefined };
		case 'select':
		case 'modelName':
		case 'kept':
			return { ...field, written, value: text };
		case 'selector':
			return { ...field, written, value: Array.isArray(value) ? value.map(String) : [] };
		case 'group': {
			const fields = field.fields.map(each => setFieldValue(each, getFieldValue(value, each.name)));
			return { ...field, written, fields, ...('value' in field ? { value } : {}) };
		}
		case 'list':
			return { ...field, written, items: createListItems(field, value) };
		case 'map':
			return { ...field, written, ...createMapEntries(field, value) };
	}
}

/** Returns the text of a typed field as in the file. */
function getTextInFile(field: FieldOf<'text' | 'code' | 'value' | 'json' | 'number'>): string {
	return field.held ?? formatFieldValue(field.value);
}

function createListItems(list: FieldOf<'list'>, value: unknown): readonly NodeFormField[] {
	const values: readonly unknown[] = Array.isArray(value) ? value : [];
	return values.flatMap((each, at) => {
		const item = list.items[at] ?? list.next;
		return item ? [setFieldValue(moveField(item, [...list.path, at]), each)] : [];
	});
}

function applyToList(list: FieldOf<'list'>, operation: Exclude<FieldEdit, { do: 'set' }>): NodeFormField {
	if (operation.do === 'insertItem' && !list.next) {
		return list;
	}
	const items =
		operation.do === 'insertItem'
			? applyToItems(list.items, { ...operation, value: setFieldValue(list.next as NodeFormField, operation.value) })
			: applyToItems(list.items, operation);
	return { ...list, written: true, items: items.map((item, at) => moveField(item, [...list.path, at])) };
}

function applyToMap(map: FieldOf<'map'>, operation: FieldEdit, rest: FieldEdit): NodeFormField {
	const content = applyToData(Object.fromEntries(map.value), rest);
	const value = Object.entries(typeof content === 'object' && content !== null ? content : {});
	const [name] = rest.path;
	if (operation.do === 'set' && rest.path.length === 1) {
		return { ...map, written: true, ...createMapEntries(map, Object.fromEntries(value)) };
	}
	return { ...map, value, entries: map.entries.map(entry => (entry.name === name ? applyToField(entry, operation) : entry)) };
}

/** Returns the entries of a changed map: known, renamed and new ones. */
function createMapEntries(map: FieldOf<'map'>, content: unknown): Pick<FieldOf<'map'>, 'entries' | 'value'> {
	const value = Object.entries(typeof content === 'object' && content !== null ? content : {});
	const entries = value.flatMap(([name, each], at) => {
		const renamed = value.length === map.entries.length ? map.entries[at] : undefined;
		const entry = map.entries.find(known => known.name === name) ?? renamed ?? map.next;
		return entry ? [{ ...setFieldValue(moveField(entry, [...map.path, name]), each), name, label: name }] : [];
	});
	return { entries, value };
}

/** Moves a field, and all fields in it, to another path. */
function moveField(field: NodeFormField, path: Path): NodeFormField {
	const depth = field.path.length;
	if (depth === path.length && field.path.at(-1) === path.at(-1)) {
		return field;
	}
	const moveInnerField = (inner: NodeFormField): NodeFormField => {
		const at = { ...inner, path: [...path, ...inner.path.slice(depth)] };
		switch (at.kind) {
			case 'group':
				return { ...at, fields: at.fields.map(moveInnerField) };
			case 'list':
				return { ...at, items: at.items.map(moveInnerField), ...(at.next ? { next: moveInnerField(at.next) } : {}) };
			case 'map':
				return { ...at, entries: at.entries.map(moveInnerField), ...(at.next ? { next: moveInnerField(at.next) } : {}) };
			default:
				return at;
		}
	};
	const last = path.at(-1);
	return typeof last === 'number' ? { ...moveInnerField(field), name: String(last + 1) } : moveInnerField(field);
}

function getFieldValue(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
		? (value as Readonly<Record<string, unknown>>)[name]
		: undefined;
}
