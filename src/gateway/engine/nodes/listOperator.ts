import * as z from 'zod';
import { compare } from '../comparison.ts';
import { fileMember } from '../fileMember.ts';
import { isFileValue } from '../fileValue.ts';
import { pythonRepr } from '../pythonText.ts';
import { resolveText } from '../references.ts';
import type { VariablePool } from '../variables.ts';
import { NodeError, nodeType } from './nodeType.ts';
import { listOf, selectorSchema, textSchema } from './schemas.ts';

const enabled = z
	.boolean()
	.nullish()
	.transform(value => value ?? false);

const schema = z.looseObject({
	variable: selectorSchema,
	filter_by: z
		.looseObject({
			enabled,
			conditions: listOf(z.looseObject({ key: textSchema, comparison_operator: z.string(), value: z.unknown().optional() })),
		})
		.nullish(),
	extract_by: z.looseObject({ enabled, serial: z.unknown().optional() }).nullish(),
	order_by: z.looseObject({ enabled, key: textSchema, value: z.enum(['asc', 'desc']).nullish() }).nullish(),
	limit: z.looseObject({ enabled, size: z.coerce.number().nullish() }).nullish(),
});
type Settings = z.output<typeof schema>;

/** Filters, picks from, orders and shortens a list, in this order (case i06). */
export const listOperator = nodeType({
	type: 'list-operator',
	schema,
	run({ settings, variables, record }) {
		const given = listAt(settings.variable, variables);
		record.inputs = { variable: given };
		const result = limited(ordered(extracted(filtered(given, settings, variables), settings, variables), settings), settings);
		record.processData = { variable: given };
		return { outputs: { result, first_record: result[0] ?? null, last_record: result.at(-1) ?? null } };
	},
});

function listAt(selector: readonly string[], variables: VariablePool): readonly unknown[] {
	const list = variables.get(selector);
	if (list === undefined) {
		throw new NodeError(`Variable not found for selector: ${pythonRepr(selector)}`, 'ListOperatorError');
	}
	if (list !== null && !Array.isArray(list)) {
		throw new NodeError(`Variable ${pythonRepr(selector)} is not a list`, 'InvalidVariableTypeError');
	}
	return list ?? [];
}

function filtered(list: readonly unknown[], { filter_by: filter }: Settings, variables: VariablePool): readonly unknown[] {
	if (!filter?.enabled) {
		return list;
	}
	return filter.conditions.reduce<readonly unknown[]>((left, { key, comparison_operator: operator, value }) => {
		const expected = typeof value === 'string' ? resolveText(value, variables) : value;
		return left.filter(item => compare(operator, member(item, key), expectation(item, operator, expected)));
	}, list);
}

/** Booleans are compared with booleans, whatever the file has them as. */
function expectation(item: unknown, operator: string, expected: unknown): unknown {
	if (typeof item === 'boolean' && typeof expected === 'string') {
		return expected.toLowerCase() === 'true';
	}
	if ((operator === 'in' || operator === 'not in') && typeof expected === 'string') {
		return expected.split(',').map(part => part.trim());
	}
	return expected;
}

function extracted(list: readonly unknown[], { extract_by: extract }: Settings, variables: VariablePool): readonly unknown[] {
	if (!extract?.enabled || list.length === 0) {
		return list;
	}
	const serial = Number(typeof extract.serial === 'string' ? resolveText(extract.serial, variables) : extract.serial);
	if (!Number.isInteger(serial) || serial < 1) {
		throw new NodeError(`Invalid serial index: must be >= 1, got ${extract.serial}`, 'ValueError');
	}
	if (serial > list.length) {
		throw new NodeError(`Invalid serial index: must be <= ${list.length}, got ${serial}`, 'ValueError');
	}
	return [list[serial - 1]];
}

function ordered(list: readonly unknown[], { order_by: order }: Settings): readonly unknown[] {
	if (!order?.enabled) {
		return list;
	}
	const sign = order.value === 'desc' ? -1 : 1;
	return [...list].sort((a, b) => sign * byValue(member(a, order.key), member(b, order.key)));
}

/** Numbers by size, texts by code point (case i04). */
function byValue(a: unknown, b: unknown): number {
	if (typeof a === 'string' && typeof b === 'string') {
		return Buffer.compare(Buffer.from(a), Buffer.from(b));
	}
	return Number(a) - Number(b);
}

function limited(list: readonly unknown[], { limit }: Settings): readonly unknown[] {
	return limit?.enabled ? list.slice(0, Math.max(0, limit.size ?? 10)) : list;
}

/** A file is compared by one of its members, everything else as it is. */
function member(item: unknown, key: string): unknown {
	return isFileValue(item) ? fileMember(item, key) : item;
}
