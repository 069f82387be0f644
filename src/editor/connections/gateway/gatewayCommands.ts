import type * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { runInBackground } from '../../platform/background.ts';
import type { CommandRegistrar } from '../../platform/commands.ts';
import type { BuiltInGateway } from './builtInGateway.ts';
import type { GatewaySettings } from './gatewaySettings.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';

interface GatewayCommandsParts {
	readonly gateway: BuiltInGateway;
	readonly settings: GatewaySettings;
	readonly keys: UpstreamKeys;
	readonly commands: CommandRegistrar;
	readonly log: vscode.LogOutputChannel;
}

const restartCommand = 'agentWorkbench.gateway.restart';

/** Registers the built-in gateway's commands, and offers a restart when a changed setting requires one. */
export class GatewayCommands extends DisposableBase {
	readonly #gateway: BuiltInGateway;
	/** True until the first of several simultaneous changes shows the offer. */
	#loading = false;

	constructor({ gateway, settings, keys, commands, log }: GatewayCommandsParts) {
		super();
		this.#gateway = gateway;
		this.register(commands.register(restartCommand, () => gateway.restartGateway()));
		this.register(commands.register('agentWorkbench.gateway.setAsideStore', () => gateway.startWithNewStore()));
		this.register(
			commands.register('agentWorkbench.gateway.setUpstreamKey', async () => {
				const { setUpstreamKey } = await import('./setUpstreamKey.ts');
				if (await setUpstreamKey(keys)) {
					await this.#offerRestart();
				}
			}),
		);
		this.register(settings.onDidChange(() => runInBackground(this.#offerRestart(), log, 'Restart of the built-in gateway')));
	}

	/** Offers a restart. VS Code replaces an earlier offer, which may be hidden but unanswered. */
	async #offerRestart(): Promise<void> {
		if (this.#gateway.state.kind !== 'ready' || this.#loading) {
			return;
		}
		this.#loading = true;
		const { offerRestart } = await import('./restartOffer.ts');
		this.#loading = false;
		await offerRestart(restartCommand);
	}
}
