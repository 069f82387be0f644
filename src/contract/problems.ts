import type * as z from 'zod';
import { isRecord } from '#base/records/plainValues.ts';

/** A problem of a value: the field as a dotted path (empty for the value itself), and what was expected. */
interface Problem {
	/** Keys and indexes from the value to the field. */
	readonly path: readonly (string | number)[];
	readonly field: string;
	readonly message: string;
	/** True if the field is missing. */
	readonly isMissing: boolean;
	/** True for a list with too few items. */
	readonly isTooShort: boolean;
}

/** Checks a value from outside against a schema. Takes little memory, even for millions of invalid items of a list. */
export function parseWithSchema<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.output<S>> {
	return schema.safeParse(isRecord(value) ? cutInvalidLists(schema, value) : value, { error: describeIssue });
}

/** Returns the first problem of a value, with a message for the author of the value. */
export function createSchemaProblem(error: z.ZodError, value: unknown): Problem {
	const issue = findInnermostIssue(error.issues[0] as z.core.$ZodIssue);
	const at = issue.path.reduce<unknown>(
		(parent, key) => (typeof parent === 'object' && parent !== null ? (parent as Record<PropertyKey, unknown>)[key] : undefined),
		value,
	);
	return {
		path: issue.path.filter(key => typeof key !== 'symbol'),
		field: issue.path.map(String).join('.'),
		message: issue.message,
		isMissing: at === undefined,
		isTooShort: issue.code === 'too_small' && Array.isArray(at),
	};
}

/** Returns the message for an issue that has none in the schema. Use it as the `error` option of `safeParse`. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
	switch (issue.code) {
		case 'invalid_type':
			return `expected ${kinds[issue.expected] ?? issue.expected}${issue.input === undefined ? '' : `, got ${describeValueKind(issue.input)}`}`;
		case 'invalid_value':
			return `expected ${issue.values.map(String).join(' or ')}`;
		case 'too_small':
			return issue.origin === 'string' ? 'expected a non-empty string' : `expected at least ${issue.minimum}`;
		case 'too_big':
			return `expected at most ${issue.maximum}`;
		case 'unrecognized_keys':
			return `expected no field ${issue.keys.map(key => `"${key}"`).join(', ')}`;
		case 'invalid_union':
			return describeUnion(issue.errors);
		default:
			return undefined;
	}
}

/** For a union, returns the problem of the variant that fits best. */
function findInnermostIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
	if (issue.code !== 'invalid_union') {
		return issue;
	}
	// the type is right, but the value is too long, too short or the like
	const [ofKind] = issue.errors.flatMap(([first]) => (first?.path.length === 0 && isRangeIssue(first.code) ? [first] : []));
	if (ofKind) {
		return { ...ofKind, path: issue.path };
	}
	const [nearest] = issue.errors
		.flatMap(([first]) => (first && first.path.length > 0 ? [findInnermostIssue(first)] : []))
		.sort((a, b) => b.path.length - a.path.length);
	return nearest ? { ...nearest, path: [...issue.path, ...nearest.path] } : issue;
}

function isRangeIssue(code: z.core.$ZodIssue['code']): boolean {
	return code === 'too_big' || code === 'too_small';
}

/** Describes what a union expects, for a value that fits no variant. */
function describeUnion(branches: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
	const expected = branches.flatMap(([first]) => (first?.code === 'invalid_type' ? [kinds[first.expected] ?? first.expected] : []));
	return expected.length > 0 ? `expected ${[...new Set(expected)].join(' or ')}` : undefined;
}

const kinds: Readonly<Record<string, string>> = {
	string: 'a string',
	number: 'a number',
	int: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	object: 'an object',
	record: 'an object',
};

function describeValueKind(value: unknown): string {
	return value === null ? 'null' : (kinds[Array.isArray(value) ? 'array' : typeof value] ?? typeof value);
}

/** Lists up to this length are checked as a whole. */
const shortList = 1_000;

/**
 * Returns a value whose long lists end after their first invalid item: a schema reports a problem for each invalid item, and millions of
 * them fill the memory, although only the first one is shown. Only cuts lists in fields of the value itself.
 */
function cutInvalidLists(schema: z.ZodType, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const { shape = {} } = getDefinition(schema);
	return Object.fromEntries(
		Object.entries(value).map(([name, field]) => {
			const own = Object.hasOwn(shape, name) ? shape[name] : undefined;
			const invalid = own && Array.isArray(field) && field.length > shortList ? findInvalidItem(own, field) : -1;
			return [name, invalid < 0 ? field : (field as unknown[]).slice(0, invalid + 1)];
		}),
	);
}

/** Returns the index of the first item that no variant of a schema accepts; -1 if there is none, or if it's unknown. */
function findInvalidItem(schema: z.ZodType, list: readonly unknown[]): number {
	const { type, innerType, element, options = [] } = getDefinition(schema);
	if (innerType) {
		return findInvalidItem(innerType, list);
	}
	if (element) {
		return list.findIndex(item => !element.safeParse(item).success);
	}
	if (type === 'union') {
		const found = options.map(option => findInvalidItem(option, list));
		return found.includes(-1) ? -1 : Math.max(...found);
	}
	return type === 'string' ? 0 : -1;
}

/** The parts of a schema that lead to its items. */
interface SchemaDefinition {
	readonly type: string;
	readonly shape?: Readonly<Record<string, z.ZodType>>;
	readonly innerType?: z.ZodType;
	readonly element?: z.ZodType;
	readonly options?: readonly z.ZodType[];
}

function getDefinition(schema: z.ZodType): SchemaDefinition {
	return schema.def as unknown as SchemaDefinition;
}
