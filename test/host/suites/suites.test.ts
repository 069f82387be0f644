import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentSummary } from '#contract/agents.ts';
import { createFileCoverage, getCoverageDetails } from '#editor/suites/explorer/agentFileCoverage.ts';
import { SuiteItems } from '#editor/suites/explorer/suiteItems.ts';
import { CoverageSum } from '#suites/coverage/agentCoverage.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import type { SuiteSummary } from '#suites/results/caseResult.ts';

const createSuiteText = (sentences: number) => `{
	// one that holds, one that does not
	"model": "summarize",
	"cases": [
		{ "name": "comes to an end", "inputs": { "text": "One. Two. Three.", "sentences": ${sentences} } },
		{
			"name": "says what was never said",
			"inputs": { "text": "One. Two. Three.", "sentences": 1 },
			"expect": [{ "output": "summary", "equals": "Four." }]
		}
	]
}
`;

describe('suites in the editor', function () {
	this.timeout(120_000);
	let folder: string;
	let uri: vscode.Uri;
	before(() => {
		folder = path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'tested');
		fs.mkdirSync(folder, { recursive: true });
		uri = vscode.Uri.file(path.join(folder, 'host.suite.json'));
		fs.writeFileSync(uri.fsPath, createSuiteText(1));
	});
	after(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		fs.rmSync(folder, { recursive: true, force: true });
	});

	const runSuiteCommand = (ordinal?: number) =>
		vscode.commands.executeCommand<SuiteSummary | undefined>('agentWorkbench.suite.run', uri, ordinal);

	it('are run from their file, whole or by case', async () => {
		const whole = await runSuiteCommand();
		assert.deepEqual([whole?.cases, whole?.passed, whole?.failed, whole?.notRun], [2, 1, 1, 0]);
		const one = await runSuiteCommand(0);
		assert.deepEqual([one?.cases, one?.passed], [1, 1]);
	});

	it('have code lenses above the file and each case', async () => {
		await vscode.window.showTextDocument(uri);
		const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
		const ours = lenses.filter(({ command }) => command?.command.startsWith('agentWorkbench.suite.'));
		const titles = ours.map(({ range, command }) => `${range.start.line} ${command?.title.replace(/\$\([^)]+\) /, '')}`);
		// the lens of the results is the last result, with its duration
		const untimed = titles.map(title => title.replace(/ · .+/, ''));
		assert.deepEqual(untimed.sort(), ['0 1 passed', '0 Debug', '0 Run Suite', '4 Debug', '4 Run', '5 Debug', '5 Run']);
	});

	it("with errors show problems at their positions and don't run", async () => {
		const wrong = vscode.Uri.file(path.join(folder, 'wrong.suite.json'));
		fs.writeFileSync(wrong.fsPath, '{\n\t"model": "summarize",\n\t"cases": [{ "name": "a", "expects": [] }]\n}\n');
		const summary = await vscode.commands.executeCommand<SuiteSummary | undefined>('agentWorkbench.suite.run', wrong);
		assert.equal(summary, undefined);
		const faults = vscode.languages.getDiagnostics(wrong).filter(({ source }) => source === 'Agent Workbench');
		assert.equal(faults.length, 1);
		assert.equal(faults[0]!.range.start.line, 2);
		assert.match(faults[0]!.message, /expects/);
	});

	it('report coverage of the nodes and branches of their agent file', async () => {
		const agent = path.join(folder, '..', 'agents', 'support.yml');
		const sum = new CoverageSum();
		sum.add({ agent: 'support', nodes: { start: 1, sort: 2 }, ways: { 'sort/fault': 2 } });
		const [file, ...others] = await createFileCoverage(sum, [{ name: 'support', file: agent } as AgentSummary]);
		assert.ok(file && others.length === 0);
		assert.equal(file.uri.fsPath, vscode.Uri.file(agent).fsPath);
		assert.equal(file.statementCoverage.covered, 2);
		assert.ok(file.statementCoverage.total > 2);
		assert.equal(file.branchCoverage?.covered, 1);
		const statements = getCoverageDetails(file) as vscode.StatementCoverage[];
		assert.equal(statements.length, file.statementCoverage.total);
		const sort = statements.find(({ executed }) => executed === 2);
		assert.ok(sort);
		const lines = fs.readFileSync(agent, 'utf8').split('\n');
		assert.match(
			lines
				.slice((sort.location as vscode.Range).start.line)
				.slice(0, 3)
				.join('\n'),
			/sort/,
		);
		assert.ok(sort.branches.some(({ executed }) => executed === 2) && sort.branches.some(({ executed }) => executed === 0));
	});

	it('complete the columns of their dataset', async () => {
		fs.writeFileSync(path.join(folder, 'columns.jsonl'), '{"id": 1, "the text": "One."}\n');
		const file = vscode.Uri.file(path.join(folder, 'columns.suite.json'));
		const text = '{ "model": "summarize", "dataset": { "file": "./columns.jsonl", "name": "n {{", "inputs": { "text": "{{th}}" } } }';
		fs.writeFileSync(file.fsPath, text);
		const document = await vscode.workspace.openTextDocument(file);
		const completeDatasetPath = async (before: string) => {
			const offset = text.indexOf(before) + before.length;
			const position = document.positionAt(offset);
			const list = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', file, position);
			const ours = list.items.filter(({ kind }) => kind === vscode.CompletionItemKind.Field);
			return ours.map(({ insertText, range }) => [insertText, document.getText(range as vscode.Range)]);
		};
		assert.deepEqual(await completeDatasetPath('"n {{'), [
			['id}}', ''],
			['the text}}', ''],
			['row}}', ''],
		]);
		assert.deepEqual((await completeDatasetPath('"{{th'))[1], ['the text}}', 'th}}']);
		assert.deepEqual(await completeDatasetPath('"summa'), []);
	});

	it('have tasks that run the command line, with a problem matcher for its output', async () => {
		const tasks = await vscode.tasks.fetchTasks({ type: 'agent-workbench' });
		const task = tasks.find(({ name }) => name === 'host');
		assert.deepEqual(
			[task?.definition['suite'], task?.group, task?.problemMatchers],
			['tested/host.suite.json', vscode.TaskGroup.Test, ['$agent-workbench']],
		);
		const execution = task?.execution as vscode.ShellExecution;
		assert.deepEqual(
			execution.args?.map(arg => (typeof arg === 'string' ? arg : arg.value)),
			['--no-install', 'agent-workbench', 'test', 'tested/host.suite.json'],
		);
	});

	it('keep their test items when their file is read again', async () => {
		const controller = vscode.tests.createTestController('suites under test', 'Suites');
		const items = new SuiteItems(controller);
		const parseSuite = (text: string) =>
			readSuite(text, uri.fsPath, { connection: 'c', agents: undefined, takesMocks: true, root: folder, t: vscode.l10n.t });
		items.updateSuite(uri, await parseSuite(createSuiteText(1)));
		const before = items.getCaseItem(uri, 'comes to an end');
		assert.ok(before);
		items.updateSuite(uri, await parseSuite(createSuiteText(2)));
		assert.equal(items.getCaseItem(uri, 'comes to an end'), before, 'results stay at it');
		items.updateSuite(uri, await parseSuite('{'));
		assert.equal(items.getCaseItem(uri, 'comes to an end'), before, 'a text with faults takes no case away');
		assert.match(String(items.getSuiteItem(uri).error), /host\.suite\.json:1/);
		controller.dispose();
	});

	it('page the rows of a long dataset, and read a page when it is expanded', async () => {
		const rows = Array.from({ length: 450 }, (_, at) => `n${at + 1},text ${at + 1}`).join('\n');
		fs.writeFileSync(path.join(folder, 'rows.csv'), `id,text\n${rows}\n`);
		const text = '{ "model": "summarize", "dataset": { "file": "./rows.csv", "name": "{{id}}", "inputs": { "text": "{{text}}" } } }';
		const file = vscode.Uri.file(path.join(folder, 'rows.suite.json'));
		const context = { connection: 'c', agents: undefined, takesMocks: true, root: folder, t: vscode.l10n.t };
		const read = await readSuite(text, file.fsPath, context);
		assert.ok(read.suite, JSON.stringify(read.faults));
		const controller = vscode.tests.createTestController('rows under test', 'Rows');
		const items = new SuiteItems(controller);
		items.updateSuite(file, read);
		await items.resolveDataset(read.suite, file);
		const pages = [...items.getDatasetItem(file)!.children].map(([, item]) => item);
		assert.deepEqual(
			pages.map(({ label, children }) => [label, children.size]),
			[
				['Rows 1–200', 0],
				['Rows 201–400', 0],
				['Rows 401–450', 0],
			],
		);
		await items.resolvePage(pages[1]!, read.suite);
		assert.equal(pages[1]!.children.size, 200);
		const row = items.getRowItem(file, { ordinal: 200, row: 201, name: 'n201', line: 202 }, 'rows.csv', false);
		assert.deepEqual([row?.label, row?.range?.start.line], ['n201', 201]);
		controller.dispose();
	});
});
