import { Lexer, parse } from 'yaml';
import { isParsableYaml } from '#base/text/yamlCost.ts';
import { isObjectValue } from '../../variables/objectValue.ts';

/** One operation of an OpenAPI description, offered as a tool. */
export interface ApiOperation {
	/** `operationId`, or the method and path if it has none. */
	readonly name: string;
	readonly description: string;
	/** HTTP method in upper case. */
	readonly method: string;
	/** Path with `{name}` placeholders. */
	readonly path: string;
	/** Location of each parameter, by name. */
	readonly places: ReadonlyMap<string, ApiPlace>;
	/** Media type of the request body; absent if the operation takes none. */
	readonly bodyType?: string;
	/** JSON schema of all parameters combined. */
	readonly parameters: Readonly<Record<string, unknown>>;
}

type ApiPlace = 'path' | 'query' | 'header' | 'body';

/** An OpenAPI 3 description. */
export interface ApiDescription {
	/** The service's address if the description contains an absolute one. */
	readonly server: string | undefined;
	readonly operations: readonly ApiOperation[];
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
/** Maximum depth for following references. Recursive schemas are cut off there. */
const deepest = 8;
/** Maximum number of YAML tokens: descriptions are long, but the user chose them. */
const mostTokens = 2_000_000;
const bodyTypes = ['application/json', 'application/x-www-form-urlencoded'];

/** Reads a description in JSON or YAML. @throws {Error} that describes the problem */
export function readDescription(text: string): ApiDescription {
	const content = parseDescriptionText(text);
	if (!isObjectValue(content) || !isObjectValue(content['paths'])) {
		throw new Error("it isn't an OpenAPI description. Expected 'paths'");
	}
	if (!/^3\./.test(String(content['openapi']))) {
		throw new Error("expected OpenAPI 3. Convert descriptions of version 2 ('swagger') first");
	}
	const resolver = new Resolver(content);
	const operations = Object.entries(content['paths']).flatMap(([path, item]) =>
		readOperations(path, resolver.resolveReference(item), resolver),
	);
	return { server: findServer(content), operations };
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

function findServer(content: Readonly<Record<string, unknown>>): string | undefined {
	const servers: readonly unknown[] = Array.isArray(content['servers']) ? content['servers'] : [];
	return servers.map(server => (isObjectValue(server) ? String(server['url']) : '')).find(url => /^https?:/.test(url) && URL.canParse(url));
}

function readOperations(path: string, item: unknown, resolver: Resolver): ApiOperation[] {
	if (!isObjectValue(item)) {
		return [];
	}
	return methods.flatMap(method => {
		const operation = item[method];
		return isObjectValue(operation) ? [readOperation(method, path, toArray(item['parameters']), operation, resolver)] : [];
	});
}

function readOperation(
	method: string,
	path: string,
	shared: readonly unknown[],
	operation: Readonly<Record<string, unknown>>,
	resolver: Resolver,
): ApiOperation {
	const places = new Map<string, ApiPlace>();
	const properties: Record<string, unknown> = {};
	const required = new Set<string>();
	const body = readBody(operation['requestBody'], resolver);
	for (const [name, schema] of Object.entries(body?.properties ?? {})) {
		places.set(name, 'body');
		properties[name] = schema;
	}
	for (const name of body?.required ?? []) {
		required.add(name);
	}
	for (const entry of [...shared, ...toArray(operation['parameters'])]) {
		const parameter = resolver.resolveReference(entry);
		const place = isObjectValue(parameter) ? parameter['in'] : undefined;
		if (!isObjectValue(parameter) || (place !== 'path' && place !== 'query' && place !== 'header')) {
			continue;
		}
		const name = String(parameter['name']);
		const schema = resolver.resolveSchema(parameter['schema']);
		places.set(name, place);
		properties[name] = {
			...(isObjectValue(schema) ? schema : { type: 'string' }),
			...(typeof parameter['description'] === 'string' && { description: parameter['description'] }),
		};
		if (parameter['required'] === true || place === 'path') {
			required.add(name);
		}
	}
	const described = [operation['summary'], operation['description']].filter(text => typeof text === 'string' && text !== '');
	return {
		name:
			typeof operation['operationId'] === 'string'
				? operation['operationId']
				: `${method}_${path.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`,
		description: described.join('. ') || `${method.toUpperCase()} ${path}`,
		method: method.toUpperCase(),
		path,
		places,
		...(body && { bodyType: body.type }),
		parameters: { type: 'object', properties, required: [...required].filter(name => name in properties) },
	};
}

interface Body {
	readonly type: string;
	readonly properties: Readonly<Record<string, unknown>>;
	readonly required: readonly string[];
}

function readBody(requestBody: unknown, resolver: Resolver): Body | undefined {
	const body = resolver.resolveReference(requestBody);
	const content = isObjectValue(body) && isObjectValue(body['content']) ? body['content'] : {};
	const type = bodyTypes.find(known => isObjectValue(content[known]));
	const schema = type === undefined ? undefined : resolver.resolveSchema((content[type] as Record<string, unknown>)['schema']);
	return type !== undefined && isObjectValue(schema)
		? {
				type,
				properties: isObjectValue(schema['properties']) ? schema['properties'] : {},
				required: toArray(schema['required']).map(String),
			}
		: undefined;
}

function toArray(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Resolves references within one description. */
class Resolver {
	readonly #root: unknown;
	/** Remaining number of schema values to create. A few schemas that refer to each other can expand without limit. */
	#left = 20_000;

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
			const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
			return isObjectValue(node) && Object.hasOwn(node, name) ? node[name] : undefined;
		}, this.#root);
		return this.resolveReference(found, depth + 1);
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
