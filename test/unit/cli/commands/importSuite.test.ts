import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { GivenArguments } from '#cli/arguments/givenArguments.ts';
import { commands } from '#cli/arguments/options.ts';
import { runImport } from '#cli/commands/importSuite.ts';
import { SuiteFixture } from '../../suites/results/suiteFixture.ts';

const command = commands.find(({ name }) => name === 'import')!;

describe('the command import with --overwrite', () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	it('replaces a suite completely or not at all, so that a full disk leaves the old one', async () => {
		const file = fixture.writeFile('a.yaml', 'prompts: ["{{x}}"]\ntests: [{ vars: { x: hi } }]\n');
		const old = 'the old suite'.repeat(1_000);
		const target = fixture.writeFile('real/a.suite.json', old);
		const link = path.join(fixture.folder, 'a.suite.json');
		fs.symlinkSync(target, link);
		const reader = fs.openSync(target, 'r');
		await runImport(new GivenArguments(command, [file, '--overwrite']));
		assert.equal(fs.readFileSync(reader, 'utf8'), old);
		fs.closeSync(reader);
		assert.ok(fs.lstatSync(link).isSymbolicLink());
		assert.equal(JSON.parse(fs.readFileSync(target, 'utf8')).cases.length, 1);
		assert.deepEqual(fs.readdirSync(path.dirname(target)), ['a.suite.json']);
	});

	it('does not write the rows over the imported file', async () => {
		const rows = '{"input":"hi","ideal":"ho","id":"a"}\n';
		const file = fixture.writeFile('data.rows.jsonl', rows);
		const out = path.join(fixture.folder, 'data.suite.json');
		await assert.rejects(runImport(new GivenArguments(command, [file, '--out', out, '--overwrite'])), /would overwrite the imported file/);
		assert.equal(fs.readFileSync(file, 'utf8'), rows);
	});
});
