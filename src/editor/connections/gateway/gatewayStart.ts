import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { attachToGateway } from '#client/localGateway/gatewayAttachment.ts';
import { GatewayKey } from '#client/localGateway/gatewayKey.ts';
import { type GatewayOptions, startGateway } from './gatewayProcess.ts';
import { readGatewaySetup } from './gatewaySetup.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';

/** Options for starting a gateway, in addition to the settings. */
interface GatewayStart extends Pick<GatewayOptions, 'program' | 'dataFolder' | 'key' | 'flags' | 'onLog'> {
	readonly upstreamKeys: UpstreamKeys;
}

/** {@link attachToGateway}, which activation doesn't need to load. */
export const attachToStartedGateway: typeof attachToGateway = (...args) => attachToGateway(...args);

/** Returns the key of a data folder's gateway. Rejects with the errors of {@link GatewayKey.get}. */
export function readGatewayKey(dataFolder: string): Promise<string> {
	return new GatewayKey(dataFolder).get();
}

/** Starts a gateway with the current settings and resolves to its base URL. Rejects with the errors of {@link startGateway}. */
export async function startGatewayWithSettings({ upstreamKeys, flags, ...start }: GatewayStart): Promise<string> {
	const setup = readGatewaySetup();
	return startGateway({
		...start,
		config: setup.config,
		flags: [...setup.flags, ...flags],
		upstreamKeys: await upstreamKeys.getStoredKeys(setup.keys),
		proxy: setup.proxy,
	});
}

/** Creates the error for a running gateway that refuses the key of its data folder. */
export function createKeyRefusedProblem(pid: number): Problem {
	return new Problem(
		'key-refused',
		vscode.l10n.t(
			'Another gateway is running for this workspace (process {0}) and refused the key in gateway.key. Restart the gateway to stop that process and its runs.',
			pid,
		),
		{ title: vscode.l10n.t('Restart gateway'), command: 'agentWorkbench.gateway.restart' },
	);
}

/** Creates the error for a running gateway of another version. Never stops it, because its process ID may now belong to another program. */
export function createOtherVersionProblem(pid: number): Problem {
	return new Problem(
		'folder-in-use',
		vscode.l10n.t(
			"A different version of the gateway is running for this workspace (process {0}). It will stop when it's no longer used. Reload the other windows, then try again.",
			pid,
		),
		{ title: vscode.l10n.t('Try again'), command: 'agentWorkbench.gateway.restart' },
	);
}
