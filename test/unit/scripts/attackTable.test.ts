import assert from 'node:assert/strict';
import { createAttackTable, readWrittenTable } from '../../../scripts/attackTable.ts';

describe('the table of attacks in docs/internals/attacks.md', () => {
	it('names each attack of test/faults, and no other (else: node scripts/attackTable.ts)', () => {
		assert.equal(readWrittenTable(), createAttackTable());
	});
});
