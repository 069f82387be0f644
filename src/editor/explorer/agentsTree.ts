import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage } from '#base/problems.ts';
import type { Conversation } from '#contract/conversations.ts';
import type { Connection, ConnectionKind } from '../connections/connectionTypes.ts';
import { runInBackground } from '../platform/background.ts';
import { markMilestone } from '../platform/milestones.ts';
import { isWorkspaceTrusted } from '../platform/trust.ts';
import type { ConversationReference } from './conversations/conversationTypes.ts';
import { DifyAppNode } from './dify/difyAppNode.ts';
import { DifyConnectionNode } from './dify/difyConnectionNode.ts';
import { KeyedAppNode } from './dify/keyedAppNode.ts';
import type { RunLog } from './lists/runLog.ts';
import type { AgentTreeNode } from './nodes/agentNode.ts';
import { ConnectionNode } from './nodes/connectionNode.ts';
import { FaultyConnectionNode } from './nodes/faultyConnectionNode.ts';
import { ProblemNode } from './nodes/problemNode.ts';
import { createStarterNodes } from './nodes/starterNodes.ts';
import type { TreeNode } from './nodes/treeNode.ts';
import { TreeChanges } from './treeChanges.ts';
import type { TreeStores } from './treeStores.ts';

/** Data provider of the *Agents* tree. Renders the state of the stores, and refreshes only nodes that changed. */
export class AgentsTree extends DisposableBase implements vscode.TreeDataProvider<TreeNode> {
	readonly #stores: TreeStores;
	readonly #log: vscode.LogOutputChannel;
	readonly #onDidChangeTreeData = this.register(new vscode.EventEmitter<TreeNode[] | undefined>());
	readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;
	readonly #connections = new Map<string, ConnectionNode>();
	readonly #changes = this.register(new TreeChanges<TreeNode>(nodes => this.#onDidChangeTreeData.fire(nodes)));

