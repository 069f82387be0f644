// biome-ignore-all lint/suspicious/noTemplateCurlyInString: run files have placeholders like template literals
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunRecord } from '#runs/runTypes.ts';
import { answerDialogs } from '../../support/editor/answers.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { GatewayProcess } from '../support/gatewayProcess.ts';

/** An agent with one variable of each kind, which outputs its values. */
const echo = `app: {name: echo, mode: workflow, description: Says what it got}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: [
          {variable: text, label: Text, type: paragraph, required: true, max_length: 100},
          {variable: tone, label: Tone, type: select, required: false, options: [dry, warm]},
          {variable: count, label: Count, type: number, required: false},
          {variable: source, label: Source, type: file, required: false}]}}
      - {id: say, data: {type: template-transform, title: Say, template: "{{ text }}", variables: [
          {variable: text, value_selector: [start, text]}, {variable: tone, value_selector: [start, tone]}]}}
      - {id: end, data: {type: end, title: End, outputs: [{variable: said, value_selector: [say, output]}, {variable: name, value_selector: [start, source, name]}]}}
    edges:
      - {id: a, source: start, target: say}
      - {id: b, source: say, target: end}
`;

describe('editing run files and agent files while a gateway runs', () => {
	let folder: string;
	let gateway: GatewayProcess;
	let window: WindowUnderTest;

	before(async () => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-editing-'));
		fs.mkdirSync(path.join(folder, 'agents'));
		fs.writeFileSync(path.join(folder, 'agents', 'echo.yml'), echo);
		gateway = await GatewayProcess.start(path.join(folder, 'data'), path.join(folder, 'agents'));
		window = new WindowUnderTest(gateway);
		await window.start();
	});
	after(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await window.dispose();
		await gateway.stop();
		fs.rmSync(folder, { recursive: true, force: true });
	});

	let files = 0;
	/** Opens a run file; `|` marks the cursor. */
	const openMarkedFile = async (marked: string) => {
		const document = await window.openDocument(`file${++files}.run.json`, marked.replace('|', ''));
		return { document, position: document.positionAt(marked.indexOf('|')) };
	};
	/** Runs a new file each time, because an open document keeps the editor's text. */
	const run = (body: unknown) => window.runFile(body, `run${++files}.run.json`);
	const getSuggestionLabels = async (marked: string) => {
		const { document, position } = await openMarkedFile(marked);
		const context = { triggerKind: vscode.CompletionTriggerKind.Invoke, triggerCharacter: undefined };
		const items = await window.runs.completion.provideCompletionItems(
			document,
			position,
			new vscode.CancellationTokenSource().token,
			context,
		);
		return items.map(({ label }) => label);
	};
	const getHoverText = async (marked: string) => {
		const { document, position } = await openMarkedFile(marked);
		const found = await window.runs.hover.provideHover(document, position);
		return found?.contents.map(content => (content as vscode.MarkdownString).value).join('\n');
	};
	/** Applies the quick fix with this title at the cursor and returns the text. */
	const applyFix = async (marked: string, title: string) => {
		const { document, position } = await openMarkedFile(marked);
		const context = { triggerKind: vscode.CodeActionTriggerKind.Invoke, diagnostics: [], only: undefined };
		const actions = await window.runs.fixes.provideCodeActions(document, new vscode.Range(position, position), context);
		const action = actions.find(each => each.title === title);
		assert.ok(action?.edit, `no “${title}” among ${actions.map(each => each.title).join(', ')}`);
		await vscode.workspace.applyEdit(action.edit);
		return document.getText();
	};

	it('completes agents, inputs, values and files', async () => {
		fs.mkdirSync(path.join(window.folder, 'texts'), { recursive: true });
		fs.writeFileSync(path.join(window.folder, 'texts', 'a.md'), 'A');
		assert.deepEqual(await getSuggestionLabels('{"model": "|", "inputs": {}}'), ['echo']);
		assert.deepEqual(await getSuggestionLabels('{"model": "echo", "inputs": {"text": "", "|"}}'), ['tone', 'count', 'source']);
		assert.deepEqual(await getSuggestionLabels('{"model": "echo", "inputs": {"tone": "|"}}'), ['dry', 'warm']);
		assert.deepEqual(await getSuggestionLabels('{"model": "echo", "inputs": {"text": {"$file": "./texts/|"}}}'), ['a.md']);
	});

	it('shows hovers for agents, inputs and files', async () => {
		assert.match(
			(await getHoverText('{"model": "ec|ho", "inputs": {}}')) ?? '',
			/\*\*echo\*\* · workflow · not published · Test gateway\n\nSays what it got\n\n- `text` paragraph, required, Text/,
		);
		assert.match(
			(await getHoverText('{"model": "echo", "inputs": {"te|xt": ""}}')) ?? '',
			/\*\*text\*\* · paragraph · required\n\nText\n\nExpected value: a string with a maximum length of 100/,
		);
		assert.match(
			(await getHoverText('{"model": "echo", "inputs": {"text": {"$file": "../|x"}}}')) ?? '',
			/is outside the workspace folder/,
		);
	});

	it('fixes problems', async () => {
		assert.equal(await applyFix('{"model": "ecko|", "inputs": {}}', 'Change to "echo"'), '{"model": "echo", "inputs": {}}');
		assert.equal(await applyFix('{"model": "echo", "inputs|": {}}', "Add 'inputs.text'").then(text => JSON.parse(text).inputs.text), '');
		assert.equal(
			await applyFix('{"model": "echo", "inputs": {"text": "", "txt|": 1}}', "Remove 'inputs.txt'").then(text =>
				JSON.stringify(JSON.parse(text)),
			),
			'{"model":"echo","inputs":{"text":""}}',
		);
		assert.equal(
			await applyFix('{"model": "echo", "inputs": {"text": "", "tone": "cold|"}}', 'Change to "warm"'),
			'{"model": "echo", "inputs": {"text": "", "tone": "warm"}}',
		);
		assert.deepEqual(JSON.parse(await applyFix('|{"inputs": {}}', "Add 'model'")), { inputs: {}, model: '' });
	});

	it('fills in prompted values, and sends nothing if the prompt is canceled', async () => {
		const body = { model: 'echo', inputs: { text: 'Hello ${input:who}, ${input:who}' } };
		let record: RunRecord | undefined;
		await answerDialogs({ texts: ['Ada'] }, async () => {
			record = await run(body);
		});
		assert.equal(record?.outputs?.['said'], 'Hello Ada, Ada');
		const before = window.records.list().length;
		await answerDialogs({ texts: [undefined] }, () => assert.rejects(run(body), { name: 'Canceled' }));
		assert.equal(window.records.list().length, before);
	});

	it('fills in environment variables, and names a missing one', async () => {
		process.env['AW_TEST_WHO'] = 'Bob';
		// such a short value is masked in the record only if it is the whole text
		assert.equal((await run({ model: 'echo', inputs: { text: 'Hello ${env:AW_TEST_WHO}' } }))?.outputs?.['said'], 'Hello Bob');
		assert.equal((await run({ model: 'echo', inputs: { text: '${env:AW_TEST_WHO}' } }))?.outputs?.['said'], '${env:AW_TEST_WHO}');
		await assert.rejects(run({ model: 'echo', inputs: { text: '${env:AW_TEST_NOBODY}' } }), {
			message:
				/^'run\d+\.run\.json' wasn't sent: 'inputs\.text': '\$\{env:AW_TEST_NOBODY\}' has no value: the environment variable isn't set/,
		});
	});

	it('uploads local files for file inputs', async () => {
		fs.writeFileSync(path.join(window.folder, 'note.txt'), 'a note');
		const record = await run({ model: 'echo', inputs: { text: 'x', source: { $file: './note.txt' } } });
		assert.equal(record?.status, 'succeeded', record?.error);
		assert.equal(record?.outputs?.['name'], 'note.txt');
	});

	it('copies a run file and a run as a command line without the key', async () => {
		const { document } = await openMarkedFile('{"model": "echo", "inputs": {"text": "it\'s"}}|');
		await window.executeCommand('agentWorkbench.runFile.copyAsCurl', document.uri);
		const copied = await vscode.env.clipboard.readText();
		assert.match(copied, /^curl .*\/v1\/agent\/workflows\/run/);
		assert.match(copied, /AGENT_WORKBENCH_KEY/);
		assert.ok(!copied.includes(gateway.key));
		await window.executeCommand('agentWorkbench.run.copyAsCurl', window.latest.key);
		assert.match(await vscode.env.clipboard.readText(), /upload_file_id/);
	});

	it('repeats a past run with the request it was sent with', async () => {
		const again = (await window.executeCommand('agentWorkbench.run.runAgain', window.latest.key)) as RunRecord;
		assert.equal(again.outputs?.['name'], 'note.txt');
	});

	it('reports problems of an agent file, saved or not', async () => {
		const wrong = await window.openDocument('agents/cycle.yml', echo.replace('target: end}', 'target: start}'));
		const [fault] = await waitForDiagnostics(wrong.uri);
		assert.ok(fault && fault.severity === vscode.DiagnosticSeverity.Error, fault?.message);
		await assert.rejects(window.executeCommand('agentWorkbench.agentFile.runDraft', wrong.uri) as Promise<unknown>, {
			name: 'Problem',
			message: /^cycle\.yml:\d+: /,
		});
	});

	it('runs an unsaved agent file, and publishes it with its changes', async () => {
		const uri = vscode.Uri.file(path.join(folder, 'agents', 'echo.yml'));
		const document = await vscode.workspace.openTextDocument(uri);
		await replaceText(document, '{{ text }}', 'draft of {{ text }}');
		const runDraft = async (texts: (string | undefined)[]) => {
			const records: unknown[] = [];
			await answerDialogs({ texts, picks: ['dry'] }, async () =>
				records.push(await window.executeCommand('agentWorkbench.agentFile.runDraft', uri)),
			);
			return records[0] as RunRecord | undefined;
		};
		assert.equal(await runDraft(['Hi', undefined]), undefined, 'called off at a question');
		const record = await runDraft(['Hi', '', '']);
		assert.equal(record?.outputs?.['said'], 'draft of Hi', record?.error);
		assert.equal(record?.draft, true);
		assert.equal((await run({ model: 'echo', inputs: { text: 'x' } }))?.outputs?.['said'], 'x', 'the published version is another');

		const getLensTitles = async () =>
			(await window.agents.lenses.provideCodeLenses(document))
				.filter(({ range }) => range.start.line === 0)
				.map(({ command }) => command?.title.replace(/^\$\(.*\) /, '').replace(/ \d[^,]*, just now/, ''));
		assert.deepEqual(await getLensTitles(), [
			'Run draft',
			'Debug',
			'Run with form…',
			'Publish',
			'Graph',
			'New run file…',
			'Last run: succeeded · draft of Hi',
			'changed since last published',
		]);
		const shown = await answerDialogs({ button: 'Publish' }, async () => window.executeCommand('agentWorkbench.agentFile.publish', uri));
		assert.deepEqual(shown.infos, ["Publish 'echo'? Lines changed since the published version: +1 −1."]);
		assert.equal(document.isDirty, false);
		assert.equal((await run({ model: 'echo', inputs: { text: 'x' } }))?.outputs?.['said'], 'draft of x');
		assert.deepEqual((await getLensTitles()).slice(-2), ['Last run: succeeded · draft of Hi', 'published']);
	});
});

async function replaceText(document: vscode.TextDocument, before: string, after: string): Promise<void> {
	const at = document.getText().indexOf(before);
	assert.ok(at >= 0);
	const edit = new vscode.WorkspaceEdit();
	edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + before.length)), after);
	await vscode.workspace.applyEdit(edit);
}

async function waitForDiagnostics(uri: vscode.Uri): Promise<vscode.Diagnostic[]> {
	return new Promise(resolve => {
		const checkDiagnostics = () => {
			const found = vscode.languages
				.getDiagnostics(uri)
				.filter(({ source, severity }) => source === 'Agent Workbench' && severity !== vscode.DiagnosticSeverity.Hint);
			if (found.length > 0) {
				listener.dispose();
				resolve(found);
			}
		};
		const listener = vscode.languages.onDidChangeDiagnostics(checkDiagnostics);
		checkDiagnostics();
	});
}
