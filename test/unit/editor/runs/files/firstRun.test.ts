import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { RunFileCommands } from '#editor/runs/files/runFileCommands.ts';

describe('running a run file', () => {
	for (const [what, published, messages] of [
		['says that the run has published its agent', [false, true], ["Published 'a' with its first run."]],
		['shows no message about publishing if the agent was already published', [true, true], []],
		['shows no message about publishing if the run failed before that', [false, false], []],
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
						readRunFile: async () => ({ request: { model: 'a', inputs: {} }, secrets: new Map(), faults: [] }),
					},
					targets: { chooseTrigger: async () => undefined },
					diagnostics: { showFaults() {} },
					recordings: { openRecording: async () => undefined, closeOnError: (_: unknown, run: () => unknown) => run() },
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
