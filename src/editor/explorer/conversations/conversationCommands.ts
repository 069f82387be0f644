import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { CommandRegistrar } from '../../platform/commands.ts';
import type { ConversationChange, ConversationReference } from './conversationTypes.ts';
import { deleteConversations } from './deleteConversations.ts';
import { autoNameConversation, renameConversation } from './renameConversation.ts';
import { getTargetConversations } from './targetConversations.ts';

export interface ConversationParts {
	readonly connections: Connections;
	/** Reports a conversation that was renamed or deleted. */
	readonly onChange: (change: ConversationChange) => void;
}

/** The commands `agentWorkbench.conversation.*`, from the tree's context menu. */
export class ConversationCommands extends DisposableBase {
	readonly #changed = this.register(new vscode.EventEmitter<ConversationChange>());
	/** Fires when a conversation was renamed or deleted here. */
	readonly onDidChange = this.#changed.event;

	constructor(connections: Connections, commands: CommandRegistrar) {
		super();
		const parts: ConversationParts = { connections, onChange: change => this.#changed.fire(change) };
		this.register(
			commands.register('agentWorkbench.conversation.rename', (node: ConversationReference) => renameConversation(parts, node)),
		);
		this.register(
			commands.register('agentWorkbench.conversation.autoName', (node: ConversationReference) => autoNameConversation(parts, node)),
		);
		this.register(
			commands.register('agentWorkbench.conversation.delete', (node?: unknown, selected?: unknown) =>
				deleteConversations(parts, getTargetConversations(node, selected)),
			),
		);
		this.register(
			commands.register('agentWorkbench.conversation.copyId', (node: ConversationReference) =>
				vscode.env.clipboard.writeText(node.conversationId),
			),
		);
	}
}
