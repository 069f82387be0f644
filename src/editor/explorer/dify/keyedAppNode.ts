import * as vscode from 'vscode';
import type { DifyApp } from '#client/dify/management.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import type { AppOfDeployment } from '../../dify/difyTypes.ts';
import { getModeLabel } from '../../platform/difyModeText.ts';
import { joinParts } from '../../platform/runWording.ts';
import { toOneLine } from '../../platform/wording.ts';
import { AgentTreeNode } from '../nodes/agentNode.ts';
import { MessageNode } from '../nodes/messageNode.ts';
import type { TreeNode } from '../nodes/treeNode.ts';
import type { TreeStores } from '../treeStores.ts';
import { createAppTooltip, getAppContextValue, getAppIcon, getLinkLabel } from './appLabels.ts';
import { getAppNodeId } from './difyAppNode.ts';
import type { DifyConnectionNode } from './difyConnectionNode.ts';

/** An app of a Dify deployment that has its own connection with a key. It has the same children as any agent. */
export class KeyedAppNode extends AgentTreeNode {
	app: DifyApp;
	readonly #deployment: DifyConnectionNode;
	readonly #stores: TreeStores;

	/** `connection` is the connection that has the app's key. */
	constructor(parent: DifyConnectionNode, app: DifyApp, connection: Connection, stores: TreeStores) {
		const summary = {
			name: connection.name,
			mode: app.mode,
			description: app.description,
			workflow_id: null,
			file: null,
			error: null,
			updated_at: 0,
			published: true,
			draft: false,
			variables: [],
		};
		super(parent, summary, stores, { id: getAppNodeId(parent, app.id), connectionId: connection.id });
		this.app = app;
		this.#deployment = parent;
		this.#stores = stores;
	}

	/** Passed to commands on apps. Commands on connections and agents use the connection that has the key. */
	get of(): AppOfDeployment {
		return { connectionId: this.#deployment.connectionId, app: this.app };
	}

	override createTreeItem(): vscode.TreeItem {
		const link = this.#getLink();
		const item = new vscode.TreeItem(toOneLine(this.app.name), vscode.TreeItemCollapsibleState.Collapsed);
		const running = this.runs.countActiveRuns();
		item.contextValue = getAppContextValue(this.app, link, true);
		item.description = joinParts(
			running ? vscode.l10n.t({ message: '{0} running', args: [running], comment: ['{0} is a number of runs'] }) : '',
			getLinkLabel(link),
			getModeLabel(this.app.mode),
		);
		item.iconPath = getAppIcon(this.app.mode);
		return item;
	}

	override async getChildren(): Promise<readonly TreeNode[]> {
		this.#deployment.checkApp(this.of);
		// rejects with a remedy if the key is missing
		await this.#stores.connections.listAgents(this.connectionId);
		const off = this.#deployment.isServiceApiOff(this.app.id) ? [this.#createServiceApiNode()] : [];
		return [...off, ...(await super.getChildren())];
	}

	override createTooltip(): vscode.MarkdownString {
		return createAppTooltip(this.app, this.#getLink());
	}

	#createServiceApiNode(): TreeNode {
		return new MessageNode(
			this,
			vscode.l10n.t('Service API is off'),
			{ title: vscode.l10n.t('Enable'), command: 'agentWorkbench.difyApp.enableServiceApi', arguments: [this.of] },
			vscode.l10n.t("The service API of this app is off, so API keys can't run it."),
		);
	}

	#getLink() {
		return this.#stores.dify.known?.links.getLink(this.of);
	}
}
