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

	for (const label of ['Claude Code', 'Cursor', 'VS Code', 'Claude Code: project file']) {
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

	it('copies nothing if the user cancels', async () => {
		await copyConfiguration({ picks: [undefined] });
		assert.deepEqual(copied, []);
	});
});
