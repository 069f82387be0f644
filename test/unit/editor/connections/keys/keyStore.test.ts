import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { KeyStore } from '#editor/connections/keys/keyStore.ts';

describe('a stored key that is damaged', () => {
	// errors of JSON.parse quote the text
	it("isn't quoted in the log", async () => {
		const secret = 'sk-damaged-1234567890';
		const lines: string[] = [];
		const secrets = { get: async () => secret, onDidChange: () => ({ dispose() {} }) } as unknown as vscode.SecretStorage;
		const log = { warn: (line: string) => lines.push(line) } as unknown as vscode.LogOutputChannel;
		const keys = await new KeyStore(secrets, log).get({ id: 'a', baseUrl: 'https://service.example' });
		assert.deepEqual(keys, {});
		assert.ok(!lines.some(line => line.includes('sk-')), lines.join('\n'));
	});
});
