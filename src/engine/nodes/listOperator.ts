import * as z from 'zod';
import { isFalsyInPython, mostSearched } from '../variables/comparison.ts';
import { fileMembers, getFileMember } from '../variables/fileMember.ts';
import { isFileValue } from '../variables/fileValue.ts';
import { parsePythonInt } from '../variables/pythonNumbers.ts';
import { toPythonRepr } from '../variables/pythonText.ts';
import { resolveText } from '../variables/references.ts';
import { getSegmentType } from '../variables/segmentType.ts';
import type { VariablePool } from '../variables/variables.ts';
import { checkWeight, getWeightWithin } from '../variables/weight.ts';
import { createListError, filterList, type ListType } from './listFilter.ts';
import { MissingVariableError, NodeError } from './nodeError.ts';
import { defineNodeType } from './nodeType.ts';
import { createListSchema, selectorSchema, textSchema } from './schemas.ts';

const enabled = z
	.boolean()
	.nullish()
	.transform(value => value ?? false);

const schema = z.looseObject({
	variable: selectorSchema,
	filter_by: z
		.looseObject({
			enabled,
			conditions: createListSchema(
				z.looseObject({
					key: textSchema,
					comparison_operator: z.string().optional().default('contains'),
					value: z.unknown().optional().default(''),
				}),
			),
		})
		.nullish(),
	extract_by: z.looseObject({ enabled, serial: z.unknown().optional() }).nullish(),
	order_by: z.looseObject({ enabled, key: textSchema, value: z.enum(['asc', 'desc']).nullish() }).nullish(),
	limit: z.looseObject({ enabled, size: z.coerce.number().nullish() }).nullish(),
});
type Settings = z.output<typeof schema>;

interface TypedList {
	readonly type: ListType;
	readonly items: readonly unknown[];
}

/** List operator node: filters, extracts, sorts and limits a list, in this order (case i06). */
export const listOperator = defineNodeType({
	type: 'list-operator',
	schema,
	run({ settings, variables, record }) {
		const given = readList(settings.variable, variables);
		record.inputs = { variable: given.items };
		record.processData = { variable: given.items };
		checkWeight([record.inputs, record.processData]);
		const result =
			given.items.length === 0
				? []
				: limitItems(orderItems(extractItem(filterItems(given, settings, variables), settings, variables), given.type, settings), settings);
		return { outputs: { result, first_record: result[0] ?? null, last_record: result.at(-1) ?? null } };
	},
});

const listTypes: ReadonlySet<string> = new Set<ListType>(['array[string]', 'array[number]', 'array[boolean]', 'array[file]']);

/** Returns a list. Any value that is false in Python counts as an empty list, whatever its type (case l36). */
function readList(selector: readonly string[], variables: VariablePool): TypedList {
	const list = variables.get(selector);
	if (list === undefined) {
		throw new MissingVariableError(selector, `Variable not found for selector: ${toPythonRepr(selector)}`, '');
	}
	if (isFalsyInPython(list)) {
		return { type: 'array[string]', items: [] };
	}
	const type = getSegmentType(list);
	if (!Array.isArray(list) || !listTypes.has(type)) {
		throw createListError(`Variable ${toPythonRepr(selector)} is not an array type, actual type: ${type}`);
	}
	return { type: type as ListType, items: list };
}

function filterItems({ type, items }: TypedList, { filter_by: filter }: Settings, variables: VariablePool): readonly unknown[] {
	const conditions = filter?.enabled ? filter.conditions : [];
	if (conditions.length > 1 && getWeightWithin(items, mostSearched / conditions.length) === undefined) {
		throw createListError(`${conditions.length} conditions are too many for a list of this size`);
	}
	return conditions.reduce<readonly unknown[]>((left, condition) => filterList(left, type, condition, variables), items);
}

function extractItem(list: readonly unknown[], { extract_by: extract }: Settings, variables: VariablePool): readonly unknown[] {
	if (!extract?.enabled) {
		return list;
	}
	const text = resolveText(String(extract.serial ?? '1'), variables);
	const serial = parsePythonInt(text);
	if (serial === undefined) {
		throw new NodeError(`invalid literal for int() with base 10: ${toPythonRepr(text)}`, 'WorkflowNodeError');
	}
	if (serial < 1) {
		throw new NodeError(`Invalid serial index: must be >= 1, got ${serial}`, 'WorkflowNodeError');
	}
	if (serial > list.length) {
		throw createListError(`Invalid serial index: must be <= ${list.length}, got ${serial}`);
	}
	return [list[serial - 1]];
}

function orderItems(list: readonly unknown[], type: ListType, { order_by: order }: Settings): readonly unknown[] {
	if (!order?.enabled) {
		return list;
	}
	if (type === 'array[file]' && !fileMembers.has(order.key)) {
		throw createListError(`Invalid order key: ${order.key}`);
	}
	const sign = order.value === 'desc' ? -1 : 1;
	const keyed = list.map(item => ({ item, key: toSortKey(getItemMember(item, order.key)) }));
	return keyed.sort((a, b) => sign * compareKeys(a.key, b.key)).map(({ item }) => item);
}

/** Encodes a string once, not for each comparison: the order of UTF-8 bytes is that of code points (case i04). */
function toSortKey(value: unknown): unknown {
	return typeof value === 'string' ? Buffer.from(value) : value;
}

/** Compares numbers by value, and encoded strings by code point. */
function compareKeys(a: unknown, b: unknown): number {
	if (a instanceof Buffer && b instanceof Buffer) {
		return Buffer.compare(a, b);
	}
	return Number(a) - Number(b);
}

/** Limits the list; a negative size counts from the end (case l33). */
function limitItems(list: readonly unknown[], { limit }: Settings): readonly unknown[] {
	return limit?.enabled ? list.slice(0, limit.size ?? -1) : list;
}

/** Returns the sort key: a member of a file, or any other item itself. */
function getItemMember(item: unknown, key: string): unknown {
	return isFileValue(item) ? (getFileMember(item, key) ?? '') : item;
}
