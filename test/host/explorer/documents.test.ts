import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toDocumentUri } from '#editor/explorer/documents/documentUri.ts';

describe('a document of a service', () => {
	it('opens in a read-only editor as JSON, with its problem inside if it has one', async () => {
		const uri = toDocumentUri({ kind: 'run', connectionId: 'nowhere', agent: 'my agent/ä', id: 'run-1', full: false });
		const document = await vscode.workspace.openTextDocument(uri);
		assert.equal(document.languageId, 'json');
		assert.deepEqual(JSON.parse(document.getText()), { problem: "Connection 'nowhere' doesn't exist." });
	});
});
