import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { pickTools } from '#editor/chat/tools/pickTools.ts';
import type { ChosenTool } from '#pages/chat/transcript/transcript.ts';

interface Listed {
	readonly label: string;
	readonly description?: string;
	readonly kind?: number;
	readonly tool?: ChosenTool;
}

describe('the choice of tools of a chat', () => {
	const { showQuickPick } = vscode.window;
	const { executeCommand } = vscode.commands;
	const { tools } = vscode.lm;
	const { all } = vscode.extensions;
	let published: Set<string>;
	let commands: unknown[][];
	let listed: readonly Listed[];
	beforeEach(() => {
		published = new Set(['ready']);
		commands = [];
		const declared = [{ name: 'ext_search', displayName: 'Search the web' }, { name: 'ext_bare' }];
		Object.assign(vscode.extensions, { all: [{ packageJSON: { contributes: { languageModelTools: declared } } }] });
		const names = ['vscode_edit_internal', 'mcp_git_log', 'ext_search', 'ext_bare', 'inline_chat_exit'];
		Object.assign(vscode.lm, { tools: names.map(name => ({ name, description: `does ${name}` })) });
		Object.assign(vscode.commands, {
			executeCommand: async (...call: unknown[]) => {
				commands.push(call);
			},
		});
	});
	afterEach(() => {
		Object.assign(vscode.window, { showQuickPick });
		Object.assign(vscode.commands, { executeCommand });
		Object.assign(vscode.lm, { tools });
		Object.assign(vscode.extensions, { all });
	});

	/** Chooses tools by their labels; returns the names of the chat's tools. */
	const choose = async (labels: readonly string[], before: readonly ChosenTool[] = []) => {
		Object.assign(vscode.window, {
			showQuickPick: async (items: Promise<Listed[]>) => {
				listed = await items;
				return listed.filter(({ label }) => labels.includes(label));
			},
		});
		const connection = { id: 'c', name: 'Service', kind: 'built-in' };
		const agents = () =>
			['draft', 'ready', 'broken'].map(name => ({
				name,
				published: published.has(name),
				error: name === 'broken' ? 'wrong' : null,
				file: `/agents/${name}.yml`,
				description: '',
			}));
		const connections = { list: () => [connection], listAgents: async () => agents(), reloadLists: () => {} };
		const targets = { getConnection: () => connection, listEndpoints: () => ['messages', 'agent'] };
		const transcript = { endpoint: 'messages', tools: before };
		const chat = { transcript, updateFields: (fields: object) => Object.assign(transcript, fields) };
		await pickTools(chat as never, connections as never, targets as never);
		return transcript.tools.map(({ name }) => name);
	};

	it('lists agents first, then the tools of extensions and MCP servers by their titles', async () => {
		await choose([]);
		assert.deepEqual(
			listed.filter(({ kind }) => kind === undefined).map(({ label }) => label),
			['ready', 'draft', 'ext_bare', 'git log', 'Search the web'],
		);
	});

	it('keeps a chosen tool in the list', async () => {
		assert.deepEqual(await choose(['inline chat exit'], [{ kind: 'editor', name: 'inline_chat_exit' }]), ['inline_chat_exit']);
	});

	it('publishes the drafts that are chosen', async () => {
		Object.assign(vscode.commands, {
			executeCommand: async (command: string, uri: vscode.Uri) => {
				commands.push([command, uri.fsPath]);
				published.add('draft');
			},
		});
		assert.deepEqual(await choose(['draft', 'ready']), ['ready', 'draft']);
		assert.deepEqual(commands, [['agentWorkbench.agentFile.publish', '/agents/draft.yml']]);
	});

	it("doesn't choose a draft whose publishing was canceled", async () => {
		assert.deepEqual(await choose(['draft', 'ready']), ['ready']);
	});
});
