import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { CommandRegistrar } from '../../platform/commands.ts';
import type { ConversationChange, ConversationReference } from './conversationTypes.ts';
import { deleteConversations } from './deleteConversations.ts';
import { meantConversations } from './meantConversations.ts';
import { autoNameConversation, renameConversation } from './renameConversation.ts';

/** What the commands about conversations work on. */
export interface ConversationParts {
	readonly connections: Connections;
	/** Tells whoever shows conversations that one has changed or is gone. */
	readonly changed: (change: ConversationChange) => void;
}

/** The commands `agentWorkbench.conversation.*`, from the tree's context menu. */
export class ConversationCommands extends DisposableBase {
	readonly #changed = this.own(new vscode.EventEmitter<ConversationChange>());
	/** A conversation was renamed or deleted here. */
	readonly onDidChange = this.#changed.event;

	constructor(connections: Connections, commands: CommandRegistrar) {
		super();
		const parts: ConversationParts = { connections, changed: change => this.#changed.fire(change) };
		this.own(commands.register('agentWorkbench.conversation.rename', (node: ConversationReference) => renameConversation(parts, node)));
		this.own(commands.register('agentWorkbench.conversation.autoName', (node: ConversationReference) => autoNameConversation(parts, node)));
		this.own(
			commands.register('agentWorkbench.conversation.delete', (node?: unknown, selected?: unknown) =>
				deleteConversations(parts, meantConversations(node, selected)),
			),
		);
		this.own(
			commands.register('agentWorkbench.conversation.copyId', (node: ConversationReference) =>
				vscode.env.clipboard.writeText(node.conversationId),
			),
		);
	}
}
