import assert from 'node:assert/strict';
import { createAttackTable, readWrittenTable } from '../../../scripts/attackTable.ts';

describe('the table of attacks in docs/internals/attacks.md', () => {
	it('contains exactly the attacks of test/faults (to update it: node scripts/attackTable.ts)', () => {
		assert.equal(readWrittenTable(), createAttackTable());
	});
});