	constructor(stores: TreeStores, log: vscode.LogOutputChannel) {
		super();
		this.#stores = stores;
		this.#log = log;
		this.register(stores.connections.onDidChange(id => (id === undefined ? this.refreshTree() : this.#refreshConnection(id))));
		this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.refreshTree()));
		this.register(stores.agentFiles.onDidChange(() => this.#isGatewayIdle() && this.refreshTree()));
		// the starter nodes and the agents of files disappear once the gateway starts, because it then lists its agents
		let isIdle = this.#isGatewayIdle();
		this.register(
			stores.connections.onDidChange(() => {
				if (isIdle && !this.#isGatewayIdle()) {
					isIdle = false;
					this.refreshTree();
				}
			}),
		);
		this.register(
			stores.connections.onDidChangeAgents(id => {
				if (isBuiltInGateway(stores.connections.get(id)) && stores.connections.getKnownAgents(id)?.length) {
					markMilestone('hasAgent');
				}
			}),
		);
		this.register(stores.connections.onDidChangeAgents(id => this.#refreshConnection(id)));
		this.register(stores.dify.onDidChange(id => this.refreshNodes(...(this.#getDifyNode(id)?.onDeploymentChange() ?? []))));
		this.register(stores.runFiles.onDidChange(() => this.refreshNodes(...this.#getAgentNodes().map(agent => agent.inputs))));
		this.register(
			stores.runs.onDidChange(run => {
				const agent = this.findAgentNode(run.connectionId, run.agent);
				this.refreshNodes(...(agent?.onRunChange(run) ?? []));
			}),
		);
	}

	getTreeItem(node: TreeNode): vscode.TreeItem {
		const item = node.createTreeItem();
		item.id = node.id;
		return item;
	}

	getParent(node: TreeNode): TreeNode | undefined {
		return node.parent;
	}

	getChildren(node?: TreeNode): Promise<TreeNode[]> {
		return this.#changes.loadChildren(node, () => (node ? this.#loadChildren(node) : this.#loadRoots()));
	}

	resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
		const tooltip = node.createTooltip?.();
		if (tooltip) {
			item.tooltip = tooltip;
		}
		return item;
	}

	/** Like {@link resolveTreeItem}, and also adds the node's image, if it has one. */
	async resolveTreeItemWithImage(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
		const { tooltip } = this.resolveTreeItem(item, node);
		const image = await node.loadTooltipImage?.();
		if (image !== undefined && typeof tooltip === 'object') {
			tooltip.appendMarkdown(image);
		}
		return item;
	}

	/** Schedules nodes and their expanded descendants for rendering, together with other changes that follow shortly. */
	refreshNodes(...nodes: readonly TreeNode[]): void {
		this.#changes.add(...nodes);
	}

	refreshTree(): void {
		this.#changes.add(undefined);
	}

	/** Resolves once the view has been notified of a node's change. After that, revealing the node waits until its parent is rendered. */
	waitForRefresh(node: TreeNode): Promise<void> {
		return this.#changes.waitForReport(node);
	}

	/** Returns the node of an agent, or `undefined` if the node hasn't been shown yet. */
	findAgentNode(connectionId: string, name: string): AgentTreeNode | undefined {
		const node = this.#connections.get(connectionId)?.findAgentNode(name);
		return node ?? this.#getAgentNodes().find(agent => agent.connectionId === connectionId && agent.agentName === name);
	}

	/** Calls `show` with the node of an agent file that was just created, once the tree has it. */
	async loadNewAgent(name: string, show: (node: AgentTreeNode) => unknown): Promise<void> {
		const gateway = [...this.#connections.values()].find(({ connectionId }) =>
			isBuiltInGateway(this.#stores.connections.get(connectionId)),
		);
		await gateway?.getChildren();
		const node = gateway?.findAgentNode(name);
		if (node) {
			await this.waitForRefresh(node.parent);
			await show(node);
		}
	}

	/** Calls `show` with the node of a connection that was just added, once the tree has it. */
	async loadNewConnection(id: string, show: (node: ConnectionNode) => unknown): Promise<void> {
		await this.#loadRoots();
		const node = this.#connections.get(id);
		if (node) {
			await this.waitForRefresh(node);
			await show(node);
		}
	}

	/** Returns the logs that have a running entry. */
	getActiveLogs(): RunLog[] {
		return this.#getAgentNodes()
			.map(agent => agent.logs.log)
			.filter(log => log.active);
	}

	/** Discards the loaded logs, conversations and apps of these connections, so that they are loaded again. */
	resetPages(connectionIds: readonly string[]): void {
		for (const agent of this.#getAgentNodes().filter(each => connectionIds.includes(each.connectionId))) {
			agent.logs.rows.dropRows();
			agent.conversations.rows.dropRows();
		}
		for (const id of connectionIds) {
			this.#getDifyNode(id)?.rows.dropRows();
		}
	}

	/** Handles a new selection. If a single app is selected, checks its state in Dify. */
	onSelection(nodes: readonly TreeNode[]): void {
		const [node] = nodes;
		if (nodes.length === 1 && (node instanceof DifyAppNode || node instanceof KeyedAppNode)) {
			this.#getDifyNode(node.of.connectionId)?.checkApp(node.of);
		}
	}

	/** Handles a renamed conversation, or a deleted one if `conversation` is undefined. */
	onConversationChange(of: ConversationReference, conversation: Conversation | undefined): void {
		this.findAgentNode(of.connectionId, of.agentName)?.conversations.list.replaceConversation(of.conversationId, conversation);
	}

	/** Updates the times of all or only active runs. */
	refreshTimes(all: boolean): void {
		this.refreshNodes(...this.#getAgentNodes().flatMap(agent => agent.runs.getRunNodes(all)));
	}

	async #loadChildren(node: TreeNode): Promise<TreeNode[]> {
		try {
			return dropDuplicates((await node.getChildren?.()) ?? []);
		} catch (error) {
			this.#log.warn(`${node.id}: ${getErrorMessage(error)}`);
			return [new ProblemNode(node, error)];
		}
	}

	async #loadRoots(): Promise<TreeNode[]> {
		const all = this.#stores.connections.list();
		// an app with its own key is shown under its deployment
		const connections = all.filter(({ deployment }) => !all.some(({ id, kind }) => id === deployment && kind === 'dify'));
		for (const [id, node] of this.#connections) {
			const connection = connections.find(each => each.id === id);
			if (!connection || (connection.kind === 'dify') !== node instanceof DifyConnectionNode) {
				this.#connections.delete(id);
			}
		}
		if (connections.some(({ kind }) => kind === 'dify')) {
			// the sign-in state comes from the keyring, without a request
			runInBackground(this.#stores.dify.load(), this.#log, 'Load Dify connections');
		}
		// a window without a folder has no agent files, so the tree stays empty and shows the welcome view
		const faulty = this.#stores.connections.listInvalid();
		if (!vscode.workspace.workspaceFolders?.length && connections.length === 1 && faulty.length === 0) {
			return [];
		}
		const nodes = connections.map(({ id, kind }) => {
			const node = this.#connections.get(id) ?? this.#createConnectionNode(id, kind);
			this.#connections.set(id, node);
			return node;
		});
		const files = await this.#stores.agentFiles.listAgents();
		return [
			...(files.length === 0 && this.#needsStarterNodes(connections.length + faulty.length) ? createStarterNodes() : []),
			...nodes,
			...faulty.map(each => new FaultyConnectionNode(each)),
		];
	}

	/** True if the built-in gateway is the only root and hasn't started. */
	#needsStarterNodes(roots: number): boolean {
		return roots === 1 && isWorkspaceTrusted() && this.#isGatewayIdle();
	}

	#isGatewayIdle(): boolean {
		const { connections } = this.#stores;
		return connections.list().some(connection => isBuiltInGateway(connection) && connections.state(connection.id).kind === 'idle');
	}

	#createConnectionNode(id: string, kind: ConnectionKind): ConnectionNode {
		return new (kind === 'dify' ? DifyConnectionNode : ConnectionNode)(id, this.#stores);
	}

	#getDifyNode(id: string): DifyConnectionNode | undefined {
		const node = this.#connections.get(id);
		return node instanceof DifyConnectionNode ? node : undefined;
	}

	#refreshConnection(id: string): void {
		// an app with its own key has no connection node, so use the app's node
		const node = this.#connections.get(id) ?? this.#getAgentNodes().find(agent => agent.connectionId === id);
		if (node) {
			this.refreshNodes(node);
		}
	}

	#getAgentNodes() {
		return [...this.#connections.values()].flatMap(connection => connection.getAgentNodes());
	}
}

/** Drops nodes with the ID of an earlier one, because VS Code would show none of the nodes. Services may list something twice. */
function dropDuplicates(nodes: readonly TreeNode[]): TreeNode[] {
	const ids = new Set<string>();
	return nodes.filter(({ id }) => !ids.has(id) && ids.add(id));
}

function isBuiltInGateway(connection: Connection | undefined): boolean {
	return connection?.kind === 'built-in';
}
