import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRunFileSchema, editingSchemaPath, runFileSchemaPath, toEditingSchema } from '../../../../../scripts/runFileSchema.ts';

/** Keywords that src/base/text/schemaCheck.ts supports, and those that only describe. */
const understood = [
	'$ref',
	'type',
	'properties',
	'required',
	'additionalProperties',
	'items',
	'anyOf',
	'enum',
	'const',
	'minLength',
	'minItems',
	'definitions',
];
const descriptive = ['$schema', 'title', 'description', 'default', 'defaultSnippets', 'propertyNames'];
/** Rules of `recordings`, which are checked when a recording is opened. */
const checkedLater = ['pattern', 'minimum', 'maximum'];

describe('the schema of run files', () => {
	it('is up to date with the contract (node scripts/runFileSchema.ts writes it)', () => {
		assert.deepEqual(JSON.parse(fs.readFileSync(runFileSchemaPath, 'utf8')), JSON.parse(JSON.stringify(createRunFileSchema())));
	});

	it("has no rules in the version for VS Code, so that problems aren't reported twice", () => {
		const editing: unknown = JSON.parse(fs.readFileSync(editingSchemaPath, 'utf8'));
		assert.deepEqual(editing, JSON.parse(JSON.stringify(toEditingSchema())));
		const rules = ['type', 'required', 'enum', 'const', 'minLength', 'minItems'];
		assert.deepEqual(
			[...listKeywords(editing)].filter(keyword => rules.includes(keyword)),
			[],
		);
		assert.ok(listKeywords(editing).has('examples'));
	});

	it('uses only keywords that the check of run files supports', () => {
		assert.deepEqual(
			[...listKeywords(createRunFileSchema())].filter(keyword => ![...understood, ...descriptive, ...checkedLater].includes(keyword)),
			[],
		);
	});
});

/** Returns the keywords of a schema and all nested schemas. */
function listKeywords(schema: unknown, found = new Set<string>()): Set<string> {
	for (const [keyword, value] of Object.entries(schema as object)) {
		found.add(keyword);
		if (keyword === 'properties' || keyword === 'definitions' || keyword === 'anyOf') {
			for (const inner of Object.values(value as object)) {
				listKeywords(inner, found);
			}
		} else if ((keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object') {
			listKeywords(value, found);
		}
	}
	return found;
}
