import type { Path } from '#agentFile/agentText.ts';
import { getField, getFieldText, toFields } from '#base/records/plainValues.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { getOperators } from './conditionOperators.ts';
import { filterAcceptedTypes, getSelectorType } from './formScopes.ts';
import type { CodeLanguage, FieldShape, HandleTargets, NodeFormField } from './formTypes.ts';
import { createFreshItem, createFreshValue, type FreshParts } from './freshValues.ts';
import { formatFieldLabel, getSchemaType, isBoolean, isMissing, isOfType, resolveVariant } from './schemaForms.ts';
import { formatFieldValue } from './valueText.ts';

interface FieldParts extends FreshParts {
	/** Returns the targets of an output handle; `undefined` if the node doesn't have the handle. */
	readonly getHandleTargets: (handle: string) => HandleTargets | undefined;
}

interface Place {
	readonly path: Path;
	readonly name: string;
	readonly required: boolean;
	/** The object that contains the field. */
	readonly holder: unknown;
}

/** Builds the fields of a form from a schema and the values in a file. */
export class FieldBuilder {
	readonly #parts: FieldParts;
	/** True while a new item is described, to prevent recursion: its lists have no new items. */
	#isNew = false;

	constructor(parts: FieldParts) {
		this.#parts = parts;
	}

	/** Builds the named fields of an object; by default, all fields of the schema. */
	buildFields(schema: JsonSchema, value: unknown, path: Path, names = Object.keys(schema.properties ?? {})): readonly NodeFormField[] {
		return names.map(name =>
			this.buildField(schema.properties?.[name] ?? {}, getField(value, name), {
				path: [...path, name],
				name,
				required: schema.required?.includes(name) ?? false,
				holder: value,
			}),
		);
	}

	buildField(schema: JsonSchema, value: unknown, { path, name, required, holder }: Place): NodeFormField {
		const form = resolveVariant(schema, value, this.#parts.root);
		const shape = this.#buildFieldShape(form, value, path, holder, name);
		return {
			path,
			name,
			label: typeof path.at(-1) === 'number' ? name : formatFieldLabel(name),
			help: form.description ?? '',
			required,
			written: !isMissing(value),
			rare: form.rare === true && !required,
			faults: [],
			...shape,
		};
	}

	#buildFieldShape(form: JsonSchema, value: unknown, path: Path, holder: unknown, name: string): FieldShape {
		const isPlain = isMissing(value) || typeof value !== 'object';
		if (form.form === 'kept') {
			return { kind: 'kept', value: formatFieldValue(value) };
		}
		if (form.refers === 'variable') {
			return this.#buildReference(form, value, holder);
		}
		if (getSchemaType(form) === 'array' && (isMissing(value) || Array.isArray(value))) {
			return this.#buildList(form, value ?? [], path);
		}
		if (getSchemaType(form) === 'object' && (isMissing(value) || isOfType(form, value))) {
			return this.#buildObject(form, value, path);
		}
		return isPlain ? this.#buildPlainField(form, value, holder, name) : { kind: 'json', value: formatFieldValue(value) };
	}

