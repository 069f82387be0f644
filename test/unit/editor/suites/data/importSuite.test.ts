import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { ImportSuite } from '#editor/suites/data/importSuite.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';
import { createAgent, SuiteFixture } from '../../../suites/results/suiteFixture.ts';

const models = 'Models that the file names';

describe('importing a suite in the editor', () => {
	let fixture: SuiteFixture;
	let problems: Map<string, readonly vscode.Diagnostic[]>;
	const { createDiagnosticCollection } = vscode.languages;
	beforeEach(() => {
		fixture = new SuiteFixture();
		problems = new Map();
		Object.assign(vscode.languages, {
			createDiagnosticCollection: () => ({
				set: (uri: vscode.Uri, list: readonly vscode.Diagnostic[]) => problems.set(uri.fsPath, list),
				delete: (uri: vscode.Uri) => problems.delete(uri.fsPath),
				dispose() {},
			}),
		});
	});
	afterEach(() => {
		Object.assign(vscode.languages, { createDiagnosticCollection });
		return fixture.close();
	});

	const createImport = () =>
		new ImportSuite({
			getDefault: () => ({ id: 'built-in', name: 'Local', kind: 'built-in', user: 'me' }),
			listAgents: async () => [createAgent('support')],
		});
	const promptfoo = 'prompts: ["Say {{x}}"]\ntests:\n  - vars: { x: hi }\n    assert:\n      - { type: javascript, value: "1" }\n';

	it('proposes a new file next to the imported one, writes the suite, and lists what is not mapped with its line', async () => {
		const file = fixture.writeFile('promptfooconfig.yaml', promptfoo);
		const target = path.join(fixture.folder, 'mine.suite.json');
		fs.writeFileSync(path.join(fixture.folder, 'promptfooconfig.suite.json'), '{}');
		const suites = createImport();
		const shown = await answerDialogs({ files: [vscode.Uri.file(file), vscode.Uri.file(target)], picks: [models] }, async () => {
			assert.equal((await suites.importSuite(undefined))?.fsPath, target);
		});
		assert.equal(path.basename(shown.saves[0]?.defaultUri?.fsPath ?? ''), 'promptfooconfig-2.suite.json');
		assert.equal(JSON.parse(fs.readFileSync(target, 'utf8')).cases.length, 1);
		assert.match(shown.warnings[0]!, /^Imported 1 test case into '.*mine\.suite\.json'\. Parts that the suite has nothing for: 1$/);
		const [problem, ...others] = problems.get(file)!;
		assert.equal(others.length, 0);
		assert.equal(problem!.range.start.line, 4);
		assert.match(problem!.message, /^tests\[0\]\.assert\[0\]: 'javascript' isn't mapped/);
		// the next import of the file replaces the list
		fs.writeFileSync(file, promptfoo.replace('type: javascript', 'type: contains'));
		await answerDialogs({ files: [vscode.Uri.file(target)], picks: [models] }, () => suites.importSuite(vscode.Uri.file(file)));
		assert.deepEqual([...problems], []);
		suites.dispose();
	});

	it('writes the rows of a dataset for an agent, and asks before it replaces rows', async () => {
		const file = fixture.writeFile('data.jsonl', '{"input":"hi","ideal":"ho"}\n');
		const target = vscode.Uri.file(path.join(fixture.folder, 'data.suite.json'));
		const rows = fixture.writeFile('data.rows.jsonl', 'my rows');
		const answers = () => ({ files: [target], picks: ['support'], texts: ['answer'] });
		const shown = await answerDialogs(answers(), async () => {
			assert.equal(await createImport().importSuite(vscode.Uri.file(file)), undefined);
		});
		assert.deepEqual(shown.warnings, ["'data.rows.jsonl' already exists. Replace it with the rows of the imported file?"]);
		assert.equal(fs.readFileSync(rows, 'utf8'), 'my rows');
		assert.equal(fs.existsSync(target.fsPath), false);
		await answerDialogs({ ...answers(), button: 'Replace' }, () => createImport().importSuite(vscode.Uri.file(file)));
		const suite = JSON.parse(fs.readFileSync(target.fsPath, 'utf8'));
		assert.equal(suite.model, 'support');
		assert.equal(suite.dataset.file, './data.rows.jsonl');
		assert.match(fs.readFileSync(rows, 'utf8'), /^\{[^\n]*"expect:answer":"ho"\}\n$/);
	});

	it('never writes the rows over the imported file', async () => {
		const file = vscode.Uri.file(fixture.writeFile('data.rows.jsonl', '{"input":"hi","ideal":"ho"}\n'));
		const target = vscode.Uri.file(path.join(fixture.folder, 'data.suite.json'));
		const importing = answerDialogs({ files: [target], picks: [models], button: 'Replace' }, () => createImport().importSuite(file));
		await assert.rejects(importing, { reason: 'taken' });
		assert.equal(fs.readFileSync(file.fsPath, 'utf8'), '{"input":"hi","ideal":"ho"}\n');
	});

	it('names the line that makes a file unreadable', async () => {
		const file = vscode.Uri.file(fixture.writeFile('broken.yaml', 'prompts:\n  - "a\n'));
		const target = vscode.Uri.file(path.join(fixture.folder, 'broken.suite.json'));
		const importing = answerDialogs({ files: [target], picks: [models] }, () => createImport().importSuite(file));
		await assert.rejects(importing, { message: /^Couldn't import line \d+ of 'broken\.yaml': / });
		assert.equal(fs.existsSync(target.fsPath), false);
	});
});
