import * as vscode from 'vscode';
import type { AgentSummary } from '#contract/agents.ts';
import type { Connection, ConnectionKind } from '../../connections/connectionTypes.ts';
import { joinParts } from '../../platform/runWording.ts';
import { createUntrustedProblem, isWorkspaceTrusted } from '../../platform/trust.ts';
import { escapeMarkdown } from '../../platform/wording.ts';
import type { TreeStores } from '../treeStores.ts';
import { AgentTreeNode } from './agentNode.ts';
import { MessageNode } from './messageNode.ts';
import { ModelNode } from './modelNode.ts';
import { createStarterNodes } from './starterNodes.ts';
import type { TreeNode } from './treeNode.ts';

/** Maximum number of models to show under a service, because some services have hundreds. */
const mostModels = 100;

/**
 * A service and its state. Its children are the service's agents. Until the built-in gateway runs, its children are the agents of the
 * workspace's files; without such files, expanding it starts it.
 */
export class ConnectionNode implements TreeNode {
	readonly id: string;
	readonly parent = undefined;
	readonly connectionId: string;
	protected readonly stores: TreeStores;
	readonly #agents = new Map<string, AgentTreeNode>();

	constructor(connectionId: string, stores: TreeStores) {
		this.id = `connection/${connectionId}`;
		this.connectionId = connectionId;
		this.stores = stores;
	}

	createTreeItem(): vscode.TreeItem {
		const connection = this.getConnection();
		const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
		const isExpanded = connection?.kind === 'built-in' && this.stores.agentFiles.knownAgents.length > 0;
		const item = new vscode.TreeItem(connection?.name ?? this.connectionId, isExpanded ? Expanded : Collapsed);
		const state = this.stores.connections.state(this.connectionId);
		item.contextValue = getConnectionContextValue(connection?.kind);
		item.description = connection ? this.#getDescription(connection) : '';
		item.iconPath = icons[state.kind];
		return item;
	}

	async getChildren(): Promise<readonly TreeNode[]> {
		if (!isWorkspaceTrusted() && this.getConnection()?.kind === 'built-in') {
			return [createUntrustedNode(this)];
		}
		const agents = await this.#listAgents();
		const names = new Set(agents.map(({ name }) => name));
		for (const name of this.#agents.keys()) {
			if (!names.has(name)) {
				this.#agents.delete(name);
			}
		}
		if (agents.length === 0) {
			return [...createNoAgentsNodes(this, this.getConnection()), ...(await this.#loadModels())];
		}
		return agents.map(agent => {
			const node = this.#agents.get(agent.name) ?? new AgentTreeNode(this, agent, this.stores);
			node.summary = agent;
			this.#agents.set(agent.name, node);
			return node;
		});
	}

	async #listAgents(): Promise<readonly AgentSummary[]> {
		const { connections, agentFiles } = this.stores;
		if (this.getConnection()?.kind === 'built-in' && connections.state(this.connectionId).kind === 'idle') {
			const agents = await agentFiles.listAgents();
			if (agents.length > 0) {
				return agents;
			}
		}
		return connections.listAgents(this.connectionId);
	}

	/** Loads the first models of a service that has no agents but models. */
	async #loadModels(): Promise<readonly TreeNode[]> {
		if (this.getConnection()?.kind !== 'openai') {
			return [];
		}
		const models = await this.stores.connections.listMessagesModels(this.connectionId);
		const more = models.length - mostModels;
		return [
			...models.slice(0, mostModels).map(name => new ModelNode(this, name)),
			...(more > 0
				? [new ModelNode(this, vscode.l10n.t({ message: '{0} more', args: [more], comment: ['{0} is a number of items'] }))]
				: []),
		];
	}

