// Generates the JSON schemas of run files in media/ from the contract's schema in src/contract: node scripts/runFileSchema.ts
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { mocksSchema } from '#contract/mocks.ts';
import { recordingSettingsSchema } from '#contract/recordings/recordings.ts';
import { fileTypes, workflowRunRequestSchema } from '#contract/workflows.ts';

/** The schema that run files are checked against; other tools can use it as well. */
export const runFileSchemaPath = fileURLToPath(new URL('../media/run.schema.json', import.meta.url));
/** The schema for VS Code's JSON support: see {@link toEditingSchema}. */
export const editingSchemaPath = fileURLToPath(new URL('../media/run.editing.schema.json', import.meta.url));

/**
 * Returns the JSON schema (draft-07) of a run file: the body of A1 plus the additional fields of run files. `user` and `response_mode`
 * have defaults (the connection's user, streaming); a value of `inputs` and an entry of `files` may name a local file.
 */
export function createRunFileSchema(): Record<string, unknown> {
	const request = z.toJSONSchema(workflowRunRequestSchema, { target: 'draft-7', io: 'input' }) as unknown as RequestSchema;
	const { model, inputs, response_mode, user, files, trigger } = request.properties;
	const { $schema: _, ...recordings } = z.toJSONSchema(recordingSettingsSchema, { target: 'draft-7', io: 'input' });
	const { $schema, ...mocks } = z.toJSONSchema(mocksSchema, { target: 'draft-7', io: 'input' });
	return {
		$schema: 'http://json-schema.org/draft-07/schema#',
		title: 'Agent Workbench run file',
		// biome-ignore lint/suspicious/noTemplateCurlyInString: shown as it is
		description: 'The request of a run. Values can contain ${workspaceFolder}, ${input:NAME} and, in trusted workspaces, ${env:NAME}.',
		type: 'object',
		properties: {
			$schema: { type: 'string', description: 'URL of this schema. Not sent.' },
			model,
			inputs: {
				...inputs,
				additionalProperties: {
					anyOf: [{ $ref: '#/definitions/localFile' }, {}],
					defaultSnippets: [{ label: '{ "$file": … }', description: 'Content of a local file.', body: { $file: './$1' } }],
				},
			},
			response_mode: { ...response_mode, default: 'streaming' },
			user: { ...user, description: `${user.description} Default: the user of the connection.` },
			files: { ...files, items: { anyOf: [...getUnion(files.items), { $ref: '#/definitions/localFile' }] } },
			trigger,
			mocks: {
				...mocks,
				description: 'Outputs to use instead of running the nodes, by node ID. Applies only if the built-in gateway runs the agent.',
			},
			recordings,
		},
		required: request.required.filter(name => name !== 'user' && name !== 'response_mode'),
		additionalProperties: true,
		definitions: {
			localFile: {
				type: 'object',
				description: "A file in this workspace. Its text is used for text inputs; it's uploaded for file inputs.",
				properties: {
					$file: {
						type: 'string',
						minLength: 1,
						description: 'Path relative to the folder of this run file, inside the workspace folder.',
					},
					type: { type: 'string', enum: [...fileTypes], description: 'Type of the file. Default: determined by the file extension.' },
				},
				required: ['$file'],
				additionalProperties: false,
			},
		},
	};
}

/**
 * Reduces the schema to the parts for completion and hovers: names, descriptions and suggested values, but no rules. The extension checks
 * the rules itself, with messages that name the field and the expected value. With rules, VS Code would report each problem a second time.
 */
export function toEditingSchema(schema: unknown = createRunFileSchema()): unknown {
	if (Array.isArray(schema)) {
		return schema.map(toEditingSchema);
	}
	if (typeof schema !== 'object' || schema === null) {
		return schema;
	}
	const editing: Record<string, unknown> = {};
	for (const [keyword, value] of Object.entries(schema)) {
		if (keyword === 'enum') {
			editing['examples'] = value;
		} else if (keyword === 'const') {
			editing['examples'] = [value];
		} else if (keyword === 'type' && typeof value === 'string' && !('enum' in schema || 'const' in schema)) {
			editing['default'] ??= { object: {}, array: [], string: '' }[value];
		} else if (keyword === 'properties' || keyword === 'definitions') {
			editing[keyword] = Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, toEditingSchema(inner)]));
		} else if (!['type', 'required', 'minLength', 'minItems', 'propertyNames'].includes(keyword) && typeof value !== 'boolean') {
			editing[keyword] = keyword === 'default' || keyword === 'defaultSnippets' ? value : toEditingSchema(value);
		}
	}
	return editing;
}

interface RequestSchema {
	properties: Record<'model' | 'inputs' | 'response_mode' | 'user' | 'files' | 'trigger', Record<string, unknown>>;
	required: string[];
}

function getUnion(items: unknown): unknown[] {
	const { anyOf, oneOf } = items as { anyOf?: unknown[]; oneOf?: unknown[] };
	return anyOf ?? oneOf ?? [items];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	fs.writeFileSync(runFileSchemaPath, `${JSON.stringify(createRunFileSchema(), null, '\t')}\n`);
	fs.writeFileSync(editingSchemaPath, `${JSON.stringify(toEditingSchema(), null, '\t')}\n`);
}
