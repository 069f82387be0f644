import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TextFault } from '#base/text/textFaults.ts';
import { RunFileFixes } from '#editor/runs/files/editing/runFileFixes.ts';

describe('quick fixes of a run file', () => {
	const listFixes = async (count: number) => {
		const names = Array.from({ length: count }, (_, at) => `input_${at}`);
		const text = JSON.stringify({ model: 'a', inputs: Object.fromEntries(names.map(name => [name, ''])) });
		const faults = names.map(
			(name): TextFault => ({ code: 'unknown-input', severity: 'warning', message: '', path: ['inputs', name], offset: 0, length: 1 }),
		);
		const files = {
			checkRunFile: async () => faults,
			getConnection: () => ({}),
			getKnownAgents: async () => [],
			parseRunFile: () => ({ agent: 'a' }),
		};
		const document = {
			uri: vscode.Uri.file('/a.run.json'),
			getText: () => text,
			positionAt: (offset: number) => new vscode.Position(0, offset),
		};
		const everything = { intersection: () => ({}) };
		return new RunFileFixes(files as never).provideCodeActions(document as never, everything as never, { diagnostics: [] } as never);
	};

	it('are offered for each problem of a selection', async () => {
		assert.equal((await listFixes(30)).length, 30);
	});

	// VS Code asks for the fixes of everything when everything is selected, and each one parses the text
	it('are limited if everything is selected and has thousands of problems', async () => {
		assert.ok((await listFixes(3000)).length < 20);
	});
});
