import assert from 'node:assert/strict';
import * as z from 'zod';
import { embeddingsRequestSchema } from '#contract/openai/embeddings.ts';
import { createSchemaProblem, parseWithSchema } from '#contract/problems.ts';

describe('long lists with invalid items', () => {
	const schema = z.looseObject({
		list: z
			.array(z.object({ name: z.string() }))
			.min(1)
			.optional(),
		either: z.union([z.string(), z.array(z.string()), z.array(z.int())]).optional(),
	});
	const valid = Array.from({ length: 2_000 }, () => ({ name: 'x' }));

	it('report only the first one', () => {
		const texts = valid.map(({ name }) => name);
		for (const [value, field] of [
			[{ list: [...valid, 1, 2, 3] }, 'list.2000'],
			[{ either: [...texts, {}, {}] }, 'either.2000'],
		] as const) {
			const { error } = parseWithSchema(schema, value);
			assert.ok(error);
			assert.equal(error.issues.length, 1);
			assert.equal(createSchemaProblem(error, value).field, field);
		}
		const input = Array.from({ length: 100_000 }, () => ({}));
		const [issue, ...others] = parseWithSchema(embeddingsRequestSchema, { model: 'm', input }).error?.issues ?? [];
		assert.ok(issue?.code === 'invalid_union' && issue.errors.every(errors => errors.length === 1));
		assert.deepEqual(others, []);
	});

	it('leave valid, short and unknown lists as they are', () => {
		for (const value of [{ list: valid }, { either: Array.from({ length: 2_000 }, () => 1) }, { other: [...valid, 1] }]) {
			assert.deepEqual(parseWithSchema(schema, value).data, value);
		}
		assert.equal(parseWithSchema(schema, { list: [1, 2, 3] }).error?.issues.length, 3);
		assert.equal(parseWithSchema(schema, { list: [] }).error?.issues.length, 1);
		assert.equal(parseWithSchema(schema, [1]).error?.issues.length, 1);
	});
});