	createTooltip(): vscode.MarkdownString | undefined {
		const connection = this.getConnection();
		if (!connection) {
			return undefined;
		}
		const state = this.stores.connections.state(this.connectionId);
		const tooltip = new vscode.MarkdownString(`**${escapeMarkdown(connection.name)}**\n\n`);
		tooltip.appendMarkdown(`${escapeMarkdown(vscode.l10n.t('User: {0}', connection.user))}\n\n`);
		tooltip.appendMarkdown(state.kind === 'failed' ? escapeMarkdown(state.message) : escapeMarkdown(this.#getDescription(connection)));
		return tooltip;
	}

	/** Returns the node of an agent, or `undefined` if the node hasn't been shown yet. */
	findAgentNode(name: string): AgentTreeNode | undefined {
		return this.#agents.get(name);
	}

	/** True if the service is a single agent that is named like the connection, and not by the settings. */
	isSingleAgent(_name: string): boolean {
		return false;
	}

	getAgentNodes(): AgentTreeNode[] {
		return [...this.#agents.values()];
	}

	protected getConnection(): Connection | undefined {
		return this.stores.connections.get(this.connectionId);
	}

	#getDescription(connection: Connection): string {
		const state = this.stores.connections.state(connection.id);
		switch (state.kind) {
			case 'idle':
				return connection.kind === 'built-in'
					? formatAgentCount(this.stores.agentFiles.knownAgents.length) || vscode.l10n.t('starts on first use')
					: formatAddress(connection);
			case 'starting':
				return vscode.l10n.t('starting…');
			case 'failed':
				return connection.kind === 'built-in' ? vscode.l10n.t('not running') : getFailureLabel(state.reason);
			case 'ready': {
				const agents = this.stores.connections.getKnownAgents(connection.id)?.length;
				const running = connection.kind === 'built-in' ? vscode.l10n.t('running') : formatAddress(connection);
				// the end is cut in a narrow side bar
				return joinParts(agents === 0 ? vscode.l10n.t('{0} agents', 0) : formatAgentCount(agents ?? 0), running);
			}
		}
	}
}

/** Returns an empty text for no agents. */
function formatAgentCount(agents: number): string {
	return agents === 0 ? '' : agents === 1 ? vscode.l10n.t('1 agent') : vscode.l10n.t('{0} agents', agents);
}

/** Returns a short label for a failed connection. Doesn't say "unreachable" if the key is missing, because then no request was sent. */
function getFailureLabel(reason: string | undefined): string {
	switch (reason) {
		case 'key-missing':
			return vscode.l10n.t('key missing');
		case 'auth':
			return vscode.l10n.t('key rejected');
		default:
			return vscode.l10n.t('unreachable');
	}
}

/** Returns the context value for menus. Agents can't be added to a service that only has models. */
function getConnectionContextValue(kind: ConnectionKind | undefined): string {
	switch (kind) {
		case 'built-in':
			return 'connection.built-in';
		case 'gateway':
			return 'connection.service.agents';
		default:
			return 'connection.service';
	}
}

function formatAddress({ baseUrl }: Connection): string {
	return baseUrl ? new URL(baseUrl).host : '';
}

const icons = {
	idle: new vscode.ThemeIcon('circle-outline'),
	starting: new vscode.ThemeIcon('loading~spin'),
	ready: new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('testing.iconPassed')),
	failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground')),
};

/** Creates the children of a service without agents. The suggested actions depend on the kind of service. */
function createNoAgentsNodes(parent: TreeNode, connection: Connection | undefined): readonly TreeNode[] {
	switch (connection?.kind) {
		case 'built-in':
			return [new MessageNode(parent, vscode.l10n.t('No agents yet')), ...createStarterNodes(parent)];
		case 'gateway':
		case 'dify':
			return [
				new MessageNode(parent, vscode.l10n.t('This service lists no agents'), {
					title: vscode.l10n.t('Add agents…'),
					command: 'agentWorkbench.connection.addAgents',
					arguments: [connection.id],
				}),
			];
		default:
			return [
				new MessageNode(parent, vscode.l10n.t('Models only, no agents'), {
					title: vscode.l10n.t('Open chat'),
					command: 'agentWorkbench.chat.focus',
				}),
			];
	}
}

function createUntrustedNode(parent: TreeNode): TreeNode {
	const { message, remedy } = createUntrustedProblem();
	return new MessageNode(parent, vscode.l10n.t('Workspace not trusted'), remedy, message);
}
