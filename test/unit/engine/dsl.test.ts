import assert from 'node:assert/strict';
import path from 'node:path';
import { readCases } from '../../dsl/caseFile.ts';
import { runCase } from '../../dsl/runCase.ts';
import { findSharedFolder } from '../../support/sharedFolder.ts';

const root = path.resolve(import.meta.dirname, '../../..');

for (const folder of ['dsl', 'dsl-newest', 'dsl-own']) {
	describe(`agents with the hosted service's results: ${folder}`, () => {
		for (const dslCase of readCases(path.join(root, 'test/fixtures', folder))) {
			it(dslCase.name, async () => assert.equal(await runCase(dslCase), undefined));
		}
	});
}

describe("the hosted service's own test agents", () => {
	// Dify's test agents can't be copied because of their license, so they are read from a folder next to or above the repository
	const folder = findSharedFolder('fixtures/dify-upstream');
	if (!folder) {
		it('are not on this machine');
		return;
	}
	for (const dslCase of readCases(folder)) {
		it(dslCase.name, async () => assert.equal(await runCase(dslCase), undefined));
	}
});
