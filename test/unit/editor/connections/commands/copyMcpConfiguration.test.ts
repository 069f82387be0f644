import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { copyMcpConfiguration } from '#editor/connections/commands/copyMcpConfiguration.ts';
import { type Answers, answerDialogs } from '../../../../support/editor/answers.ts';

const key = 'awb-very-secret-0123456789';

describe('the command that copies an MCP configuration', () => {
	const { clipboard } = vscode.env;
	let copied: string[];
	beforeEach(() => {
		copied = [];
		const value = { writeText: async (text: string) => void copied.push(text) };
		Object.defineProperty(vscode.env, 'clipboard', { configurable: true, value });
	});
	afterEach(() => Object.defineProperty(vscode.env, 'clipboard', { configurable: true, value: clipboard }));
	const copyConfiguration = (answers: Answers) =>
		answerDialogs(answers, () => copyMcpConfiguration({ builtIn: async () => ({ baseUrl: 'http://127.0.0.1:4711', key }) }));

	for (const label of ['Claude Code', 'Codex', 'Gemini CLI', 'Windsurf', 'Cursor', 'VS Code', 'Claude Code: project file']) {
		it(`copies the configuration for ${label} without the key, and says how to set the key`, async () => {
			const shown = await copyConfiguration({ picks: [label] });
			assert.equal(copied.length, 1);
			assert.ok(copied[0]?.includes('http://127.0.0.1:4711/mcp') && !copied[0].includes(key), copied[0]);
			assert.match(
				shown.infos[0] ?? '',
				new RegExp(`^Copied the configuration for ${label}, without the key\\. Paste it into .*key.*port changes`),
			);
		});
	}

	it('copies the key on request, and warns', async () => {
		const shown = await copyConfiguration({ picks: ['Cursor'], button: 'Copy key' });
		assert.equal(copied[1], key);
		assert.match(shown.infos[1] ?? '', /^Copied the key\. Anyone who has it/);
		assert.ok(!shown.infos.join().includes(key));
	});

	it('keeps the current port of the gateway on request', async () => {
		const getPort = () => vscode.workspace.getConfiguration('agentWorkbench').get('gateway.port');
		const setPort = (port: unknown) =>
			vscode.workspace.getConfiguration('agentWorkbench').update('gateway.port', port, vscode.ConfigurationTarget.Global);
		try {
			await copyConfiguration({ picks: ['Cursor'], buttons: ['Keep port 4711'] });
			assert.equal(getPort(), 4711);
			await assert.rejects(copyConfiguration({ picks: ['Cursor'], buttons: ['Keep port 4711'] }), /No button/);
		} finally {
			await setPort(undefined);
		}
	});

	it('copies nothing if the user cancels', async () => {
		await copyConfiguration({ picks: [undefined] });
		assert.deepEqual(copied, []);
	});
});
