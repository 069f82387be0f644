import * as vscode from 'vscode';
import type { DifyApp } from '#client/dify/management.ts';
import type { AppOfDeployment } from '../../dify/difyTypes.ts';
import { modeText } from '../../platform/difyModeText.ts';
import { join } from '../../platform/runWording.ts';
import { oneLine } from '../../platform/wording.ts';
import { MessageNode } from '../nodes/messageNode.ts';
import type { TreeNode } from '../nodes/treeNode.ts';
import type { TreeStores } from '../treeStores.ts';
import { appContext, appIcon, appTooltip, linkText } from './appWords.ts';
import type { DifyConnectionNode } from './difyConnectionNode.ts';

/** An app of a deployment that there is no key for yet: it can be pulled and pushed, and says what its runs need. */
export class DifyAppNode implements TreeNode, AppOfDeployment {
	readonly id: string;
	readonly parent: DifyConnectionNode;
	readonly connectionId: string;
	app: DifyApp;
	readonly #stores: TreeStores;

	constructor(parent: DifyConnectionNode, app: DifyApp, stores: TreeStores) {
		this.id = getAppNodeId(parent, app.id);
		this.parent = parent;
		this.connectionId = parent.connectionId;
		this.app = app;
		this.#stores = stores;
	}

	/** What commands on apps are called with. */
	get of(): AppOfDeployment {
		return { connectionId: this.connectionId, app: this.app };
	}

	createItem(): vscode.TreeItem {
		const link = this.#getLink();
		const item = new vscode.TreeItem(oneLine(this.app.name), vscode.TreeItemCollapsibleState.Collapsed);
		item.contextValue = appContext(this.app, link, false);
		item.description = join(linkText(link), modeText(this.app.mode));
		item.iconPath = appIcon(this.app.mode);
		return item;
	}

	getChildren(): readonly TreeNode[] {
		this.parent.checkApp(this.of);
		return [
			new MessageNode(
				this,
				vscode.l10n.t('No key for runs'),
				{ title: vscode.l10n.t('Add key'), command: 'agentWorkbench.difyApp.createKey', arguments: [this.of] },
				vscode.l10n.t('With a key of its own, the runs, logs and conversations of this app are shown here.'),
			),
		];
	}

	createTooltip(): vscode.MarkdownString {
		return appTooltip(this.app, this.#getLink());
	}

	#getLink() {
		return this.#stores.dify.known?.links.linkOf(this.of);
	}
}

/** ID of an app's node, the same with and without a key. */
export function getAppNodeId(parent: TreeNode, appId: string): string {
	return `${parent.id}/app/${encodeURIComponent(appId)}`;
}
