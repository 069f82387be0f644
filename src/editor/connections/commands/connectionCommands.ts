import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { loadedOnce } from '#base/timing/loadedOnce.ts';
import type { CommandRegistrar } from '../../platform/commands.ts';
import type { ConnectionEntry } from '../connectionEntries.ts';
import type { ActionParts, ConnectionActions } from './connectionActions.ts';

type ConnectionVerb = CommandId extends infer Id ? (Id extends `agentWorkbench.connection.${infer Verb}` ? Verb : never) : never;

/** All commands `agentWorkbench.connection.*`. Each takes a connection's node or ID; from the palette it asks. */
export class ConnectionCommands extends DisposableBase {
	readonly #commands: CommandRegistrar;
	readonly #actions: () => Promise<ConnectionActions>;

	constructor(parts: ActionParts, commands: CommandRegistrar) {
		super();
		this.#commands = commands;
		this.#actions = loadedOnce(async () => new (await import('./connectionActions.ts')).ConnectionActions(parts));
		this.#command('agentWorkbench.connection.add', actions => actions.add());
		this.#command('agentWorkbench.connection.selectDefault', (actions, argument) => actions.selectDefault(argument));
		this.#command('agentWorkbench.connection.remove', (actions, argument, selected) => actions.remove(argument, selected));
		this.#command('agentWorkbench.agent.removeName', (actions, node) => actions.removeAgent(node));
		this.#command('agentWorkbench.connection.useIn', (actions, argument) => actions.useIn(argument));
		this.#command('agentWorkbench.connection.copyEndpoint', (actions, argument) => actions.copyEndpoint(argument));
		this.#command('agentWorkbench.mcp.copyConfiguration', actions => actions.copyMcpConfiguration());
		this.#about('edit', vscode.l10n.t('Connection to edit'), (actions, entry) => actions.edit(entry));
		this.#about('test', vscode.l10n.t('Connection to test'), (actions, entry) => actions.test(entry));
		this.#about('setKey', vscode.l10n.t('Connection to set the key of'), (actions, entry) => actions.setKey(entry));
		this.#about('removeKey', vscode.l10n.t('Connection to remove the key of'), (actions, entry) => actions.removeKey(entry));
		this.#about('importKey', vscode.l10n.t('Connection to import a key for'), (actions, entry) => actions.importKey(entry));
		this.#about('addAgents', vscode.l10n.t('Connection to add agents to'), (actions, entry) => actions.addAgents(entry));
	}

	/** Asks for the keys of a connection; resolves to whether some were set. */
	async askForKeys(entry: ConnectionEntry): Promise<boolean> {
		return (await this.#actions()).setKey(entry);
	}

	#command(id: CommandId, run: (actions: ConnectionActions, argument: unknown, selected: unknown) => unknown): void {
		this.own(this.#commands.register(id, async (argument?: unknown, selected?: unknown) => run(await this.#actions(), argument, selected)));
	}

	#about(verb: ConnectionVerb, placeHolder: string, run: (actions: ConnectionActions, entry: ConnectionEntry) => unknown): void {
		this.#command(`agentWorkbench.connection.${verb}`, async (actions, argument) => {
			const entry = await actions.choose(argument, placeHolder);
			return entry ? run(actions, entry) : undefined;
		});
	}
}
