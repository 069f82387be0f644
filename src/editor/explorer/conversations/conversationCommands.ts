import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { CommandRegistrar } from '../../platform/commands.ts';
import type { ConversationChange, ConversationReference } from './conversationTypes.ts';
import { getTargetConversations } from './targetConversations.ts';

/** Imports the actions on first use. */
const loadConversationActions = () => import('./conversationActions.ts');

export interface ConversationParts {
	readonly connections: Connections;
	/** Called when a conversation was renamed or deleted. */
	readonly onChange: (change: ConversationChange) => void;
}

/** Implements the commands `agentWorkbench.conversation.*` of the tree's context menu. */
export class ConversationCommands extends DisposableBase {
	readonly #changed = this.register(new vscode.EventEmitter<ConversationChange>());
	/** Fires when a conversation was renamed or deleted here. */
	readonly onDidChange = this.#changed.event;

	constructor(connections: Connections, commands: CommandRegistrar) {
		super();
		const parts: ConversationParts = { connections, onChange: change => this.#changed.fire(change) };
		this.register(
			commands.register('agentWorkbench.conversation.rename', async (node: ConversationReference) =>
				(await loadConversationActions()).renameConversation(parts, node),
			),
		);
		this.register(
			commands.register('agentWorkbench.conversation.autoName', async (node: ConversationReference) =>
				(await loadConversationActions()).autoNameConversation(parts, node),
			),
		);
		this.register(
			commands.register('agentWorkbench.conversation.delete', async (node?: unknown, selected?: unknown) =>
				(await loadConversationActions()).deleteConversations(parts, getTargetConversations(node, selected)),
			),
		);
		this.register(
			commands.register('agentWorkbench.conversation.copyId', (node: ConversationReference) =>
				vscode.env.clipboard.writeText(node.conversationId),
			),
		);
	}
}
