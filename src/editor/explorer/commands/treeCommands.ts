import * as vscode from 'vscode';
import type { CommandId, ExplorerCommand } from '#base/commandIds.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import { createAgent } from '../../agents/files/createAgent.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { DifyFeature } from '../../dify/difyTypes.ts';
import type { RunFileIndex } from '../../runs/files/runFileIndex.ts';
import type { AgentsTree } from '../agentsTree.ts';
import type { ConversationReference } from '../conversations/conversationTypes.ts';
import type { DifyConnectionNode } from '../dify/difyConnectionNode.ts';
import type { DocumentTarget } from '../documents/documentUri.ts';
import type { ServiceDocuments } from '../documents/serviceDocuments.ts';
import type { AgentTreeNode } from '../nodes/agentNode.ts';
import { ConnectionNode } from '../nodes/connectionNode.ts';
import type { ConversationsNode } from '../nodes/conversationsNode.ts';
import type { PagedNode } from '../nodes/loadMoreNode.ts';
import type { LogsNode } from '../nodes/logsNode.ts';
import type { RunFileNode } from '../nodes/runFileNode.ts';
import type { RunsNode } from '../nodes/runsNode.ts';
import type { TreeNode } from '../nodes/treeNode.ts';
import { chooseSort } from './chooseSort.ts';
import { deleteFiles, type FileNode, renameFile } from './fileCommands.ts';
import { filterApps } from './filterApps.ts';
import { filterLogs } from './filterLogs.ts';
import { filterRuns } from './filterRuns.ts';
import { deleteNodes, getTargetNodes, renameNode, runNodes, runSelectedRunFiles } from './nodeCommands.ts';
import { openSamples } from './openSamples.ts';

interface TreeCommandParts {
	readonly extensionPath: string;
	readonly memory: vscode.Memento;
	readonly connections: Connections;
	readonly runFiles: RunFileIndex;
	readonly dify: DifyFeature;
	readonly tree: AgentsTree;
	readonly view: vscode.TreeView<TreeNode>;
	readonly documents: ServiceDocuments;
}

