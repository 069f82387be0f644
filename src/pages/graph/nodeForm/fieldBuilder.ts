import type { Path } from '#agentFile/agentText.ts';
import { fieldOf, fieldsOf, textOf } from '#base/records/plainValues.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { operatorsFor } from './conditionOperators.ts';
import { takenTypes, typeOfSelector } from './formScopes.ts';
import type { CodeLanguage, FieldShape, FormWay, NodeFormField } from './formTypes.ts';
import { type FreshParts, freshItem, freshValue } from './freshValues.ts';
import { fits, formOf, isMissing, isYesOrNo, labelOf, typeOf } from './schemaForms.ts';
import { textOfValue } from './valueText.ts';

interface FieldParts extends FreshParts {
	/** The targets of an output handle; `undefined` if the node doesn't have the handle. */
	readonly way: (handle: string) => FormWay | undefined;
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
	/** Guards against recursion: a new item is described without its own new items. */
	#isNew = false;

	constructor(parts: FieldParts) {
		this.#parts = parts;
	}

	/** The named fields of an object, by default all that the schema has. */
	fields(schema: JsonSchema, value: unknown, path: Path, names = Object.keys(schema.properties ?? {})): readonly NodeFormField[] {
		return names.map(name =>
			this.field(schema.properties?.[name] ?? {}, fieldOf(value, name), {
				path: [...path, name],
				name,
				required: schema.required?.includes(name) ?? false,
				holder: value,
			}),
		);
	}

	field(schema: JsonSchema, value: unknown, { path, name, required, holder }: Place): NodeFormField {
		const form = formOf(schema, value, this.#parts.root);
		const shape = this.#shape(form, value, path, holder, name);
		return {
			path,
			name,
			label: typeof path.at(-1) === 'number' ? name : labelOf(name),
			help: form.description ?? '',
			required,
			written: !isMissing(value),
			rare: form.rare === true && !required,
			faults: [],
			...shape,
		};
	}

	#shape(form: JsonSchema, value: unknown, path: Path, holder: unknown, name: string): FieldShape {
		const isPlain = isMissing(value) || typeof value !== 'object';
		if (form.form === 'kept') {
			return { kind: 'kept', value: textOfValue(value) };
		}
		if (form.refers === 'variable') {
			return this.#reference(form, value, holder);
		}
		if (typeOf(form) === 'array' && (isMissing(value) || Array.isArray(value))) {
			return this.#list(form, value ?? [], path);
		}
		if (typeOf(form) === 'object' && (isMissing(value) || fits(form, value))) {
			return this.#object(form, value, path);
		}
		return isPlain ? this.#plain(form, value, holder, name) : { kind: 'json', value: textOfValue(value) };
	}

