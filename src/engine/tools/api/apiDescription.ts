import { Lexer, parse } from 'yaml';
import { isParsableYaml } from '#base/text/yamlCost.ts';
import { isObjectValue } from '../../variables/objectValue.ts';
import { getQueryStyle, type QueryStyle } from './queryStyle.ts';

/** One operation of an OpenAPI description, offered as a tool. */
export interface ApiOperation {
	/** `operationId`, or the method and path if it has none. */
	readonly name: string;
	readonly description: string;
	/** HTTP method in upper case. */
	readonly method: string;
	/** Path with `{name}` placeholders. */
	readonly path: string;
	/** The operation's address if the description contains an absolute one. */
	readonly server: string | undefined;
	/** Locations of each parameter, by name. A value is sent to each of them, such as an ID in the path and in the body. */
	readonly places: ReadonlyMap<string, readonly ApiPlace[]>;
	/** How lists and objects in the query are sent, by parameter; by default as several values. */
	readonly styles: ReadonlyMap<string, QueryStyle>;
	/** Media type of the request body; absent if the operation takes none. */
	readonly bodyType?: string;
	/** JSON schema of all parameters combined. */
	readonly parameters: Readonly<Record<string, unknown>>;
}

/** `body`: a field of the request body. `whole body`: the value is the request body. */
type ApiPlace = 'path' | 'query' | 'header' | 'body' | 'whole body';

/** An OpenAPI 3 description. */
export interface ApiDescription {
	/** Names of the operations in order. */
	readonly names: readonly string[];
	/**
	 * Reads an operation; `undefined` if it doesn't exist.
	 * @throws {Error} that describes the problem, if the operation can't be called as described
	 */
	readOperation(name: string): ApiOperation | undefined;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
/** Maximum depth for following references. Recursive schemas are cut off there. */
const deepest = 8;
/** Maximum number of YAML tokens: descriptions are long, but the user chose them. */
const mostTokens = 2_000_000;
/** Maximum number of schema values of one operation. A few schemas that refer to each other can expand without limit. */
const mostValues = 20_000;
/** Media types of request bodies that can be sent, the preferred ones first. */
const bodyTypes = [/^application\/json\b/i, /^application\/[\w.-]+\+json\b/i, /^application\/x-www-form-urlencoded\b/i, /^\*\/\*$/];

/** Reads a description in JSON or YAML. @throws {Error} that describes the problem */
export function readDescription(text: string): ApiDescription {
	const content = parseDescriptionText(text);
	if (!isObjectValue(content) || !isObjectValue(content['paths'])) {
		throw new Error("it isn't an OpenAPI description. Expected 'paths'");
	}
	if (!/^3\./.test(String(content['openapi']))) {
		throw new Error("expected OpenAPI 3. Convert descriptions of version 2 ('swagger') first");
	}
	const listed = Object.entries(content['paths']).flatMap(([path, item]) => listOperations(path, item, content));
	const byName = new Map(listed.toReversed().map(each => [each.name, each]));
	return {
		names: listed.map(({ name }) => name),
		readOperation: name => {
			const found = byName.get(name);
			return found && readOperation(found, content);
		},
	};
}

function parseDescriptionText(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		if (!isParsableYaml(new Lexer().lex(text), mostTokens)) {
			throw new Error("it's too large or nested too deeply for YAML. Convert it to JSON");
		}
		return parse(text, { maxAliasCount: 100, logLevel: 'silent', uniqueKeys: false, prettyErrors: false });
	}
}

