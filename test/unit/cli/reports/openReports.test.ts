import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { GivenArguments } from '#cli/arguments/givenArguments.ts';
import { openReports } from '#cli/reports/openReports.ts';
import { makeTempFolder, removeFolder } from '../../../../scripts/lib/tempFolder.ts';

describe('the files of reports', () => {
	const folder = makeTempFolder();
	after(() => removeFolder(folder));

	// "test --coverage my.suite.json" takes the suite for the value of the option, and then runs all suites of the folder
	for (const option of ['junit', 'markdown', 'coverage']) {
		for (const name of ['my.suite.json', 'my.run.json', 'agent.yml']) {
			it(`don't overwrite the files of tests: --${option} ${name}`, async () => {
				const file = path.join(folder, name);
				fs.writeFileSync(file, 'mine');
				const given = { getValue: (asked: string) => (asked === option ? file : undefined), has: () => true } as unknown as GivenArguments;
				await assert.rejects(openReports(given, [], []), /the report would overwrite this file/);
				assert.equal(fs.readFileSync(file, 'utf8'), 'mine');
			});
		}
	}

	it("don't overwrite a file that the command reads, by whatever name", async () => {
		const rows = path.join(folder, 'rows.csv');
		fs.writeFileSync(rows, 'mine');
		fs.symlinkSync(rows, path.join(folder, 'link.xml'));
		for (const name of ['rows.csv', 'link.xml']) {
			const given = {
				getValue: (asked: string) => (asked === 'junit' ? path.join(folder, name) : undefined),
				has: () => true,
			} as unknown as GivenArguments;
			await assert.rejects(openReports(given, [], [rows]), { name: 'CliFault', message: /the report would overwrite this file/ });
			assert.equal(fs.readFileSync(rows, 'utf8'), 'mine');
		}
		const given = {
			getValue: (asked: string) => (asked === 'junit' || asked === 'baseline' ? rows : undefined),
			has: () => true,
		} as unknown as GivenArguments;
		await assert.rejects(openReports(given, [], []), /the report would overwrite this file/);
		assert.equal(fs.readFileSync(rows, 'utf8'), 'mine');
	});

	it("are refused with their option if their path can't exist", async () => {
		const file = path.join(folder, 'x'.repeat(300));
		const given = { getValue: (asked: string) => (asked === 'junit' ? file : undefined), has: () => true } as unknown as GivenArguments;
		await assert.rejects(openReports(given, [], []), { name: 'CliFault', message: /^--junit .*: couldn't write the file: / });
	});
});
