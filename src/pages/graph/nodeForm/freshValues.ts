import { getField, getFieldText } from '#base/records/plainValues.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { getOperators } from './conditionOperators.ts';
import { findNearestVariable, getSelectorType } from './formScopes.ts';
import type { FormScope } from './formTypes.ts';
import { getSchemaType, isBoolean, resolveVariant } from './schemaForms.ts';

export interface FreshParts {
	readonly root: JsonSchema;
	readonly scopes: readonly FormScope[];
}

/** Optional fields that new items get too, because they would have no effect without them. */
const alsoHave: Readonly<Partial<Record<NonNullable<JsonSchema['form']>, readonly string[]>>> = {
	cases: ['logical_operator', 'conditions'],
	conditions: ['value', 'varType'],
	messages: ['role', 'text'],
	classes: ['name'],
};

/** Creates the value of a new list item: required fields, with an ID or name that no other item has. */
export function createFreshItem(list: JsonSchema, items: readonly unknown[], parts: FreshParts): unknown {
	const schema = resolveVariant(list.items ?? {}, undefined, parts.root);
	if (!schema.properties) {
		return createFreshValue(schema, parts);
	}
	const required = schema.required ?? [];
	// a variable of the agent needs a type and a value
	const ofVariable = 'value_type' in schema.properties && 'value' in schema.properties ? ['value_type', 'value'] : [];
	const wanted = [...required, ...ofVariable, ...(list.form ? (alsoHave[list.form] ?? []) : [])];
	// add an ID as Dify writes it if the other items have one
	const extra = items.some(item => getField(item, 'id') !== undefined) || list.form === 'conditions' ? ['id'] : [];
	const names = Object.keys(schema.properties).filter(name => wanted.includes(name) || extra.includes(name));
	const title = required.find(name => isName(name, schema));
	const made: Record<string, unknown> = {};
	for (const name of names) {
		const field = resolveVariant(schema.properties[name] ?? {}, undefined, parts.root);
		if (name === 'id' || name === 'case_id' || name === title) {
			made[name] = findFreeName(
				items.map(item => getFieldText(item, name)),
				getFirstName(list, name),
			);
		} else if (name === 'comparison_operator') {
			made[name] = getOperators(getSelectorType(made['variable_selector'], parts.scopes), field.known ?? [])[0];
		} else if (name === 'varType') {
			made[name] = getSelectorType(made['variable_selector'], parts.scopes) || 'string';
		} else {
			made[name] = name === 'role' && items.length > 0 ? 'user' : createFreshValue(field, parts);
		}
	}
	return made;
}

/** Creates a default value that is valid, so that the user doesn't have to remove anything. */
export function createFreshValue(schema: JsonSchema, parts: FreshParts): unknown {
	const form = resolveVariant(schema, undefined, parts.root);
	if (form.refers === 'variable' && getSchemaType(form) === 'array') {
		return findNearestVariable(parts.scopes, form.takes ?? []);
	}
	const [choice] = form.enum ?? form.known ?? form.examples ?? [];
	if (isBoolean(form)) {
		return false;
	}
	if (form.numeric || getSchemaType(form) === 'number') {
		return form.minimum ?? 0;
	}
	switch (getSchemaType(form)) {
		case 'array':
			return [];
		case 'object':
			return Object.fromEntries((form.required ?? []).map(name => [name, createFreshValue(form.properties?.[name] ?? {}, parts)]));
		default:
			return choice ?? '';
	}
}

/** True if a field is the name of an item: any text is valid. */
function isName(name: string, schema: JsonSchema): boolean {
	const { type, enum: choices, known, examples, refers } = schema.properties?.[name] ?? {};
	return type === 'string' && !choices && !known && !examples && !refers;
}

function getFirstName({ form }: JsonSchema, name: string): string {
	switch (form) {
		case 'cases':
			// Dify's ID of the first case
			return 'true';
		case 'classes':
			return '1';
		default:
			return name === 'id' ? 'item' : name;
	}
}

/** Returns the given name, or the same with the first unused number. */
function findFreeName(taken: readonly string[], first: string): string {
	const counts = /^\d+$/.test(first);
	let name = first;
	for (let n = 2; taken.includes(name); n++) {
		name = counts ? String(n) : first === 'true' ? `case_${n}` : `${first}_${n}`;
	}
	return name;
}
