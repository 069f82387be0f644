import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { getExtensionManifest, getExtensionUnderTest } from '../../support/editor/extensionUnderTest.ts';
import { getDispatchersAfter } from './dispatchers.ts';
import { recordOutwardCalls } from './outwardCalls.ts';
import { type Rehearsal, rehearseActivation } from './rehearsal.ts';

describe('activation', () => {
	const extension = getExtensionUnderTest();
	let rehearsal: Rehearsal;
	let dispatchersSet: unknown[];
	let outwardCalls: string[];

	before(async () => {
		await extension.activate();
		outwardCalls = await recordOutwardCalls(() => {
			dispatchersSet = getDispatchersAfter(() => {
				rehearsal = rehearseActivation(extension);
			});
		});
	});

	it('loads the main file of the extension under test', () => {
		const isCheckout = fs.realpathSync(extension.extensionPath) === path.resolve(__dirname, '../../../..');
		assert.equal(isCheckout ? 'checkout' : 'package', process.env['AGENT_WORKBENCH_TEST_SUBJECT'] ?? 'checkout');
	});

	it('is triggered by folders with run files, suites, or agent files of either extension', () => {
		const { activationEvents } = extension.packageJSON as { activationEvents: string[] };
		assert.deepEqual(
			activationEvents.filter(event => event.startsWith('workspaceContains:')),
			['workspaceContains:**/*.run.json', 'workspaceContains:**/*.suite.json', 'workspaceContains:agents/*.{yml,yaml}'],
		);
	});

	it('is synchronous', () => {
		assert.equal(rehearsal.returned, undefined);
	});

	it('opens no sockets and starts no processes', () => {
		assert.deepEqual(outwardCalls, []);
	});

	it("doesn't set the process-wide fetch dispatchers", () => {
		assert.deepEqual(dispatchersSet, []);
	});

	it('registers every command of the manifest', async () => {
		const commands = new Set(await vscode.commands.getCommands(true));
		const declared = getExtensionManifest(extension).contributes.commands.map(entry => entry.command);
		assert.deepEqual(
			declared.filter(command => !commands.has(command)),
			[],
		);
	});

	it('registers a provider for every view', () => {
		const views = Object.values(getExtensionManifest(extension).contributes.views).flat();
		assert.deepEqual(rehearsal.providedViews.toSorted(), views.map(view => view.id).toSorted());
	});
});
