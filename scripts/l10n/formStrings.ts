import fs from 'node:fs';
import path from 'node:path';
import { agentFields } from '#agentFile/edits/graphOperations.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { fieldLabelComment, formatFieldLabel } from '#pages/graph/nodeForm/schemaForms.ts';
import { root } from '../lib/paths.ts';

/** File with the texts of forms, hovers and completions. */
export const formSchema = 'media/agent.schema.json';

interface FormString {
	readonly message: string;
	readonly comment: readonly string[];
}

/** Lists all descriptions of the schema, and the labels that forms of nodes and agents show. */
export function listFormStrings(): readonly FormString[] {
	const descriptions: FormString[] = [];
	const schema = JSON.parse(fs.readFileSync(path.join(root, formSchema), 'utf8'), (name, value) => {
		if (name === 'description' && typeof value === 'string') {
			descriptions.push({ message: value, comment: [] });
		}
		return value;
	}) as JsonSchema;
	const data = schema.properties?.['workflow']?.properties?.['graph']?.properties?.['nodes']?.items?.properties?.['data'];
	const agent = agentFields.flatMap(keys => {
		const [part = '', field = ''] = keys.map(String);
		const found = schema.properties?.[part]?.properties?.[field];
		return found ? listFieldLabels(field, found) : [];
	});
	return [...descriptions, ...Object.values(schema.definitions ?? {}).flatMap(listLabels), ...(data ? listLabels(data) : []), ...agent];
}

function listFieldLabels(name: string, schema: JsonSchema): readonly FormString[] {
	return [{ message: formatFieldLabel(name), comment: [fieldLabelComment] }, ...listLabels(schema)];
}

function listLabels(schema: JsonSchema): readonly FormString[] {
	const { properties = {}, items, anyOf = [], usually = [], additionalProperties } = schema;
	return [
		...Object.entries(properties).flatMap(([name, field]) => listFieldLabels(name, field)),
		...[...anyOf, ...usually, ...(items ? [items] : [])].flatMap(listLabels),
		...(typeof additionalProperties === 'object' ? listLabels(additionalProperties) : []),
	];
}
