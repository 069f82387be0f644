// Generates the JSON schemas of suite files in media/ from the schema in src/suites: node scripts/suiteFileSchema.ts
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { suiteFileSchema } from '#suites/reading/suiteSchema.ts';
import { toEditingSchema } from './runFileSchema.ts';

/** The schema that suite files are checked against; other tools can use it as well. */
export const suiteSchemaPath = fileURLToPath(new URL('../media/suite.schema.json', import.meta.url));
/** The schema for VS Code's JSON support: names, descriptions and suggested values, but no rules. */
export const suiteEditingSchemaPath = fileURLToPath(new URL('../media/suite.editing.schema.json', import.meta.url));

/** Creates the JSON schema (draft-07) of a suite file. */
export function createSuiteSchema(): Record<string, unknown> {
	const schema = z.toJSONSchema(suiteFileSchema, { target: 'draft-7', io: 'input' }) as Record<string, unknown>;
	return { ...schema, title: 'Agent Workbench suite file' };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	fs.writeFileSync(suiteSchemaPath, `${JSON.stringify(createSuiteSchema(), null, '\t')}\n`);
	fs.writeFileSync(suiteEditingSchemaPath, `${JSON.stringify(toEditingSchema(createSuiteSchema()), null, '\t')}\n`);
}
