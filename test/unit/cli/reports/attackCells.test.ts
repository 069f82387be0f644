import assert from 'node:assert/strict';
import { formatAttacks } from '#cli/reports/attackCells.ts';
import type { AttackRate, AttackSummary } from '#suites/attacks/attackSummary.ts';

const createRate = (name: string, attacks: number, succeeded: number, notRun = 0): AttackRate => {
	return { name, attacks, succeeded, notRun, rate: attacks === 0 ? 0 : succeeded / attacks, interval: { low: 0.1, high: 0.9 } };
};

describe('the table of attacks', () => {
	it('has a row for each pack and OWASP ID, and names what no attack reached', () => {
		const summary: AttackSummary = {
			packs: [createRate('injection', 5, 2), createRate('ssrf', 10, 0)],
			owasp: [createRate('LLM01', 15, 2)],
			unreached: [{ agent: 'support', nodes: Array.from({ length: 22 }, (_, at) => `n${at}`), branches: ['check/true'] }],
		};
		const lines = formatAttacks(summary).split('\n');
		assert.deepEqual(lines.slice(0, 4), [
			'  attacks    number  succeeded  rate (95 %)',
			'  injection  5       2          40.0 % (10.0 to 90.0)',
			'  ssrf       10      0          0.0 % (10.0 to 90.0)',
			'  LLM01      15      2          13.3 % (10.0 to 90.0)',
		]);
		assert.match(lines[4]!, /^ {2}support: no attack reached the nodes n0, .*, n19 and 2 more$/);
		assert.equal(lines[5], '  support: no attack reached the branches check/true');
	});

	it('has a column for attacks that could not run, and no rate if none of a pack ran', () => {
		const summary = { packs: [createRate('ssrf', 0, 0, 3)], owasp: [], unreached: [] };
		assert.deepEqual(formatAttacks(summary).split('\n').slice(0, 2), [
			'  attacks  number  not run  succeeded  rate (95 %)',
			'  ssrf     0       3        0',
		]);
	});
});