	#plain(form: JsonSchema, value: unknown, holder: unknown, name: string): FieldShape {
		const text = textOfValue(value);
		if (form.form === 'code' || form.form === 'jinja') {
			return { kind: 'code', value: text, language: form.form === 'jinja' ? 'jinja' : languageOf(holder) };
		}
		if (form.refers === 'model') {
			return { kind: 'modelName', value: text };
		}
		if (form.numeric || typeOf(form) === 'number') {
			const number = typeof value === 'number' ? value : text === '' ? undefined : text;
			return { kind: 'number', value: number, whole: form.numeric === 'integer', least: form.minimum };
		}
		if (isYesOrNo(form) && (isMissing(value) || typeof value === 'boolean')) {
			return { kind: 'checkbox', value: value ?? undefined };
		}
		const options = this.#options(form, holder, name);
		if (options.length > 0) {
			return { kind: 'select', value: text, options, closed: form.enum !== undefined };
		}
		if (typeOf(form) === 'string' || form.form === 'text' || form.form === 'line') {
			const many = form.form === 'text' || text.includes('\n');
			return { kind: 'text', value: text, many, references: form.form === 'text' || form.form === 'line' };
		}
		return { kind: 'value', value: text, isText: typeof value === 'string' };
	}

	#options(form: JsonSchema, holder: unknown, name: string): readonly string[] {
		const all = [...(form.enum ?? form.known ?? form.examples ?? [])].map(each => each.replaceAll('"', ''));
		const compared = fieldOf(holder, 'variable_selector');
		return name === 'comparison_operator' && compared ? operatorsFor(typeOfSelector(compared, this.#parts.scopes), all) : all;
	}

	/** A reference to a variable. If the field can contain a plain value too, a type field next to it decides. */
	#reference(form: JsonSchema, value: unknown, holder: unknown): FieldShape {
		const isName = Array.isArray(value) && value.every(part => typeof part === 'string' || typeof part === 'number');
		const kind = ['type', 'value_type', 'input_type'].map(name => textOf(holder, name)).find(text => text !== '');
		const isOnlyName = typeOf(form) === 'array';
		if (isName && (isOnlyName || kind === 'variable')) {
			return this.#selector(form, value.map(String));
		}
		if (isMissing(value) || value === '') {
			return isOnlyName || kind === 'variable' ? this.#selector(form, []) : { kind: 'text', value: '', many: true, references: true };
		}
		if (typeof value === 'object') {
			return { kind: 'json', value: textOfValue(value) };
		}
		return typeof value === 'string'
			? { kind: 'text', value, many: true, references: true }
			: { kind: 'value', value: textOfValue(value), isText: false };
	}

	#selector(form: JsonSchema, value: readonly string[]): FieldShape {
		const takes = takenTypes(this.#parts.scopes, form.takes ?? []);
		return { kind: 'selector', value, ...(takes && { takes }) };
	}

	#list(form: JsonSchema, value: unknown, path: Path): FieldShape {
		const items = Array.isArray(value) ? value : [];
		const look = form.form;
		const itemAt = (item: unknown, at: number) =>
			this.#item(
				this.field(form.items ?? {}, item, { path: [...path, at], name: String(at + 1), required: true, holder: undefined }),
				item,
				look === 'conditions',
			);
		const fresh = freshItem(form, items, this.#parts);
		return {
			kind: 'list',
			look: look === 'messages' || look === 'cases' || look === 'conditions' || look === 'classes' ? look : 'plain',
			items: items.map(itemAt),
			fresh,
			...this.#next(() => itemAt(fresh, items.length)),
		};
	}

	/** Describes a new item, so that the page can show it before the file has it. */
	#next(make: () => NodeFormField): { readonly next?: NodeFormField } {
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

	#item(field: NodeFormField, item: unknown, isCondition: boolean): NodeFormField {
		if (field.kind !== 'group') {
			return field;
		}
		const handle = textOf(item, 'case_id') || textOf(item, 'id');
		const way = handle === '' ? undefined : this.#parts.way(handle);
		return { ...field, ...(way && { way }), ...(isCondition && { value: item }) };
	}

	#object(form: JsonSchema, value: unknown, path: Path): FieldShape {
		const { properties, additionalProperties } = form;
		if (!properties) {
			const inner = typeof additionalProperties === 'object' ? additionalProperties : undefined;
			return inner ? this.#map(inner, value, path) : { kind: 'json', value: textOfValue(value) };
		}
		const unknown = Object.keys(fieldsOf(value)).filter(name => !(name in properties));
		const names = [...Object.keys(properties), ...unknown];
		return { kind: 'group', fields: this.fields(form, value, path, names) };
	}

	#map(inner: JsonSchema, value: unknown, path: Path): FieldShape {
		const entryOf = ([name, each]: readonly [string, unknown]): NodeFormField => ({
			...this.field(inner, each, { path: [...path, name], name, required: true, holder: undefined }),
			label: name,
		});
		const entries = Object.entries(fieldsOf(value));
		const fresh = freshValue(inner, this.#parts);
		return { kind: 'map', entries: entries.map(entryOf), value: entries, fresh, ...this.#next(() => entryOf(['', fresh])) };
	}
}

function languageOf(node: unknown): CodeLanguage {
	return textOf(node, 'code_language') === 'python3' ? 'python' : 'javascript';
}
