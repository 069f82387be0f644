import assert from 'node:assert/strict';
import { findHeaderFault } from '#engine/tools/mcp/headerParameters.ts';

const createHeaderParameter = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });
const createSchema = (properties: object) => ({ type: 'object', properties });

describe('parameters of MCP tools that are sent in headers', () => {
	it('accepts names of headers on strings, integers and booleans, at any depth of properties', () => {
		const nested = createSchema({
			region: createHeaderParameter('Region'),
			inner: createSchema({ count: createHeaderParameter('Count', 'integer'), dry: createHeaderParameter('Dry-Run', 'boolean') }),
		});
		assert.equal(findHeaderFault(nested), undefined);
		assert.equal(
			findHeaderFault(createSchema({ 'x-mcp-header': { type: 'string' }, b: { default: createHeaderParameter('') } })),
			undefined,
		);
		assert.equal(findHeaderFault(undefined), undefined);
	});

	for (const [title, properties, expected] of [
		['an empty name', { a: createHeaderParameter('') }, /^a: .*must be the name of a header/],
		['a name that no header can have', { a: createHeaderParameter('My Region') }, /^a: .*must be the name of a header/],
		['a name that is not a string', { a: createHeaderParameter(7) }, /^a: .*must be the name of a header/],
		[
			'the same name twice, in another case',
			{ a: createHeaderParameter('Region'), b: createSchema({ c: createHeaderParameter('REGION') }) },
			/^b\.c: .*'REGION' is used twice/,
		],
		['an object', { a: createHeaderParameter('A', 'object') }, /^a: .*strings, integers and booleans/],
		['an item of a list', { a: { type: 'array', items: createHeaderParameter('A') } }, /^a\.items: .*only allowed on properties/],
		[
			'a property of an item of a list',
			{ a: { type: 'array', items: createSchema({ b: createHeaderParameter('A') }) } },
			/^a\.items\.b: .*only allowed on properties/,
		],
		['one of several schemas', { a: { anyOf: [createHeaderParameter('A')] } }, /^a\.anyOf\.0: .*only allowed on properties/],
	] as const) {
		it(`refuses ${title}`, () => assert.match(findHeaderFault(createSchema(properties)) ?? 'accepted', expected));
	}

	it('refuses a schema that is nested so deeply that it would exhaust the stack', () => {
		let deep: unknown = {};
		for (let depth = 0; depth < 100_000; depth++) {
			deep = { items: [deep] };
		}
		assert.match(findHeaderFault(deep) ?? 'accepted', /nested more than/);
	});
});
