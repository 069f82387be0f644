import assert from 'node:assert/strict';
import * as z from 'zod';
import { createSchemaSample } from '#models/offline/schemaSample.ts';
import { toJsonSchema } from '#models/translate/content/googleSchema.ts';

describe('sample of a schema', () => {
	it('is accepted by its schema', () => {
		const schemas = [
			z.object({ a: z.string().min(10), b: z.int().min(5).max(7), c: z.optional(z.string()), d: z.array(z.boolean()).min(2) }),
			z.object({ a: z.number().gt(3).lt(4), b: z.number().max(-2), c: z.int().multipleOf(7).min(8) }),
			z.object({ a: z.enum(['x', 'y']), b: z.literal(4), c: z.union([z.null(), z.string()]), d: z.nullable(z.string()) }),
			z.object({ mail: z.email(), when: z.iso.datetime(), id: z.uuid(), where: z.url(), short: z.string().max(3) }),
			z.array(z.object({ n: z.number() })).min(1),
			z.record(z.string(), z.number()),
			z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
		];
		for (const schema of schemas) {
			const sample = createSchemaSample(z.toJSONSchema(schema));
			assert.ok(schema.safeParse(sample).success, `${JSON.stringify(z.toJSONSchema(schema))} got ${JSON.stringify(sample)}`);
		}
	});

	it('follows references, and ends for a recursive schema', () => {
		const schema = {
			$ref: '#/$defs/Node',
			$defs: { Node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/Node' } }, required: ['name'] } },
		};
		assert.deepEqual(createSchemaSample(schema), { name: 'offline' });
		const endless = { type: 'object', properties: { self: { $ref: '#' } }, required: ['self'] };
		assert.equal(typeof createSchemaSample(endless), 'object');
	});

	it('says where it comes from', () => {
		assert.deepEqual(createSchemaSample({ type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] }), {
			answer: 'offline',
		});
	});
});

describe('schema of Gemini', () => {
	it('is converted to a JSON schema, without changing property names', () => {
		assert.deepEqual(
			toJsonSchema({
				type: 'OBJECT',
				property_ordering: ['the_field'],
				properties: {
					the_field: { type: 'STRING', nullable: true, min_length: '2' },
					type: { type: 'ARRAY', items: { type: 'NUMBER' }, maxItems: '3' },
					either: { any_of: [{ type: 'INTEGER' }, { type: 'BOOLEAN' }] },
				},
				required: ['the_field'],
			}),
			{
				type: 'object',
				properties: {
					the_field: { type: ['string', 'null'], minLength: 2 },
					type: { type: 'array', items: { type: 'number' }, maxItems: 3 },
					either: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
				},
				required: ['the_field'],
			},
		);
	});

	it('stays unchanged if it already is a JSON schema', () => {
		const schema = { type: 'object', properties: { a: { type: ['string', 'null'] } }, additionalProperties: false };
		assert.deepEqual(toJsonSchema(schema), schema);
	});
});
