import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { readCases } from '../../dsl/caseFile.ts';
import { runCase } from '../../dsl/runCase.ts';

const root = path.resolve(import.meta.dirname, '../../..');

describe('agents recorded from the hosted service', () => {
	for (const dslCase of readCases(path.join(root, 'test/fixtures/dsl'))) {
		it(dslCase.name, async () => assert.equal(await runCase(dslCase), undefined));
	}
});

describe("the hosted service's own test agents", () => {
	// their licence does not let them be copied: they are read where a folder of fixtures lies beside or above the repository
	const folder = sharedFolder('fixtures/dify-upstream');
	if (!folder) {
		it('are not on this machine');
		return;
	}
	for (const dslCase of readCases(folder)) {
		it(dslCase.name, async () => assert.equal(await runCase(dslCase), undefined));
	}
});

function sharedFolder(name: string): string | undefined {
	for (let folder = root; ; folder = path.dirname(folder)) {
		const found = path.join(folder, 'shared', name);
		if (fs.existsSync(found)) {
			return found;
		}
		if (folder === path.dirname(folder)) {
			return undefined;
		}
	}
}