	#buildPlainField(form: JsonSchema, value: unknown, holder: unknown, name: string): FieldShape {
		const text = formatFieldValue(value);
		if (form.form === 'code' || form.form === 'jinja') {
			return { kind: 'code', value: text, language: form.form === 'jinja' ? 'jinja' : getLanguage(holder) };
		}
		if (form.refers === 'model') {
			return { kind: 'modelName', value: text };
		}
		if (form.numeric || getSchemaType(form) === 'number') {
			const number = typeof value === 'number' ? value : text === '' ? undefined : text;
			return { kind: 'number', value: number, whole: form.numeric === 'integer', least: form.minimum };
		}
		if (isBoolean(form) && (isMissing(value) || typeof value === 'boolean')) {
			return { kind: 'checkbox', value: value ?? undefined };
		}
		const options = this.#getOptions(form, holder, name);
		if (options.length > 0) {
			return { kind: 'select', value: text, options, closed: form.enum !== undefined };
		}
		if (getSchemaType(form) === 'string' || form.form === 'text' || form.form === 'line') {
			const many = form.form === 'text' || text.includes('\n');
			return { kind: 'text', value: text, many, references: form.form === 'text' || form.form === 'line' };
		}
		return { kind: 'value', value: text, isText: typeof value === 'string' };
	}

	#getOptions(form: JsonSchema, holder: unknown, name: string): readonly string[] {
		const all = [...(form.enum ?? form.known ?? form.examples ?? [])].map(each => each.replaceAll('"', ''));
		const compared = getField(holder, 'variable_selector');
		return name === 'comparison_operator' && compared ? getOperators(getSelectorType(compared, this.#parts.scopes), all) : all;
	}

	/** Builds a reference to a variable. If the field can contain a plain value too, a type field next to it decides. */
	#buildReference(form: JsonSchema, value: unknown, holder: unknown): FieldShape {
		const isName = Array.isArray(value) && value.every(part => typeof part === 'string' || typeof part === 'number');
		const kind = ['type', 'value_type', 'input_type'].map(name => getFieldText(holder, name)).find(text => text !== '');
		const isOnlyName = getSchemaType(form) === 'array';
		if (isName && (isOnlyName || kind === 'variable')) {
			return this.#buildSelector(form, value.map(String));
		}
		if (isMissing(value) || value === '') {
			return isOnlyName || kind === 'variable' ? this.#buildSelector(form, []) : { kind: 'text', value: '', many: true, references: true };
		}
		if (typeof value === 'object') {
			return { kind: 'json', value: formatFieldValue(value) };
		}
		return typeof value === 'string'
			? { kind: 'text', value, many: true, references: true }
			: { kind: 'value', value: formatFieldValue(value), isText: false };
	}

	#buildSelector(form: JsonSchema, value: readonly string[]): FieldShape {
		const takes = filterAcceptedTypes(this.#parts.scopes, form.takes ?? []);
		return { kind: 'selector', value, ...(takes && { takes }) };
	}

	#buildList(form: JsonSchema, value: unknown, path: Path): FieldShape {
		const items = Array.isArray(value) ? value : [];
		const look = form.form;
		const buildItem = (item: unknown, at: number) =>
			this.#addItemParts(
				this.buildField(form.items ?? {}, item, { path: [...path, at], name: String(at + 1), required: true, holder: undefined }),
				item,
				look === 'conditions',
			);
		const fresh = createFreshItem(form, items, this.#parts);
		return {
			kind: 'list',
			look: look === 'messages' || look === 'cases' || look === 'conditions' || look === 'classes' ? look : 'plain',
			items: items.map(buildItem),
			fresh,
			...this.#buildNewItem(() => buildItem(fresh, items.length)),
		};
	}

	/** Describes a new item, so that the page can show it before the file has it. */
	#buildNewItem(make: () => NodeFormField): { readonly next?: NodeFormField } {
		if (this.#isNew) {
			return {};
		}
		this.#isNew = true;
		try {
			return { next: make() };
		} finally {
			this.#isNew = false;
		}
	}

	#addItemParts(field: NodeFormField, item: unknown, isCondition: boolean): NodeFormField {
		if (field.kind !== 'group') {
			return field;
		}
		const handle = getFieldText(item, 'case_id') || getFieldText(item, 'id');
		const way = handle === '' ? undefined : this.#parts.getHandleTargets(handle);
		return { ...field, ...(way && { way }), ...(isCondition && { value: item }) };
	}

	#buildObject(form: JsonSchema, value: unknown, path: Path): FieldShape {
		const { properties, additionalProperties } = form;
		if (!properties) {
			const inner = typeof additionalProperties === 'object' ? additionalProperties : undefined;
			return inner ? this.#buildMap(inner, value, path) : { kind: 'json', value: formatFieldValue(value) };
		}
		const unknown = Object.keys(toFields(value)).filter(name => !(name in properties));
		const names = [...Object.keys(properties), ...unknown];
		return { kind: 'group', fields: this.buildFields(form, value, path, names) };
	}

	#buildMap(inner: JsonSchema, value: unknown, path: Path): FieldShape {
		const buildEntry = ([name, each]: readonly [string, unknown]): NodeFormField => ({
			...this.buildField(inner, each, { path: [...path, name], name, required: true, holder: undefined }),
			label: name,
		});
		const entries = Object.entries(toFields(value));
		const fresh = createFreshValue(inner, this.#parts);
		return { kind: 'map', entries: entries.map(buildEntry), value: entries, fresh, ...this.#buildNewItem(() => buildEntry(['', fresh])) };
	}
}

function getLanguage(node: unknown): CodeLanguage {
	return getFieldText(node, 'code_language') === 'python3' ? 'python' : 'javascript';
}
