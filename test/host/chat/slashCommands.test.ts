import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SlashCommands } from '#editor/chat/prompts/slashCommands.ts';
import { answerDialogs } from '../../support/editor/answers.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { ChatUnderTest } from './chatUnderTest.ts';

describe('the commands that / offers in a chat', () => {
	let window: ChatUnderTest;
	let commands: SlashCommands;
	const workspace = vscode.workspace.workspaceFolders![0]!.uri;
	const prompts = vscode.Uri.joinPath(workspace, '.github');
	before(async () => {
		const text = `---\ndescription: Says it in another language\n---\nTranslate "\${selection}" of \${file} to \${input:language:a language}.`;
		await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(prompts, 'prompts', 'translate.prompt.md'), Buffer.from(text));
		await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(prompts, 'prompts', 'explain.prompt.md'), Buffer.from('Not this'));
		await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(workspace, 'greeting.txt'), Buffer.from('Hello there\n'));
	});
	after(async () => {
		await vscode.workspace.fs.delete(prompts, { recursive: true });
		await vscode.workspace.fs.delete(vscode.Uri.joinPath(workspace, 'greeting.txt'));
	});
	beforeEach(async () => {
		window = new ChatUnderTest();
		await window.openPanel();
		commands = new SlashCommands(window.editors, window.host.context);
	});
	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await window.dispose();
	});
	const selectGreeting = async () => {
		const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(workspace, 'greeting.txt'));
		editor.selection = new vscode.Selection(0, 0, 0, 5);
	};
	const listAttached = () => window.panel.chat.transcript.attachments.map(({ part }) => [part.name, part.kind === 'file' && part.text]);

	it('are built in, or prompt files of the workspace with their descriptions', async () => {
		assert.deepEqual(
			(await commands.listMentions('')).map(({ name }) => name),
			['/explain', '/fix', '/tests', '/clear', '/translate'],
		);
		const [found, ...others] = await commands.listMentions('slat');
		assert.deepEqual([found?.text, found?.detail, others], ['translate', 'Says it in another language', []]);
	});

	it('attach the selection, and add what was typed after them', async () => {
		await selectGreeting();
		const expanded = await commands.expand(window.panel.chat, '/explain in one line');
		assert.deepEqual(expanded, { text: 'Explain how this code works.\n\nin one line' });
		assert.deepEqual(listAttached(), [['greeting.txt', 'Hello']]);
	});

	it('attach the problems of the file to fix', async () => {
		await selectGreeting();
		const list = vscode.languages.createDiagnosticCollection('slash');
		list.set(vscode.Uri.joinPath(workspace, 'greeting.txt'), [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'Too short.')]);
		await commands.expand(window.panel.chat, '/fix');
		list.dispose();
		assert.deepEqual(listAttached()[1], ["Problems in 'greeting.txt'", 'greeting.txt:1:1 error: Too short.']);
	});

	it('fill the variables of a prompt file, and attach the file', async () => {
		await selectGreeting();
		let expanded: unknown;
		await answerDialogs({ texts: ['Thai'] }, async () => {
			expanded = await commands.expand(window.panel.chat, '/translate');
		});
		assert.deepEqual(expanded, { text: 'Translate "Hello" of greeting.txt to Thai.' });
		assert.deepEqual(listAttached(), [['greeting.txt', 'Hello there\n']]);
		await answerDialogs({ texts: [undefined] }, () =>
			assert.rejects(commands.expand(window.panel.chat, '/translate'), { reason: 'canceled', message: /'language' needs a value/ }),
		);
	});

	it("are refused if there's no code, and other messages stay as they are", async () => {
		await assert.rejects(commands.expand(window.panel.chat, '/tests'), { reason: 'no-editor' });
		for (const text of ['/usr/bin is full', '/unknown', 'say /explain', '/']) {
			assert.equal(await commands.expand(window.panel.chat, text), undefined);
		}
		assert.equal(await commands.expand(window.panel.chat, '/clear'), 'clear');
	});

	it('are returned to the message box if they fail', async () => {
		window.webview.sendFromPage({ type: 'send', text: '/tests' });
		const refused = await waitUntil('the message is returned', () => window.webview.posted.find(({ type }) => type === 'refused'));
		assert.deepEqual(refused, {
			type: 'refused',
			chatId: window.panel.chat.transcript.id,
			text: '/tests',
			refusal: 'No file is open. Open one and select some text.',
		});
	});
});

describe('the instructions of AGENTS.md', () => {
	const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'AGENTS.md');
	let window: ChatUnderTest;
	beforeEach(async () => {
		await vscode.workspace.fs.writeFile(file, Buffer.from('Use tabs.\n'));
		window = new ChatUnderTest();
		await window.openPanel();
	});
	afterEach(async () => {
		await vscode.workspace.fs.delete(file);
		await window.dispose();
	});

	it('are read for each reply, unless the setting is off', async () => {
		const { instructions } = window.host;
		assert.equal(await instructions.readText(), 'Use tabs.');
		assert.deepEqual(instructions.getState(), { files: [String(file)], on: true });
		await instructions.setOn(false);
		assert.equal(await instructions.readText(), '');
		assert.equal(instructions.getState()?.on, false);
		await vscode.workspace.getConfiguration('agentWorkbench.chat').update('useAgentsFile', undefined, vscode.ConfigurationTarget.Workspace);
	});
});
