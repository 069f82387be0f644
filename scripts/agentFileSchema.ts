// Generates the schema of agent files in media/ from the engine's schemas in src/engine: node scripts/agentFileSchema.ts
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { fileSchema } from '#agentFile/agentFileSchema.ts';
import { appModes } from '#agentFile/appModes.ts';
import type { EngineNames, KindLabels, Label, Labels } from '#agentFile/nodeKinds/labels/label.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { failureSchema } from '#engine/agentFile/failurePolicy.ts';
import { filterOperators } from '#engine/knowledge/metadataFilter.ts';
import { packageSchema } from '#engine/nodes/agent/agentPackage.ts';
import { nodeTypes } from '#engine/nodes/nodeTypes.ts';
import { builtInTools } from '#engine/tools/builtInTools.ts';
import { operationNames } from '#engine/variables/assignment.ts';
import { operatorNames } from '#engine/variables/comparison.ts';
import { commonWords, fileWords } from './agentFileSchema/fileWords.ts';

/** The schema with which the editor completes and checks agent files. */
export const agentFileSchemaPath = fileURLToPath(new URL('../media/agent.schema.json', import.meta.url));

const engineNames: Readonly<Record<EngineNames, readonly string[]>> = {
	comparisons: operatorNames,
	metadataComparisons: filterOperators,
	operations: operationNames,
	tools: [...builtInTools.keys()],
};

const kindsFolder = new URL('../src/agentFile/nodeKinds/', import.meta.url);
const kindFiles = await Promise.all(
	fs
		.globSync('*.ts', { cwd: kindsFolder })
		.map(async file => (await import(new URL(file, kindsFolder).href)) as { describeKind?: () => KindLabels }),
);
/** Descriptions of the fields of each node type. */
const nodeWords: KindLabels = Object.assign({}, ...kindFiles.map(({ describeKind }) => describeKind?.()));

/**
 * Returns the JSON schema of an agent file, with the keywords that src/base/text/schemaCheck.ts supports. `definitions` has the schema of
 * `data` for each node type, and `node` with the fields of all types. The check selects a definition by `data.type`.
 */
export function createAgentFileSchema(): JsonSchema {
	const whole = toJsonSchema(fileSchema, 'file');
	const packages = { ...whole.properties?.['agent_packages'], additionalProperties: toJsonSchema(packageSchema, 'package') };
	const file = addDescriptions({ ...whole, properties: { ...whole.properties, agent_packages: packages } }, fileWords);
	const { app, workflow, kind } = file.properties as Record<string, JsonSchema>;
	const definitions: Record<string, JsonSchema> = {
		node: addDescriptions(toJsonSchema(failureSchema, 'node'), commonWords),
	};
	for (const [type, engine] of nodeTypes) {
		const words = nodeWords[type];
		if (!words) {
			throw new Error(`no words for the node type ${type}: its kind in ${kindsFolder.pathname} needs describeKind`);
		}
		const { text, fields } = words;
		const { definitions: inner, ...schema } = toJsonSchema(engine.schema, type);
		definitions[type] = { description: text, ...addDescriptions(schema, fields) };
		for (const [name, definition] of Object.entries(inner ?? {})) {
			definitions[name] = addDescriptions(definition, selectDescriptions(fields, 'outputs.*'));
		}
	}
	const properties = {
		...file.properties,
		// the engine also checks this outside its schema
		kind: { ...kind, enum: ['app'] },
		app: { ...app, properties: { ...app?.properties, mode: { ...app?.properties?.['mode'], enum: [...appModes] } } },
		workflow: workflow ?? {},
	};
	return { description: 'An agent in the workflow DSL.', ...file, properties, required: ['app'], definitions };
}

/** Converts a schema of the engine to a JSON schema of the input, before defaults are filled in. */
function toJsonSchema(schema: z.ZodType, name: string): JsonSchema {
	const made = z.toJSONSchema(schema, {
		target: 'draft-7',
		io: 'input',
		unrepresentable: 'any',
		override: ({ zodSchema, jsonSchema: json }) => {
			const { def } = zodSchema._zod;
			// coerced schemas accept more than their target type, and schemas with `catch` accept anything
			if (def.type === 'catch' || (def.type === 'string' && 'coerce' in def && def.coerce)) {
				removeAllKeys(json);
			} else if (def.type === 'number' && 'coerce' in def && def.coerce) {
				const whole = json.type === 'integer';
				const { minimum } = json;
				removeAllKeys(json);
				Object.assign(json, { numeric: whole ? 'integer' : 'number' }, whole && minimum !== undefined ? { minimum } : {});
			}
		},
	});
	return simplifySchema(made, name) as JsonSchema;
}

