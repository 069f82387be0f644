import * as vscode from 'vscode';
import type { DifyApp } from '#client/dify/management.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import type { AppOfDeployment } from '../../dify/difyTypes.ts';
import { modeText } from '../../platform/difyModeText.ts';
import { join } from '../../platform/runWording.ts';
import { oneLine } from '../../platform/wording.ts';
import { AgentTreeNode } from '../nodes/agentNode.ts';
import { MessageNode } from '../nodes/messageNode.ts';
import type { TreeNode } from '../nodes/treeNode.ts';
import type { TreeStores } from '../treeStores.ts';
import { appContext, appIcon, appTooltip, linkText } from './appWords.ts';
import { getAppNodeId } from './difyAppNode.ts';
import type { DifyConnectionNode } from './difyConnectionNode.ts';

/** An app of a deployment with a connection of its own, which has its key: below it, what any agent has. */
export class KeyedAppNode extends AgentTreeNode {
	app: DifyApp;
	readonly #deployment: DifyConnectionNode;
	readonly #stores: TreeStores;

	/** `connection`: the one that has the app's key. */
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

	/** What commands on apps are called with; commands on connections and agents are about the connection that has the key. */
	get of(): AppOfDeployment {
		return { connectionId: this.#deployment.connectionId, app: this.app };
	}

	override createItem(): vscode.TreeItem {
		const link = this.#getLink();
		const item = new vscode.TreeItem(oneLine(this.app.name), vscode.TreeItemCollapsibleState.Collapsed);
		const running = this.runs.countActive();
		item.contextValue = appContext(this.app, link, true);
		item.description = join(running ? vscode.l10n.t('{0} running', running) : '', linkText(link), modeText(this.app.mode));
		item.iconPath = appIcon(this.app.mode);
		return item;
	}

	override async getChildren(): Promise<readonly TreeNode[]> {
		this.#deployment.checkApp(this.of);
		// rejects where the key is missing, with what mends it
		await this.#stores.connections.agents(this.connectionId);
		const off = this.#deployment.isServiceApiOff(this.app.id) ? [this.#createServiceApiNode()] : [];
		return [...off, ...(await super.getChildren())];
	}

	override createTooltip(): vscode.MarkdownString {
		return appTooltip(this.app, this.#getLink());
	}

	#createServiceApiNode(): TreeNode {
		return new MessageNode(
			this,
			vscode.l10n.t('Service API is off'),
			{ title: vscode.l10n.t('Enable'), command: 'agentWorkbench.difyApp.enableServiceApi', arguments: [this.of] },
			vscode.l10n.t('The service API of this app is off: no key of it runs anything.'),
		);
	}

	#getLink() {
		return this.#stores.dify.known?.links.linkOf(this.of);
	}
}
