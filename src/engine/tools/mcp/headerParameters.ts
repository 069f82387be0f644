const headerKey = 'x-mcp-header';
/** Matches a header name (RFC 9110, token). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Maximum depth of a schema, so that a malicious one can't overflow the stack. Real schemas need far less. */
const maxDepth = 200;
const allowedTypes: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Keywords whose values are data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples', 'required', headerKey]);

/**
 * Returns the problem with the parameters that a tool wants in headers (`x-mcp-header`); `undefined` if there is none. Clients must not
 * offer a tool with such a problem (SEP-2243). The SDK applies this rule only if it reads all pages of a tool list itself, and doesn't
 * export it.
 */
export function findHeaderFault(schema: unknown): string | undefined {
	const used = new Set<string>();
	const checkSubschema = (node: unknown, path: readonly string[], isParameter: boolean): string | undefined => {
		if (typeof node !== 'object' || node === null) {
			return undefined;
		}
		if (path.length > maxDepth) {
			return `the schema is nested more than ${maxDepth} levels deep`;
		}
		if (Array.isArray(node)) {
			return findFirstParameterFault([...node.entries()], ([at, part]) => checkSubschema(part, [...path, String(at)], false));
		}
		const own = Object.hasOwn(node, headerKey)
			? findParameterFault(node as Readonly<Record<string, unknown>>, isParameter, used)
			: undefined;
		if (own !== undefined) {
			return `${path.join('.') || 'the schema'}: ${own}`;
		}
		return findFirstParameterFault(Object.entries(node), ([key, value]) => {
			if (key === 'properties' && typeof value === 'object' && value !== null) {
				const isReachable = isParameter || path.length === 0;
				return findFirstParameterFault(Object.entries(value), ([name, child]) => checkSubschema(child, [...path, name], isReachable));
			}
			return dataKeywords.has(key) ? undefined : checkSubschema(value, [...path, key], false);
		});
	};
	return checkSubschema(schema, [], false);
}

function findParameterFault(node: Readonly<Record<string, unknown>>, isParameter: boolean, used: Set<string>): string | undefined {
	const header = node[headerKey];
	if (!isParameter) {
		return `${headerKey} is only allowed on properties of the parameters`;
	}
	if (typeof header !== 'string' || !token.test(header)) {
		return `${headerKey} must be the name of a header`;
	}
	if (!allowedTypes.includes(node['type'])) {
		return `${headerKey} is only allowed on strings, integers and booleans`;
	}
	if (used.has(header.toLowerCase())) {
		return `${headerKey} '${header}' is used twice`;
	}
	used.add(header.toLowerCase());
	return undefined;
}

function findFirstParameterFault<T>(parts: readonly T[], faultIn: (part: T) => string | undefined): string | undefined {
	for (const part of parts) {
		const fault = faultIn(part);
		if (fault !== undefined) {
			return fault;
		}
	}
	return undefined;
}
