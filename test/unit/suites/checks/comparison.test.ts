import assert from 'node:assert/strict';
import { checkComparison } from '#suites/checks/kinds/comparison.ts';
import { SuiteFixture } from '../results/suiteFixture.ts';

describe('comparing a value with one of a suite file', () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	it('finds equal objects and lists', async () => {
		const value = { a: [1, { b: null, c: { d: 'x' } }] };
		const { cases } = await fixture.readValidSuite({
			chat: { endpoint: 'messages', model: 'm' },
			cases: [{ name: 'a', expect: [{ equals: value }, { oneOf: [1, value] }, { equals: { ...value, e: 1 } }, { contains: value }] }],
		});
		const [equal, oneOf, unequal, contains] = cases[0]!.checks.map(({ kind, fields }) => {
			const subject = { name: 'json', snapshotName: 'json', value: kind === 'contains' ? [value] : value };
			return checkComparison(kind as 'equals', fields, subject, false, JSON.stringify).holds;
		});
		assert.deepEqual([equal, oneOf, unequal, contains], [true, true, false, true]);
	});
});
