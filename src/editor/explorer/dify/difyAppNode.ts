import * as vscode from 'vscode';
import type { DifyApp } from '#client/dify/management.ts';
import type { AppOfDeployment } from '../../dify/difyTypes.ts';
import { getModeLabel } from '../../platform/difyModeText.ts';
import { joinParts } from '../../platform/runWording.ts';
import { toOneLine } from '../../platform/wording.ts';
import { MessageNode } from '../nodes/messageNode.ts';
import type { TreeNode } from '../nodes/treeNode.ts';
import type { TreeStores } from '../treeStores.ts';
import { createAppTooltip, getAppContextValue, getAppIcon, getLinkLabel } from './appLabels.ts';
import type { DifyConnectionNode } from './difyConnectionNode.ts';

/** An app of a Dify deployment that has no key here. The app can be pulled and pushed, and its node offers to add a key for running it. */
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

	/** Passed to commands on apps. */
	get of(): AppOfDeployment {
		return { connectionId: this.connectionId, app: this.app };
	}

	createTreeItem(): vscode.TreeItem {
		const link = this.#getLink();
		const item = new vscode.TreeItem(toOneLine(this.app.name), vscode.TreeItemCollapsibleState.Collapsed);
		item.contextValue = getAppContextValue(this.app, link, false);
		item.description = joinParts(getLinkLabel(link), getModeLabel(this.app.mode));
		item.iconPath = getAppIcon(this.app.mode);
		return item;
	}

	getChildren(): readonly TreeNode[] {
		this.parent.checkApp(this.of);
		return [
			new MessageNode(
				this,
				vscode.l10n.t('No API key'),
				{ title: vscode.l10n.t('Add key'), command: 'agentWorkbench.difyApp.createKey', arguments: [this.of] },
				vscode.l10n.t('Add an API key to run this app and see its runs, logs and conversations.'),
			),
		];
	}

	createTooltip(): vscode.MarkdownString {
		return createAppTooltip(this.app, this.#getLink());
	}

	#getLink() {
		return this.#stores.dify.known?.links.getLink(this.of);
	}
}

/** Returns the ID of an app's node, which is the same with and without a key. */
export function getAppNodeId(parent: TreeNode, appId: string): string {
	return `${parent.id}/app/${encodeURIComponent(appId)}`;
}
