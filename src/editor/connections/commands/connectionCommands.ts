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
		this.#registerCommand('agentWorkbench.connection.add', actions => actions.add());
		this.#registerCommand('agentWorkbench.connection.selectDefault', (actions, argument) => actions.selectDefault(argument));
		this.#registerCommand('agentWorkbench.connection.remove', (actions, argument, selected) =>
			actions.removeConnections(argument, selected),
		);
		this.#registerCommand('agentWorkbench.agent.removeName', (actions, node) => actions.removeAgent(node));
		this.#registerCommand('agentWorkbench.connection.useIn', (actions, argument) => actions.useConnectionIn(argument));
		this.#registerCommand('agentWorkbench.connection.copyEndpoint', (actions, argument) => actions.copyEndpoint(argument));
		this.#registerCommand('agentWorkbench.mcp.copyConfiguration', actions => actions.copyMcpConfiguration());
		this.#registerConnectionCommand('edit', vscode.l10n.t('Select a connection to edit'), (actions, entry) =>
			actions.editConnection(entry),
		);
		this.#registerConnectionCommand('test', vscode.l10n.t('Select a connection to test'), (actions, entry) =>
			actions.testConnection(entry),
		);
		this.#registerConnectionCommand('setKey', vscode.l10n.t('Select a connection to set the key for'), (actions, entry) =>
			actions.setKey(entry),
		);
		this.#registerConnectionCommand('removeKey', vscode.l10n.t('Select a connection to remove the key from'), (actions, entry) =>
			actions.removeKey(entry),
		);
		this.#registerConnectionCommand('importKey', vscode.l10n.t('Select a connection to import a key for'), (actions, entry) =>
			actions.importKey(entry),
		);
		this.#registerConnectionCommand('addAgents', vscode.l10n.t('Select a connection to add agents to'), (actions, entry) =>
			actions.addAgents(entry),
		);
	}

	/** Asks for the keys of a connection. Resolves to true if any were set. */
	async askForKeys(entry: ConnectionEntry): Promise<boolean> {
		return (await this.#actions()).setKey(entry);
	}

	#registerCommand(id: CommandId, run: (actions: ConnectionActions, argument: unknown, selected: unknown) => unknown): void {
		this.register(
			this.#commands.register(id, async (argument?: unknown, selected?: unknown) => run(await this.#actions(), argument, selected)),
		);
	}

	#registerConnectionCommand(
		verb: ConnectionVerb,
		placeHolder: string,
		run: (actions: ConnectionActions, entry: ConnectionEntry) => unknown,
	): void {
		this.#registerCommand(`agentWorkbench.connection.${verb}`, async (actions, argument) => {
			const entry = await actions.chooseEntry(argument, placeHolder);
			return entry ? run(actions, entry) : undefined;
		});
	}
}
