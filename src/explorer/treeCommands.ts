import * as vscode from 'vscode';
import type { Connections } from '../connections/connectionTypes.ts';
import type { ConversationReference } from '../conversations/conversationTypes.ts';
import type { AgentLists } from './agentLists.ts';
import type { AgentNode } from './agentNode.ts';
import type { AgentsTree } from './agentsTree.ts';
import { chooseSort } from './chooseSort.ts';
import type { ConversationsNode } from './conversationsNode.ts';
import { createAgent } from './createAgent.ts';
import type { DocumentTarget } from './documents/documentUri.ts';
import type { ServiceDocuments } from './documents/serviceDocuments.ts';
import type { ExplorerCommand } from './explorerCommands.ts';
import { filterLogs } from './filterLogs.ts';
import type { PagedNode } from './loadMoreNode.ts';
import type { LogNode } from './logNode.ts';
import type { LogsNode } from './logsNode.ts';
import type { RunFileNode } from './runFileNode.ts';
import type { TreeNode } from './treeNode.ts';

/** What the tree's commands work on. */
export interface TreeCommandParts {
	readonly connections: Connections;
	readonly agents: AgentLists;
	readonly tree: AgentsTree;
	readonly view: vscode.TreeView<TreeNode>;
	readonly documents: ServiceDocuments;
}

/** Carries out the commands of the tree's nodes. They get the node that they were called on. */
export class TreeCommands {
	readonly #parts: TreeCommandParts;
	readonly #handlers: Record<ExplorerCommand, (node: never) => unknown> = {
		'agentWorkbench.tree.refresh': (node?: TreeNode) => this.#refresh(node),
		'agentWorkbench.tree.loadMore': (node: PagedNode) => this.#loadMore(node),
		'agentWorkbench.tree.backToTop': (node: PagedNode) => node.rows.reset(),
		'agentWorkbench.agent.openFile': ({ summary }: AgentNode) =>
			summary.file && vscode.window.showTextDocument(vscode.Uri.file(summary.file)),
		'agentWorkbench.input.create': (node: AgentNode | { readonly parent: AgentNode }) =>
			vscode.commands.executeCommand('agentWorkbench.runFile.create', 'summary' in node ? node.summary : node.parent.summary),
		'agentWorkbench.agent.create': () => createAgent(),
		'agentWorkbench.agent.runDraft': (node: AgentNode) => aboutFile('runDraft', node),
		'agentWorkbench.agent.publish': (node: AgentNode) => aboutFile('publish', node),
		'agentWorkbench.agent.unpublish': (node: AgentNode) => this.#unpublish(node),
		'agentWorkbench.input.run': (node: RunFileNode) => vscode.commands.executeCommand('agentWorkbench.workflow.runFile', node.uri),
		'agentWorkbench.logs.filter': (node: LogsNode) => filterLogs(node.log),
		'agentWorkbench.logs.clearFilter': (node: LogsNode) => node.log.setFilter({}),
		'agentWorkbench.log.open': ({ parent, runId }: LogNode) => this.#parts.documents.open(target('run', parent.parent, runId)),
		'agentWorkbench.log.copyRunId': ({ runId }: LogNode) => vscode.env.clipboard.writeText(runId),
		'agentWorkbench.conversations.sort': (node: ConversationsNode) => chooseSort(node.list),
		'agentWorkbench.conversation.open': (node: ConversationReference) =>
			this.#parts.documents.open(target('conversation', node, node.conversationId)),
		'agentWorkbench.walkthrough.open': () =>
			vscode.commands.executeCommand('workbench.action.openWalkthrough', 'agent-workbench.agent-workbench#getStarted', false),
		'agentWorkbench.document.open': (wanted: DocumentTarget) => this.#parts.documents.open(wanted),
	};

	constructor(parts: TreeCommandParts) {
		this.#parts = parts;
	}

	execute(id: ExplorerCommand, args: readonly unknown[]): unknown {
		return this.#handlers[id](args[0] as never);
	}

	/** Takes an agent's published version back (built-in gateway). */
	async #unpublish({ connectionId, agentName }: AgentNode): Promise<void> {
		const { connections, agents } = this.#parts;
		try {
			await (await connections.client(connectionId)).unpublishAgent(agentName);
		} catch (error) {
			throw connections.problem(connectionId, error);
		}
		agents.reload(connectionId);
	}

	#refresh(node: TreeNode | undefined): void {
		const { agents, connections, tree } = this.#parts;
		const ids = node && 'connectionId' in node ? [String(node.connectionId)] : connections.list().map(({ id }) => id);
		if (node && 'rows' in node) {
			(node as PagedNode).rows.reset();
			return;
		}
		tree.forgetPages(ids);
		for (const id of ids) {
			agents.reload(id);
		}
		tree.refreshAll();
	}

	/** The focus goes to the first new row: "Load more…" has moved on, and who uses the keyboard would lose the place. */
	async #loadMore(node: PagedNode): Promise<void> {
		const first = await node.rows.loadMore();
		const row = first && node.row(first.id);
		if (row) {
			await this.#parts.tree.refreshed(node);
			await this.#parts.view.reveal(row, { select: true, focus: true });
		}
	}
}

/** What the editor of an agent file does too. */
async function aboutFile(verb: 'runDraft' | 'publish', { summary }: AgentNode): Promise<void> {
	if (summary.file) {
		await vscode.commands.executeCommand(`agentWorkbench.agentFile.${verb}`, vscode.Uri.file(summary.file));
	}
}

function target(kind: DocumentTarget['kind'], { connectionId, agentName }: AgentReference, id: string): DocumentTarget {
	return { kind, connectionId, agent: agentName, id, full: false };
}

interface AgentReference {
	readonly connectionId: string;
	readonly agentName: string;
}