/** Implements the commands of the tree. Handlers get the node that they were called for, and the selection. */
export class TreeCommands {
	readonly #parts: TreeCommandParts;
	readonly #handlers: Record<ExplorerCommand, (node: never, selected: never) => unknown> = {
		'agentWorkbench.tree.refresh': (node?: TreeNode) => this.#refreshNode(node),
		'agentWorkbench.tree.loadMore': (node: PagedNode) => this.#loadMoreRows(node),
		'agentWorkbench.tree.backToTop': (node: PagedNode) => node.rows.dropRows(),
		'agentWorkbench.tree.run': () => runNodes(this.#parts.view),
		'agentWorkbench.tree.rename': () => renameNode(this.#parts.view),
		'agentWorkbench.tree.delete': () => deleteNodes(this.#parts.view),
		'agentWorkbench.file.reveal': (node: FileNode) => vscode.commands.executeCommand('revealInExplorer', node.uri),
		'agentWorkbench.file.rename': (node: FileNode) => renameFile(node, this.#parts.runFiles),
		'agentWorkbench.file.delete': (node: FileNode, selected?: readonly TreeNode[]) => deleteFiles(getTargetNodes(node, selected)),
		'agentWorkbench.agent.openFile': ({ summary }: AgentTreeNode) =>
			summary.file && vscode.window.showTextDocument(vscode.Uri.file(summary.file)),
		'agentWorkbench.input.create': (node: AgentTreeNode | { readonly parent: AgentTreeNode }) =>
			vscode.commands.executeCommand('agentWorkbench.runFile.create', 'summary' in node ? node.summary : node.parent.summary),
		'agentWorkbench.agent.create': () => this.#createAgent(),
		'agentWorkbench.agent.runDraft': (node: AgentTreeNode) => executeFileCommand('runDraft', node),
		'agentWorkbench.agent.publish': (node: AgentTreeNode) => executeFileCommand('publish', node),
		'agentWorkbench.agent.unpublish': (node: AgentTreeNode) => this.#unpublishAgent(node),
		'agentWorkbench.input.run': (node: RunFileNode, selected?: readonly TreeNode[]) => runSelectedRunFiles(getTargetNodes(node, selected)),
		'agentWorkbench.runs.filter': (node: RunsNode) => filterRuns(node),
		'agentWorkbench.runs.clearFilter': (node: RunsNode) => node.setFilter(''),
		'agentWorkbench.logs.filter': (node: LogsNode) => filterLogs(node.log),
		'agentWorkbench.logs.clearFilter': (node: LogsNode) => node.log.setFilter({}),
		'agentWorkbench.log.open': (of: ServiceRunReference) => this.#parts.documents.openDocument(createDocumentTarget('run', of, of.runId)),
		'agentWorkbench.log.copyRunId': ({ runId }: ServiceRunReference) => vscode.env.clipboard.writeText(runId),
		'agentWorkbench.apps.filter': (node: DifyConnectionNode) => filterApps(node),
		'agentWorkbench.apps.clearFilter': (node: DifyConnectionNode) => node.setFilter(''),
		'agentWorkbench.conversations.sort': (node: ConversationsNode) => chooseSort(node.list),
		'agentWorkbench.conversation.open': (node: ConversationReference) =>
			this.#parts.documents.openDocument(createDocumentTarget('conversation', node, node.conversationId)),
		'agentWorkbench.walkthrough.open': () =>
			vscode.commands.executeCommand('workbench.action.openWalkthrough', 'agent-workbench.agent-workbench#getStarted', false),
		'agentWorkbench.samples.open': () => openSamples(this.#parts.extensionPath, this.#parts.memory),
		'agentWorkbench.document.open': (wanted: DocumentTarget) => this.#parts.documents.openDocument(wanted),
	};

	constructor(parts: TreeCommandParts) {
		this.#parts = parts;
	}

	executeCommand(id: ExplorerCommand, args: readonly unknown[]): unknown {
		return this.#handlers[id](args[0] as never, args[1] as never);
	}

	async #createAgent(): Promise<void> {
		const { extensionPath, tree, view } = this.#parts;
		const name = await createAgent(extensionPath);
		if (name !== undefined) {
			await tree.loadNewAgent(name, node => view.visible && view.reveal(node, { select: true, focus: false }));
		}
	}

	/** Unpublishes an agent (built-in gateway only). */
	async #unpublishAgent({ connectionId, agentName }: AgentTreeNode): Promise<void> {
		const { connections } = this.#parts;
		const unpublish = vscode.l10n.t('Unpublish');
		const question = vscode.l10n.t("Unpublish '{0}'?", agentName);
		const detail = vscode.l10n.t("Callers won't be able to run the agent until you publish it again. Its file and runs won't be deleted.");
		if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, unpublish)) !== unpublish) {
			return;
		}
		try {
			await (await connections.getClient(connectionId)).unpublishAgent(agentName);
		} catch (error) {
			throw connections.toProblem(connectionId, error);
		}
		connections.reloadLists(connectionId);
	}

	#refreshNode(node: TreeNode | undefined): void {
		const { connections, runFiles, dify, tree } = this.#parts;
		const ids = node && 'connectionId' in node ? [String(node.connectionId)] : connections.list().map(({ id }) => id);
		if (node && 'rows' in node && !(node instanceof ConnectionNode)) {
			(node as PagedNode).rows.dropRows();
			return;
		}
		runFiles.invalidateIndex();
		tree.resetPages(ids);
		for (const id of ids) {
			connections.reloadLists(id);
			dify.known?.deployments.reloadApps(id);
		}
		tree.refreshTree();
	}

	/** Loads more rows and focuses the first new one, because "Load more" moves down and keyboard users would lose their position. */
	async #loadMoreRows(node: PagedNode): Promise<void> {
		const first = await node.rows.loadNextPage();
		const row = first && node.findRow(first.id);
		if (row) {
			await this.#parts.tree.waitForRefresh(node);
			await this.#parts.view.reveal(row, { select: true, focus: true });
		}
	}
}

/** Executes a command of the agent file editor on the agent's file. */
async function executeFileCommand(verb: 'runDraft' | 'publish', { summary }: AgentTreeNode): Promise<void> {
	if (summary.file) {
		await vscode.commands.executeCommand(`agentWorkbench.agentFile.${verb}` satisfies CommandId, vscode.Uri.file(summary.file));
	}
}

function createDocumentTarget(kind: DocumentTarget['kind'], { connectionId, agentName }: AgentReference, id: string): DocumentTarget {
	return { kind, connectionId, agent: agentName, id, full: false };
}

interface AgentReference {
	readonly connectionId: string;
	readonly agentName: string;
}
