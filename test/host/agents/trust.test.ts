import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { runInUntrustedWorkspace } from '../../support/editor/untrusted.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { GatewayProcess } from '../support/gatewayProcess.ts';

const agent = `app: {name: planted, mode: workflow}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: []}}
      - {id: end, data: {type: end, title: End, outputs: []}}
    edges:
      - {source: start, target: end}
`;

describe('an agent file in an untrusted workspace', () => {
	let folder: string;
	let gateway: GatewayProcess;
	let window: WindowUnderTest;
	let document: vscode.TextDocument;
	before(async () => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-trust-'));
		gateway = await GatewayProcess.start(path.join(folder, 'data'), folder);
		window = new WindowUnderTest(gateway);
		document = await window.openDocument('agents/planted.yml', agent);
	});
	after(async () => {
		await window.dispose();
		await gateway.stop();
		fs.rmSync(folder, { recursive: true });
	});

	for (const verb of ['runDraft', 'publish'] as const) {
		it(`is refused by ${verb}, and nothing is sent`, async () => {
			await runInUntrustedWorkspace(() =>
				assert.rejects(async () => window.executeCommand(`agentWorkbench.agentFile.${verb}`, document.uri), {
					reason: 'untrusted',
					message: 'Agent files can only be used in a trusted workspace.',
				}),
			);
			assert.deepEqual(window.records.list(), []);
		});
	}

	it('has one code lens, which manages trust, instead of those to run and publish it', async () => {
		const getLensTitles = async () => (await window.agents.lenses.provideCodeLenses(document)).map(({ command }) => command?.command);
		assert.deepEqual(await runInUntrustedWorkspace(getLensTitles), ['workbench.trust.manage']);
		assert.ok((await getLensTitles()).includes('agentWorkbench.agentFile.runDraft'));
	});
});
