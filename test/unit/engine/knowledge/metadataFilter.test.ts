import assert from 'node:assert/strict';
import { checkFilter, filterOperators, isMetadataMatching } from '#engine/knowledge/metadataFilter.ts';

const metadata = {
	owner: 'People team',
	tags: ['leave', 'Sick'],
	version: 3,
	updated: '2026-03-02',
	last_update_date: 1_770_000_000,
	empty: '',
};

describe('metadata filters', () => {
	for (const [name, operator, value, expected] of [
		['owner', 'contains', 'people', true],
		['owner', 'contains', 'finance', false],
		['owner', 'not contains', 'finance', true],
		['owner', 'start with', 'People', true],
		['owner', 'end with', 'team', true],
		['owner', 'end with', 'People', false],
		['owner', 'is', 'people team', true],
		['owner', 'is not', 'People team', false],
		['owner', 'in', 'Finance, People team', true],
		['owner', 'in', ['Finance'], false],
		['owner', 'not in', ['Finance'], true],
		['tags', 'contains', 'sick', true],
		['tags', 'is', 'leave', true],
		['version', '=', '3', true],
		['version', '≠', 3, false],
		['version', '>', 2, true],
		['version', '<', 3, false],
		['version', '≥', '3', true],
		['version', '≤', 2, false],
		['updated', 'before', '2026-04-01', true],
		['updated', 'after', '2026-04-01', false],
		['updated', 'after', 1_700_000_000, true],
		['last_update_date', 'before', '2020-01-01', false],
		['owner', '>', 3, false],
		['empty', 'empty', null, true],
		['owner', 'not empty', null, true],
		['missing', 'empty', null, true],
		['missing', 'is', 'x', false],
		['missing', 'is not', 'x', true],
		['constructor', 'not empty', null, false],
		['owner', 'is', '', true],
		['owner', 'constructor', 'x', false],
	] as const) {
		it(`${name} ${operator} ${JSON.stringify(value)}: ${expected}`, () => {
			assert.equal(isMetadataMatching({ join: 'and', conditions: [{ name, operator, value }] }, metadata), expected);
		});
	}

	it('combine their conditions', () => {
		const conditions = [
			{ name: 'version', operator: '=', value: 3 },
			{ name: 'owner', operator: 'is', value: 'Finance' },
		];
		assert.equal(isMetadataMatching({ join: 'and', conditions }, metadata), false);
		assert.equal(isMetadataMatching({ join: 'or', conditions }, metadata), true);
	});

	it('refuse unknown operators, and name the known ones', () => {
		assert.throws(
			() => checkFilter({ join: 'and', conditions: [{ name: 'a', operator: 'like', value: 1 }] }),
			/'like' isn't a valid operator.*Expected one of contains/,
		);
		checkFilter({ join: 'and', conditions: filterOperators.map(operator => ({ name: 'a', operator, value: 1 })) });
	});
});
