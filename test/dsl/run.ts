// npm run test:dsl -- FOLDER: runs every case of a folder and prints the first difference from its record for each that differs.
import path from 'node:path';
import { readCases } from './caseFile.ts';
import { runCase } from './runCase.ts';

const folder = path.resolve(process.argv[2] ?? 'test/fixtures/dsl');
let passed = 0;
let failed = 0;
for (const dslCase of readCases(folder)) {
	const difference = await runCase(dslCase).catch(error => `could not be run: ${(error as Error).message}`);
	if (difference === undefined) {
		passed++;
	} else {
		failed++;
		console.log(`${dslCase.name}: ${difference}`);
	}
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
