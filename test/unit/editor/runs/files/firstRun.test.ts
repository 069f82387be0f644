import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { RunFileCommands } from '#editor/runs/files/runFileCommands.ts';

describe('the run of a run file', () => {
	for (const [what, published, messages] of [
		['that publishes its agent says so', [false, true], ["Published 'a' with its first run."]],
		['of a published agent says nothing of that', [true, true], []],
		['that failed before its agent was published says nothing of that', [false, false], []],
	] as const) {
		it(what, async () => {
			const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-first-'));
			const { setStatusBarMessage } = vscode.window;
			const shown: string[] = [];
			Object.assign(vscode.window, { setStatusBarMessage: (message: string) => void shown.push(message) });
			try {
				const file = path.join(folder, 'a.run.json');
				fs.writeFileSync(file, '{ "model": "a" }');
				let [state] = published;
				const commands = new RunFileCommands({
					files: {
						getConnection: () => ({ id: 'built-in', kind: 'built-in' }),
						loadAgents: async () => [{ name: 'a', published: state }],
						read: async () => ({ request: { model: 'a', inputs: {} }, secrets: new Map(), faults: [] }),
					},
					targets: { chooseTrigger: async () => undefined },
					diagnostics: { show() {} },
					presenter: {
						run: async () => {
							[, state] = published;
							return {};
						},
					},
				} as never);
				await commands.handlers['agentWorkbench.workflow.runFile']!(vscode.Uri.file(file));
				assert.deepEqual(shown, messages);
			} finally {
				Object.assign(vscode.window, { setStatusBarMessage });
				fs.rmSync(folder, { recursive: true });
			}
		});
	}
});
