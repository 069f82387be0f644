import fs from 'node:fs';
import path from 'node:path';
import { agentFields } from '#agentFile/edits/graphOperations.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { fieldLabelComment, formatFieldLabel } from '#pages/graph/nodeForm/schemaForms.ts';
import { root } from '../lib/paths.ts';

/** File with the texts of forms. */
export const formSchema = 'media/agent.schema.json';

interface FormString {
	readonly message: string;
	readonly comment: readonly string[];
}

/** Lists the labels and descriptions that forms of nodes and agents show. */
export function listFormStrings(): readonly FormString[] {
	const schema = JSON.parse(fs.readFileSync(path.join(root, formSchema), 'utf8')) as JsonSchema;
	const data = schema.properties?.['workflow']?.properties?.['graph']?.properties?.['nodes']?.items?.properties?.['data'];
	const agent = agentFields.flatMap(keys => {
		const [part = '', field = ''] = keys.map(String);
		const found = schema.properties?.[part]?.properties?.[field];
		return found ? listFieldStrings(field, found) : [];
	});
	return [...Object.values(schema.definitions ?? {}).flatMap(listSchemaTexts), ...(data ? listSchemaTexts(data) : []), ...agent];
}

function listFieldStrings(name: string, schema: JsonSchema): readonly FormString[] {
	return [{ message: formatFieldLabel(name), comment: [fieldLabelComment] }, ...listSchemaTexts(schema)];
}

function listSchemaTexts(schema: JsonSchema): readonly FormString[] {
	const { description, properties = {}, items, anyOf = [], usually = [], additionalProperties } = schema;
	return [
		...(description ? [{ message: description, comment: [] }] : []),
		...Object.entries(properties).flatMap(([name, field]) => listFieldStrings(name, field)),
		...[...anyOf, ...usually, ...(items ? [items] : [])].flatMap(listSchemaTexts),
		...(typeof additionalProperties === 'object' ? listSchemaTexts(additionalProperties) : []),
	];
}
