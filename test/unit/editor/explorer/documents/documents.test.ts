import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseDocumentUri, toDocumentUri } from '#editor/explorer/documents/documentUri.ts';
import { fetchDocument } from '#editor/explorer/documents/fetchDocument.ts';
import { ConnectionsUnderTest } from '../../../../support/editor/connectionsUnderTest.ts';
import { PlayedService } from '../../../../support/services/playedService.ts';

const target = { kind: 'run', connectionId: 'played', agent: 'my agent/ä', id: 'run-1', full: false } as const;

describe('a document of a service', () => {
	let window: ConnectionsUnderTest;
	let service: PlayedService;
	beforeEach(async () => {
		window = new ConnectionsUnderTest();
		service = new PlayedService();
		await service.start();
		await window.addConnection({ baseUrl: service.url }, 'key');
	});
	afterEach(async () => {
		await window.dispose();
		await service.stop();
	});

	it('can be fetched again from its URI alone', () => {
		const uri = vscode.Uri.parse(toDocumentUri(target).toString());
		assert.deepEqual(parseDocumentUri(uri), target);
		assert.deepEqual(parseDocumentUri(toDocumentUri({ ...target, kind: 'conversation', full: true })), {
			...target,
			kind: 'conversation',
			full: true,
		});
		assert.equal(parseDocumentUri(vscode.Uri.parse('agent-workbench:/elsewhere')), undefined);
	});

	it('formats a run, including JSON in strings', async () => {
		const { text, cut } = await fetchDocument(window.registry, target);
		assert.equal(cut, false);
		assert.deepEqual((JSON.parse(text) as { inputs: unknown }).inputs, { text: 'in' });
	});

	it("is shortened if it's large, and shown in full on demand", async () => {
		service.outputSize = 600_000;
		const short = await fetchDocument(window.registry, target);
		assert.ok(short.cut && short.text.length < 10_000);
		assert.match(short.text, /… \(characters omitted: 598,000\)/);
		const whole = await fetchDocument(window.registry, { ...target, full: true });
		assert.ok(!whole.cut && whole.text.length > 600_000);
	});

	it('shows a conversation of a service without messages', async () => {
		const { text } = await fetchDocument(window.registry, { ...target, kind: 'conversation', id: 'c1' });
		assert.equal((JSON.parse(text) as { conversation: { name: string } }).conversation.name, 'First talk');
	});
});
