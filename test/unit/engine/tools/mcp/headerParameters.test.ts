import assert from 'node:assert/strict';
import { findHeaderFault } from '#engine/tools/mcp/headerParameters.ts';

const createNamed = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });
const createSchema = (properties: object) => ({ type: 'object', properties });

describe('parameters of MCP tools that are sent in headers', () => {
	it('accepts names of headers on strings, integers and booleans, at any depth of properties', () => {
		const nested = createSchema({
			region: createNamed('Region'),
			inner: createSchema({ count: createNamed('Count', 'integer'), dry: createNamed('Dry-Run', 'boolean') }),
		});
		assert.equal(findHeaderFault(nested), undefined);
		assert.equal(findHeaderFault(createSchema({ 'x-mcp-header': { type: 'string' }, b: { default: createNamed('') } })), undefined);
		assert.equal(findHeaderFault(undefined), undefined);
	});

	for (const [title, properties, expected] of [
		['an empty name', { a: createNamed('') }, /^a: .*must be the name of a header/],
		['a name that no header can have', { a: createNamed('My Region') }, /^a: .*must be the name of a header/],
		['a name that is not a string', { a: createNamed(7) }, /^a: .*must be the name of a header/],
		[
			'the same name twice, in another case',
			{ a: createNamed('Region'), b: createSchema({ c: createNamed('REGION') }) },
			/^b\.c: .*'REGION' is used twice/,
		],
		['an object', { a: createNamed('A', 'object') }, /^a: .*strings, integers and booleans/],
		['an item of a list', { a: { type: 'array', items: createNamed('A') } }, /^a\.items: .*only allowed on properties/],
		[
			'a property of an item of a list',
			{ a: { type: 'array', items: createSchema({ b: createNamed('A') }) } },
			/^a\.items\.b: .*only allowed on properties/,
		],
		['one of several schemas', { a: { anyOf: [createNamed('A')] } }, /^a\.anyOf\.0: .*only allowed on properties/],
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