/** Finds the first absolute address. Variables in it have their default values. */
function findServer(holders: readonly Fields[]): string | undefined {
	const [servers = []] = holders.map(({ servers }) => toArray(servers)).filter(each => each.length > 0);
	return servers
		.filter(isObjectValue)
		.map(({ url, variables }) =>
			String(url).replaceAll(/\{([^{}]+)\}/g, (written, name: string) => {
				const variable = isObjectValue(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
				return isObjectValue(variable) ? String(variable['default']) : written;
			}),
		)
		.find(url => /^https?:/.test(url) && URL.canParse(url));
}

type Fields = Readonly<Record<string, unknown>>;

interface ListedOperation {
	readonly name: string;
	readonly method: string;
	readonly path: string;
	/** The entry of the path, with what its operations share. */
	readonly item: Fields;
	readonly operation: Fields;
}

function listOperations(path: string, entry: unknown, root: Fields): ListedOperation[] {
	const item = new Resolver(root).resolveReference(entry);
	if (!isObjectValue(item)) {
		return [];
	}
	return methods.flatMap(method => {
		const operation = item[method];
		if (!isObjectValue(operation)) {
			return [];
		}
		const { operationId } = operation;
		const name = typeof operationId === 'string' ? operationId : `${method}_${path.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`;
		return [{ name, method: method.toUpperCase(), path, item, operation }];
	});
}

function readOperation({ name, method, path, item, operation }: ListedOperation, root: Fields): ApiOperation {
	const resolver = new Resolver(root);
	const places = new Map<string, readonly ApiPlace[]>();
	const properties = new Map<string, unknown>();
	const required = new Set<string>();
	const styles = new Map<string, QueryStyle>();
	const body = readBody(operation['requestBody'], resolver);
	for (const [field, schema] of body?.fields ?? []) {
		places.set(field, [body?.place ?? 'body']);
		properties.set(field, resolver.resolveSchema(schema));
	}
	for (const field of body?.required ?? []) {
		required.add(field);
	}
	for (const entry of [...toArray(item['parameters']), ...toArray(operation['parameters'])]) {
		const parameter = resolver.getReferred(entry);
		const place = parameter['in'];
		if (place !== 'path' && place !== 'query' && place !== 'header') {
			continue;
		}
		const field = String(parameter['name']);
		const schema = resolver.resolveSchema(parameter['schema']);
		places.set(field, [...new Set<ApiPlace>([...(places.get(field) ?? []), place])]);
		properties.set(field, {
			...(isObjectValue(schema) ? schema : { type: 'string' }),
			...(typeof parameter['description'] === 'string' && { description: parameter['description'] }),
		});
		if (parameter['required'] === true || place === 'path') {
			required.add(field);
		}
		const style = place === 'query' ? getQueryStyle(parameter) : undefined;
		if (style !== undefined) {
			styles.set(field, style);
		}
	}
	const described = [operation['summary'], operation['description']].filter(text => typeof text === 'string' && text !== '');
	return {
		name,
		description: described.join('. ') || `${method} ${path}`,
		method,
		path,
		server: findServer([operation, item, root]),
		places,
		styles,
		...(body && { bodyType: body.type }),
		parameters: {
			type: 'object',
			properties: Object.fromEntries(properties),
			required: [...required].filter(field => properties.has(field)),
		},
	};
}

interface Body {
	readonly type: string;
	/** `whole body` if the body isn't a map with known fields. The only field is then the body itself. */
	readonly place: 'body' | 'whole body';
	/** Schemas by name. */
	readonly fields: ReadonlyMap<string, unknown>;
	readonly required: readonly string[];
}

function readBody(requestBody: unknown, resolver: Resolver): Body | undefined {
	const body = requestBody === undefined ? {} : resolver.getReferred(requestBody);
	const content = isObjectValue(body['content']) ? body['content'] : {};
	const types = Object.keys(content);
	const [type] = bodyTypes.flatMap(known => types.filter(each => known.test(each)).slice(0, 1));
	if (type === undefined) {
		if (body['required'] === true && types.length > 0) {
			throw new Error(`its request body has a type that isn't supported: ${types.join(', ')}`);
		}
		return undefined;
	}
	const media = content[type];
	const schema = isObjectValue(media) ? media['schema'] : undefined;
	const fields = new Map<string, unknown>();
	const required: string[] = [];
	const isMap = collectFields(schema, resolver, { fields, required, seen: new Set() });
	const sent = type === '*/*' ? 'application/json' : type;
	return isMap && fields.size > 0
		? { type: sent, place: 'body', fields, required }
		: { type: sent, place: 'whole body', fields: new Map([['body', schema]]), required: body['required'] === true ? ['body'] : [] };
}

interface Collected {
	readonly fields: Map<string, unknown>;
	readonly required: string[];
	/** Schemas that were read, because schemas can combine each other. */
	readonly seen: Set<unknown>;
}

/** Collects the fields of a schema and the schemas that it combines. Returns false if the value may have other fields or be no map. */
function collectFields(schema: unknown, resolver: Resolver, collected: Collected, depth = 0): boolean {
	const resolved = schema === undefined ? {} : resolver.getReferred(schema);
	const { type, properties, allOf } = resolved;
	if (collected.seen.has(resolved)) {
		return true;
	}
	if (depth > deepest || 'oneOf' in resolved || 'anyOf' in resolved || (type !== undefined && type !== 'object')) {
		return false;
	}
	collected.seen.add(resolved);
	for (const [name, field] of isObjectValue(properties) ? Object.entries(properties) : []) {
		collected.fields.set(name, field);
	}
	collected.required.push(...toArray(resolved['required']).map(String));
	return toArray(allOf).every(part => collectFields(part, resolver, collected, depth + 1));
}

function toArray(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function decodeKey(key: string): string {
	try {
		return decodeURIComponent(key);
	} catch {
		return key;
	}
}

/** Resolves references within one description. */
class Resolver {
	readonly #root: unknown;
	#left = mostValues;

	constructor(root: unknown) {
		this.#root = root;
	}

	/** Returns the value itself, or the value it refers to. */
	resolveReference(value: unknown, depth = 0): unknown {
		if (!isObjectValue(value) || typeof value['$ref'] !== 'string') {
			return value;
		}
		if (depth > deepest || !value['$ref'].startsWith('#/')) {
			return undefined;
		}
		const keys = value['$ref'].slice(2).split('/');
		const found = keys.reduce<unknown>((node, key) => {
			const name = decodeKey(key).replaceAll('~1', '/').replaceAll('~0', '~');
			return typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? (node as Fields)[name] : undefined;
		}, this.#root);
		return this.resolveReference(found, depth + 1);
	}

	/** Returns the fields of a value or of what it refers to. @throws {Error} if the reference can't be followed */
	getReferred(value: unknown): Fields {
		const found = this.resolveReference(value);
		if (found === undefined && isObjectValue(value)) {
			throw new Error(`it refers to '${String(value['$ref'])}', which isn't in the description`);
		}
		return isObjectValue(found) ? found : {};
	}

	/** Returns a schema with all references inlined. */
	resolveSchema(value: unknown, depth = 0): unknown {
		const resolved = this.resolveReference(value);
		if (this.#left-- <= 0 || depth > deepest * 2) {
			return {};
		}
		if (Array.isArray(resolved)) {
			return resolved.map(item => this.resolveSchema(item, depth + 1));
		}
		return isObjectValue(resolved)
			? Object.fromEntries(Object.entries(resolved).map(([key, field]) => [key, this.resolveSchema(field, depth + 1)]))
			: resolved;
	}
}
