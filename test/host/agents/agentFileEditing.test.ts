import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { GatewayProcess } from '../support/gatewayProcess.ts';

/** Creates an agent with three nodes. `¦` marks the test's cursor in the `data` of the middle node. */
const createAgentText = (data: string) => `version: "0.6.0"
kind: app
app: { name: three, mode: workflow }
workflow:
  graph:
    nodes:
      - id: start
        data: { type: start, title: Start, variables: [{ variable: text, label: The text, type: paragraph }] }
      - id: middle
        data:
${data
	.split('\n')
	.map(line => `          ${line}`)
	.join('\n')}
      - id: end
        data: { type: end, title: End, outputs: [{ variable: said, value_selector: [start, text] }] }
    edges:
      - { source: start, target: middle }
      - { source: middle, target: end }
`;
const right =
	'type: template-transform\ntitle: Say\ntemplate: "{{ text }}"\nvariables: [{ variable: text, value_selector: [start, text] }]';

describe('editing agent files without a gateway', () => {
	let window: WindowUnderTest;
	let files = 0;
	before(() => {
		window = new WindowUnderTest();
	});
	after(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await window.dispose();
	});

	const openMarkedFile = async (marked: string, name = `agents/agent${++files}.yml`) => {
		const document = await window.openDocument(name, marked.replace('¦', ''));
		return { document, position: document.positionAt(marked.indexOf('¦')) };
	};
	/** Returns the suggestions of the installed extension. */
	const getSuggestionLabels = async (marked: string) => {
		const { document, position } = await openMarkedFile(marked);
		const list = await vscode.commands.executeCommand<vscode.CompletionList>(
			'vscode.executeCompletionItemProvider',
			document.uri,
			position,
			' ',
		);
		return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
	};
	const getHoverText = async (marked: string) => {
		const { document, position } = await openMarkedFile(marked);
		const found = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, position);
		return found.flatMap(({ contents }) => contents.map(content => (content as vscode.MarkdownString).value)).join('\n');
	};

	it('completes node types, fields, values, IDs and variables', async () => {
		assert.ok((await getSuggestionLabels(createAgentText('type: ¦'))).includes('http-request'));
		assert.ok((await getSuggestionLabels(createAgentText('type: http-request\n¦'))).includes('method'));
		assert.deepEqual(await getSuggestionLabels(createAgentText('type: llm\nerror_strategy: ¦')), ['none', 'fail-branch', 'default-value']);
		assert.ok((await getSuggestionLabels(createAgentText('type: answer\nanswer: "Hello {{#¦"'))).includes('start.text'));
		assert.deepEqual(await getSuggestionLabels(createAgentText(right).concat('      - { source: ¦ }\n')), ['start', 'middle', 'end']);
	});

	it('shows hovers for fields, node types and references', async () => {
		assert.match(
			await getHoverText(createAgentText('type: http-request\nmeth¦od: get')),
			/\*\*method\*\* · string · required\n\nHTTP method\\\./,
		);
		assert.match(await getHoverText(createAgentText('type: http-r¦equest')), /\*\*HTTP Request\*\* · http\\-request/);
		assert.match(
			await getHoverText(createAgentText('type: answer\nanswer: "Hello {{#start.te¦xt#}}"')),
			/\*\*start\\\.text\*\* · string\n\nThe text/,
		);
		assert.match(
			await getHoverText(createAgentText(right).replace('target: middle', 'target: mid¦dle')),
			/\*\*Say\*\* · Template · middle/,
		);
	});

	it('offers nothing in other YAML files', async () => {
		const other = 'services:\n  web:\n    image: ¦\n';
		const { document, position } = await openMarkedFile(other, 'compose.yml');
		const list = await vscode.commands.executeCommand<vscode.CompletionList>(
			'vscode.executeCompletionItemProvider',
			document.uri,
			position,
			' ',
		);
		assert.deepEqual(
			list.items.filter(({ kind }) => kind !== vscode.CompletionItemKind.Text),
			[],
		);
	});

	it('shows problems at their positions, and removes them once they are fixed', async () => {
		const { document } = await openMarkedFile(
			createAgentText('type: http-request\ntitle: Fetch\nurl: "https://{{#stat.text#}}"\nbody: { type: jsn }'),
		);
		const found = await waitForDiagnostics(document, 3);
		assert.deepEqual(
			found.map(({ message, range, severity }) => [document.getText(range), severity, message]),
			[
				['data', vscode.DiagnosticSeverity.Error, "Node 'middle': 'data.method' is missing. Expected a string."],
				['stat', vscode.DiagnosticSeverity.Warning, "Unknown node 'stat'. The reference has no value."],
				[
					'jsn',
					vscode.DiagnosticSeverity.Error,
					'Node \'middle\': \'data.body.type\' is "jsn". Expected "none", "form-data", "x-www-form-urlencoded", "raw-text", "json" or "binary".',
				],
			],
		);
		const edit = new vscode.WorkspaceEdit();
		edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), createAgentText(right));
		await vscode.workspace.applyEdit(edit);
		await waitForDiagnostics(document, 0);
	});

	it('fixes misspelled names', async () => {
		const applyFix = async (marked: string, title: string) => {
			const { document, position } = await openMarkedFile(marked);
			const at = new vscode.Range(position, position);
			const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', document.uri, at);
			const action = actions.find(each => each.title === title);
			assert.ok(action?.edit, `no “${title}” among ${actions.map(each => each.title).join(', ')}`);
			await vscode.workspace.applyEdit(action.edit);
			return document.getText();
		};
		assert.match(
			await applyFix(createAgentText(`${right}\nerror_stra¦tgy: none`), "Change to 'error_strategy'"),
			/^ {10}error_strategy: none$/m,
		);
		assert.match(
			await applyFix(createAgentText(right.replace('[start, text]', '[start, te¦xd]')), "Change to 'text'"),
			/value_selector: \[start, text\] }\]\n {6}- id: end/,
		);
		assert.match(
			await applyFix(createAgentText(right).replace('target: middle', 'target: "mid¦le"'), "Change to 'middle'"),
			/target: "middle"/,
		);
	});

	it('shows no problem twice while the gateway runs', async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-twice-'));
		const gateway = await GatewayProcess.start(path.join(folder, 'data'), path.join(folder, 'agents'));
		const withGateway = new WindowUnderTest(gateway);
		try {
			const text = createAgentText(right)
				.replace('[start, text] }]\n      - id: end', '[strat, text] }]\n      - id: end')
				.replace('target: end', 'target: start');
			const document = await withGateway.openDocument('agents/wrong.yml', text);
			const [cycle, reference] = await waitForDiagnostics(document, 2, 'cycle');
			assert.equal(reference?.message, "Unknown node 'strat'. The reference has no value.");
			assert.match(cycle?.message ?? '', /the nodes start → middle → start form a cycle/);
		} finally {
			await withGateway.dispose();
			await gateway.stop();
			fs.rmSync(folder, { recursive: true, force: true });
		}
	});
});

/**
 * Resolves with our diagnostics of a file, sorted by position, once there are `count` of them and one contains the text. The installed
 * extension also reports diagnostics, so duplicates count once.
 */
async function waitForDiagnostics({ uri }: vscode.TextDocument, count: number, text = ''): Promise<vscode.Diagnostic[]> {
	return new Promise(resolve => {
		const checkDiagnostics = () => {
			const found = vscode.languages
				.getDiagnostics(uri)
				.filter(({ source, severity }) => source === 'Agent Workbench' && severity !== vscode.DiagnosticSeverity.Hint)
				.filter(({ message }, at, all) => all.findIndex(each => each.message === message) === at);
			if (found.length === count && (count === 0 || found.some(({ message }) => message.includes(text)))) {
				listener.dispose();
				resolve(found.toSorted((a, b) => a.range.start.compareTo(b.range.start)));
			}
		};
		const listener = vscode.languages.onDidChangeDiagnostics(checkDiagnostics);
		checkDiagnostics();
	});
}
