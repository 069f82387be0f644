import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import type { CommandRegistrar } from '../../platform/commands.ts';
import type { ConnectionEntry } from '../connectionEntries.ts';
import type { ActionParts, ConnectionActions } from './connectionActions.ts';

type ConnectionVerb = CommandId extends infer Id ? (Id extends `agentWorkbench.connection.${infer Verb}` ? Verb : never) : never;

/**
 * Registers the commands `agentWorkbench.connection.*`. They accept a connection's tree node or ID, or let the user choose a connection.
 */
export class ConnectionCommands extends DisposableBase {
	readonly #commands: CommandRegistrar;
	readonly #actions: () => Promise<ConnectionActions>;

	constructor(parts: ActionParts, commands: CommandRegistrar) {
		super();
		this.#commands = commands;
		this.#actions = createLazyLoader(async () => new (await import('./connectionActions.ts')).ConnectionActions(parts));
		this.#register('agentWorkbench.connection.add', actions => actions.add());
		this.#register('agentWorkbench.connection.selectDefault', (actions, argument) => actions.selectDefault(argument));
		this.#register('agentWorkbench.connection.remove', (actions, argument, selected) => actions.remove(argument, selected));
		this.#register('agentWorkbench.agent.removeName', (actions, node) => actions.removeAgent(node));
		this.#register('agentWorkbench.connection.useIn', (actions, argument) => actions.useIn(argument));
		this.#register('agentWorkbench.connection.copyEndpoint', (actions, argument) => actions.copyEndpoint(argument));
		this.#register('agentWorkbench.mcp.copyConfiguration', actions => actions.copyMcpConfiguration());
		this.#registerForConnection('edit', vscode.l10n.t('Select a connection to edit'), (actions, entry) => actions.edit(entry));
		this.#registerForConnection('test', vscode.l10n.t('Select a connection to test'), (actions, entry) => actions.test(entry));
		this.#registerForConnection('setKey', vscode.l10n.t('Select a connection to set the key for'), (actions, entry) =>
			actions.setKey(entry),
		);
		this.#registerForConnection('removeKey', vscode.l10n.t('Select a connection to remove the key from'), (actions, entry) =>
			actions.removeKey(entry),
		);
		this.#registerForConnection('importKey', vscode.l10n.t('Select a connection to import a key for'), (actions, entry) =>
			actions.importKey(entry),
		);
		this.#registerForConnection('addAgents', vscode.l10n.t('Select a connection to add agents to'), (actions, entry) =>
			actions.addAgents(entry),
		);
	}

	/** Asks for the keys of a connection. Resolves to true if any were set. */
	async askForKeys(entry: ConnectionEntry): Promise<boolean> {
		return (await this.#actions()).setKey(entry);
	}

	#register(id: CommandId, run: (actions: ConnectionActions, argument: unknown, selected: unknown) => unknown): void {
		this.register(
			this.#commands.register(id, async (argument?: unknown, selected?: unknown) => run(await this.#actions(), argument, selected)),
		);
	}

	#registerForConnection(
		verb: ConnectionVerb,
		placeHolder: string,
		run: (actions: ConnectionActions, entry: ConnectionEntry) => unknown,
	): void {
		this.#register(`agentWorkbench.connection.${verb}`, async (actions, argument) => {
			const entry = await actions.choose(argument, placeHolder);
			return entry ? run(actions, entry) : undefined;
		});
	}
}