function removeAllKeys(json: object): void {
	for (const key of Object.keys(json)) {
		Reflect.deleteProperty(json, key);
	}
}

/** Drops keywords without effect, and merges a `null` variant into the list of types. */
function simplifySchema(schema: unknown, name: string): unknown {
	if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
		return schema;
	}
	const { $schema: _, propertyNames: _names, anyOf, ...rest } = schema as Record<string, unknown> & { anyOf?: unknown[] };
	const made: Record<string, unknown> = {};
	for (const [keyword, value] of Object.entries(rest)) {
		if (keyword === 'properties') {
			made[keyword] = Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, simplifySchema(inner, name)]));
		} else if (keyword === 'definitions') {
			made[keyword] = Object.fromEntries(
				Object.entries(value as object).map(([key, inner]) => [`${name}${key}`, simplifySchema(inner, name)]),
			);
		} else if (keyword === '$ref') {
			made[keyword] = String(value).replace('#/definitions/', `#/definitions/${name}`);
		} else if (keyword !== 'additionalProperties' || Object.keys(value as object).length > 0) {
			made[keyword] = simplifySchema(value, name);
		}
	}
	if (!anyOf) {
		return made;
	}
	const variants = anyOf
		.map(variant => simplifySchema(variant, name) as JsonSchema)
		.flatMap(variant => (isUnionSchema(variant) ? variant.anyOf : [variant]));
	if (variants.some(variant => Object.keys(variant).length === 0)) {
		// one variant accepts anything; the others describe the usual values
		return { ...made, usually: variants.filter(variant => Object.keys(variant).length > 0) };
	}
	const others = variants.filter(({ type }) => type !== 'null');
	const [only] = others;
	if (others.length === 1 && only && others.length < variants.length) {
		return { ...made, ...only, ...(only.type ? { type: [only.type, 'null'].flat() } : {}) };
	}
	return { ...made, anyOf: variants };
}

function isUnionSchema(schema: JsonSchema): schema is JsonSchema & { anyOf: readonly JsonSchema[] } {
	return schema.anyOf !== undefined && Object.keys(schema).length === 1;
}

/** Adds descriptions to all fields of a schema. Also adds fields that only the descriptions have. */
function addDescriptions(schema: JsonSchema, words: Labels, path = ''): JsonSchema {
	const own = { ...schema, ...getDescription(words[path]) };
	const joinPath = (name: string) => (path ? `${path}.${name}` : name);
	const named = Object.entries(words)
		.filter(([key, word]) => typeof word === 'object' && word.field && key === joinPath(key.slice(key.lastIndexOf('.') + 1)))
		.map(([key, word]) => [key.slice(key.lastIndexOf('.') + 1), (word as { field: JsonSchema }).field] as const);
	const isObject = schema.properties !== undefined || (path === '' && named.length > 0);
	const fields = isObject ? { ...schema.properties, ...Object.fromEntries(named) } : {};
	return {
		...own,
		...(isObject && {
			properties: Object.fromEntries(Object.entries(fields).map(([name, inner]) => [name, addDescriptions(inner, words, joinPath(name))])),
		}),
		...(schema.items && { items: addDescriptions(schema.items, words, `${path}[]`) }),
		...(typeof schema.additionalProperties === 'object' && {
			additionalProperties: addDescriptions(schema.additionalProperties, words, joinPath('*')),
		}),
		...(schema.anyOf && { anyOf: schema.anyOf.map(variant => ({ ...addDescriptions(variant, words, path), description: undefined })) }),
		...(schema.usually && {
			usually: schema.usually.map(variant => ({ ...addDescriptions(variant, words, path), description: undefined })),
		}),
	};
}

function getDescription(word: Label | undefined): Partial<JsonSchema> {
	if (word === undefined || typeof word === 'string') {
		return word === undefined ? {} : { description: word };
	}
	const { text, field: _, ...keywords } = word;
	const listed = Object.entries(keywords).map(([keyword, value]) =>
		keyword in { known: 0, examples: 0 } && typeof value === 'string' ? [keyword, engineNames[value as EngineNames]] : [keyword, value],
	);
	return { description: text, ...Object.fromEntries(listed) };
}

/** Returns the descriptions below a path, by their paths relative to it. */
function selectDescriptions(words: Labels, path: string): Labels {
	return Object.fromEntries(
		Object.entries(words).flatMap(([key, word]) => (key.startsWith(`${path}.`) ? [[key.slice(path.length + 1), word]] : [])),
	);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	fs.writeFileSync(agentFileSchemaPath, `${JSON.stringify(createAgentFileSchema(), null, '\t')}\n`);
}
