import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { BuiltInGateway } from '#editor/connections/gateway/builtInGateway.ts';
import { GatewayCommands } from '#editor/connections/gateway/gatewayCommands.ts';
import { GatewaySettings } from '#editor/connections/gateway/gatewaySettings.ts';
import type { UpstreamKeys } from '#editor/connections/gateway/upstreamKeys.ts';
import type { CommandRegistrar } from '#editor/platform/commands.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';
import { recordCommands } from '../../../../support/editor/recordedCommands.ts';

const readJson = (name: string) => JSON.parse(fs.readFileSync(new URL(`../../../../../${name}`, import.meta.url), 'utf8'));

function createCommands(state: 'ready' | 'idle', settings: GatewaySettings): GatewayCommands {
	const commands = { register: () => ({ dispose() {} }) } as unknown as CommandRegistrar;
	const gateway = { state: { kind: state } } as BuiltInGateway;
	const log = vscode.window.createOutputChannel('test', { log: true });
	return new GatewayCommands({ gateway, settings, keys: {} as UpstreamKeys, commands, log });
}

/** Waits until the offer's module, which loads on first use, has shown the offer. */
async function waitForOffer(): Promise<void> {
	await import('#editor/connections/gateway/restartOffer.ts');
	await new Promise(resolve => setImmediate(resolve));
}

/** Changes a setting twice with a gateway in this state. Returns the notifications and the executed commands. */
async function changeSetting(state: 'ready' | 'idle', name: string, value: unknown, button?: string) {
	const settings = new GatewaySettings();
	const offer = createCommands(state, settings);
	const updateSetting = (to: unknown) =>
		vscode.workspace.getConfiguration('agentWorkbench').update(name, to, vscode.ConfigurationTarget.Global);
	let shown: readonly string[] = [];
	const executed = await recordCommands(async () => {
		const { infos } = await answerDialogs(button === undefined ? {} : { button }, async () => {
			await Promise.all([updateSetting(value), updateSetting(value)]);
			await waitForOffer();
		});
		shown = infos;
	});
	offer.dispose();
	settings.dispose();
	await updateSetting(undefined);
	return { shown, executed: executed.map(([id]) => id) };
}

describe('the offer to restart the built-in gateway', () => {
	it('is one notification for several changes, and its button restarts the gateway', async () => {
		const { shown, executed } = await changeSetting('ready', 'gateway.maxSteps', 20, 'Restart gateway');
		assert.deepEqual(shown, ['Restart the built-in gateway to apply the changed settings? Active runs will be stopped.']);
		assert.deepEqual(executed, ['agentWorkbench.gateway.restart']);
	});

	it('is shown again after another change, because the first one hides after a while without being answered', async () => {
		const settings = new GatewaySettings();
		const show = vscode.window.showInformationMessage;
		const shown: string[] = [];
		Object.assign(vscode.window, {
			showInformationMessage: (message: string) => {
				shown.push(message);
				return new Promise(() => {});
			},
		});
		const offer = createCommands('ready', settings);
		try {
			for (const steps of [20, 30, undefined]) {
				await vscode.workspace.getConfiguration('agentWorkbench').update('gateway.maxSteps', steps, vscode.ConfigurationTarget.Global);
				await waitForOffer();
			}
		} finally {
			Object.assign(vscode.window, { showInformationMessage: show });
			offer.dispose();
			settings.dispose();
		}
		assert.equal(shown.length, 3);
	});

	it('does not restart the gateway when it is dismissed', async () => {
		const { shown, executed } = await changeSetting('ready', 'gateway.port', 8321);
		assert.equal(shown.length, 1);
		assert.deepEqual(executed, []);
	});

	it('is not shown while the gateway does not run', async () => {
		assert.deepEqual((await changeSetting('idle', 'gateway.maxSteps', 20)).shown, []);
	});

	it('is not shown for a setting that takes effect immediately', async () => {
		assert.deepEqual((await changeSetting('ready', 'gateway.agentFolders', ['agents', 'more'])).shown, []);
	});

	it("isn't mentioned in the description of any setting", () => {
		const descriptions = Object.entries(readJson('package.nls.json') as Record<string, string>).filter(([key]) =>
			key.startsWith('config.'),
		);
		assert.deepEqual(
			descriptions.filter(([, text]) => /restart/i.test(text)),
			[],
		);
	});
});
