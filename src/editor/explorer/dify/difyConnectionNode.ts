import * as vscode from 'vscode';
import { getErrorReason } from '#base/problems.ts';
import type { DifyApp } from '#client/dify/management.ts';
import type { AppOfDeployment, ManagementState } from '../../dify/difyTypes.ts';
import { joinParts } from '../../platform/runWording.ts';
import { escapeMarkdown, toOneLine } from '../../platform/wording.ts';
import { createPagedChildren } from '../lists/pagedChildren.ts';
import { PagedRows } from '../lists/pagedRows.ts';
import type { AgentTreeNode } from '../nodes/agentNode.ts';
import { ConnectionNode } from '../nodes/connectionNode.ts';
import { MessageNode } from '../nodes/messageNode.ts';
import { ProblemNode } from '../nodes/problemNode.ts';
import type { TreeNode } from '../nodes/treeNode.ts';
import type { TreeStores } from '../treeStores.ts';
import { DifyAppNode } from './difyAppNode.ts';
import { KeyedAppNode } from './keyedAppNode.ts';

/** Workspaces with at most this many apps are loaded completely and sorted by name. */
const loadedWhole = 300;

/**
 * A Dify deployment. Its children are the app that the connection's own key belongs to, then the apps of the workspace that the user signed
 * in to.
 */
export class DifyConnectionNode extends ConnectionNode {
	readonly rows: PagedRows<DifyApp>;
	readonly #apps = new Map<string, DifyAppNode | KeyedAppNode>();
	/** The state that each app's row has last shown, by app ID. */
	readonly #shown = new Map<string, string>();
	/** IDs of apps whose service API was off when last checked. */
	readonly #off = new Set<string>();
	#filter = '';
	#state = '';

	constructor(connectionId: string, stores: TreeStores) {
		super(connectionId, stores);
		this.rows = new PagedRows<DifyApp>(
			({ page }) => this.#fetchPage(page + 1),
			() => stores.onChange(this),
		);
	}

	/** A text that the names of shown apps must contain. Empty to show all apps. */
	get filter(): string {
		return this.#filter;
	}

	setFilter(text: string): void {
		this.#filter = text.trim();
		this.rows.dropRows();
	}

	override createTreeItem(): vscode.TreeItem {
		const item = super.createTreeItem();
		const state = this.#getState();
		item.contextValue = ['connection.service.dify', state ? contexts[state.kind] : '', this.#filter === '' ? '' : 'filtered']
			.filter(part => part !== '')
			.join('.');
		if (state?.kind === 'signed-in') {
			const filter = this.#filter === '' ? '' : `'${this.#filter}'`;
			item.description = joinParts(filter, toOneLine(state.workspace ?? '', 40), toOneLine(state.account ?? '', 60));
			item.iconPath = this.rows.error === undefined ? signedIn : notReached;
		} else if (state?.kind === 'expired') {
			item.description = vscode.l10n.t('sign-in expired');
			item.iconPath = expired;
		}
		return item;
	}

	override async getChildren(): Promise<readonly TreeNode[]> {
		const { deployments } = await this.stores.dify.load();
		const state = deployments.getState(this.connectionId);
		this.#updateSignInState(state);
		const ownApp = await this.#loadOwnApp(state);
		if (state.kind !== 'signed-in') {
			const signIn =
				state.kind === 'expired' ? [this.#createSignInNode(vscode.l10n.t('Sign-in expired'), vscode.l10n.t('Sign in again'))] : [];
			return [...ownApp, ...signIn, ...this.#createUnlistedNodes(new Set())];
		}
		await this.#loadApps();
		const complete = !this.rows.hasMore && this.rows.dropped === 0 && this.rows.error === undefined;
		const apps = createPagedChildren(this, this.rows, app => this.#getAppNode(app), this.#createEmptyNode());
		if (complete && this.rows.rows.length > 0) {
			apps.sort((a, b) => getAppName(a).localeCompare(getAppName(b)));
		}
		const known = new Set(this.rows.rows.map(({ id }) => id));
		this.#dropUnlistedApps(known);
		return [...ownApp, ...apps, ...(complete && this.#filter === '' ? this.#createUnlistedNodes(known) : [])];
	}

	override createTooltip(): vscode.MarkdownString | undefined {
		const tooltip = super.createTooltip();
		const state = this.#getState();
		if (tooltip && state && state.kind !== 'signed-out') {
			const account = state.account ?? '';
			tooltip.appendMarkdown(
				`\n\n${escapeMarkdown(
					state.kind === 'signed-in'
						? vscode.l10n.t("Signed in as '{0}' in workspace '{1}'", account, state.workspace ?? '')
						: vscode.l10n.t("The sign-in as '{0}' has expired", account),
				)}`,
			);
		}
		return tooltip;
	}

	findRow(id: string): TreeNode | undefined {
		return this.#apps.get(id);
	}

	override isSingleAgent(name: string): boolean {
		return this.getConnection()?.name === name;
	}

	override getAgentNodes(): AgentTreeNode[] {
		return [...super.getAgentNodes(), ...[...this.#apps.values()].filter(node => node instanceof KeyedAppNode)];
	}

	/** True if an app's service API was off when last checked. */
	isServiceApiOff(appId: string): boolean {
		return this.#off.has(appId);
	}

	/** Checks the link and the service API of an app that is shown. */
	checkApp(of: AppOfDeployment): void {
		const { known } = this.stores.dify;
		if (known?.deployments.getState(this.connectionId).kind !== 'signed-in') {
			return;
		}
		// a failed check shows nothing, because the lists report problems with the deployment
		void known.links.checkLink(of).catch(() => {});
		void known.deployments.loadApp(of).then(
			app => this.#setServiceApiOff(of.app.id, app.serviceApi === false),
			() => {},
		);
	}

	/** Handles a change of the deployment's state, apps or links. Returns the nodes to refresh. */
	onDeploymentChange(): TreeNode[] {
		const state = this.#getState();
		if (state && JSON.stringify(state) !== this.#state) {
			this.#updateSignInState(state);
			this.rows.dropRows();
			return [this];
		}
		return [...this.#apps].flatMap(([id, node]) => (this.#shown.get(id) === getShownState(node) ? [] : [this.#recordShownState(id, node)]));
	}

	async #loadApps(): Promise<void> {
		await this.rows.start();
		while (this.rows.hasMore && this.rows.error === undefined && (this.rows.total ?? loadedWhole + 1) <= loadedWhole) {
			const before = this.rows.rows.length;
			await this.rows.loadNextPage();
			if (this.rows.rows.length === before || this.rows.rows.length > loadedWhole) {
				return;
			}
		}
	}

	async #fetchPage(page: number) {
		const { deployments } = await this.stores.dify.load();
		const { apps, hasMore, total } = await deployments.loadAppPage(this.connectionId, {
			page,
			...(this.#filter !== '' && { name: this.#filter }),
		});
		return { rows: apps, hasMore, total };
	}

	/** Returns the app that the connection's own key belongs to. Without a key and signed out, returns nodes for the two ways to connect. */
	async #loadOwnApp(state: ManagementState): Promise<readonly TreeNode[]> {
		try {
			return await super.getChildren();
		} catch (error) {
			if (getErrorReason(error) !== 'key-missing') {
				return [new ProblemNode(this, error)];
			}
			if (state.kind !== 'signed-out') {
				return [];
			}
			const signIn = this.#createSignInNode(vscode.l10n.t('Manage its apps'), vscode.l10n.t('Sign in…'));
			return this.#getKeyedConnections().length > 0 ? [signIn] : [new ProblemNode(this, error), signIn];
		}
	}

	#createSignInNode(text: string, title: string): TreeNode {
		return new MessageNode(this, text, { title, command: 'agentWorkbench.dify.signIn', arguments: [this.connectionId] });
	}

	#createEmptyNode(): TreeNode {
		return this.#filter === ''
			? new MessageNode(
					this,
					vscode.l10n.t('No apps in this workspace'),
					undefined,
					vscode.l10n.t("You can't see any apps in this workspace. Some Dify servers list only apps whose service API is on."),
				)
			: new MessageNode(this, vscode.l10n.t('No matching apps'), {
					title: vscode.l10n.t('Clear filter'),
					command: 'agentWorkbench.apps.clearFilter',
					arguments: [this],
				});
	}

	/** Creates nodes for apps with keys that the list doesn't contain, because the user is signed out or the list omits them. */
	#createUnlistedNodes(known: ReadonlySet<string>): TreeNode[] {
		return this.#getKeyedConnections()
			.filter(({ app }) => !known.has(app!))
			.map(({ name, app }) => this.#getAppNode({ id: app!, name, description: '', mode: '', updatedAt: undefined }));
	}

	#getKeyedConnections() {
		return this.stores.connections.list().filter(({ deployment, app }) => deployment === this.connectionId && app !== undefined);
	}

	#getAppNode(app: DifyApp): DifyAppNode | KeyedAppNode {
		const connection = this.#getKeyedConnections().find(each => each.app === app.id);
		const before = this.#apps.get(app.id);
		const fits =
			before instanceof KeyedAppNode
				? before.connectionId === connection?.id && before.agentName === connection.name && before.summary.mode === app.mode
				: before && !connection;
		const node =
			before && fits ? before : connection ? new KeyedAppNode(this, app, connection, this.stores) : new DifyAppNode(this, app, this.stores);
		node.app = app;
		this.#apps.set(app.id, node);
		this.#recordShownState(app.id, node);
		return node;
	}

	#recordShownState(id: string, node: DifyAppNode | KeyedAppNode): TreeNode {
		this.#shown.set(id, getShownState(node));
		return node;
	}

	#setServiceApiOff(appId: string, isOff: boolean): void {
		if (isOff !== this.#off.has(appId)) {
			this.#off[isOff ? 'add' : 'delete'](appId);
			const node = this.#apps.get(appId);
			if (node) {
				this.stores.onChange(node);
			}
		}
	}

	#dropUnlistedApps(known: ReadonlySet<string>): void {
		const keyed = new Set(this.#getKeyedConnections().map(({ app }) => app));
		for (const id of [...this.#apps.keys()].filter(each => !known.has(each) && !keyed.has(each))) {
			this.#apps.delete(id);
			this.#shown.delete(id);
			this.#off.delete(id);
		}
	}

	#updateSignInState(state: ManagementState): void {
		this.#state = JSON.stringify(state);
	}

	#getState(): ManagementState | undefined {
		return this.stores.dify.known?.deployments.getState(this.connectionId);
	}
}

/** Context values, which the `when` clauses of menus check. */
const contexts: Readonly<Record<ManagementState['kind'], string>> = {
	'signed-out': 'signedOut',
	'signed-in': 'signedIn',
	expired: 'signedExpired',
};

const signedIn = new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('testing.iconPassed'));
const notReached = new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'));
const expired = new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));

function getAppName(node: TreeNode): string {
	return 'app' in node ? (node.app as DifyApp).name : '';
}

function getShownState(node: DifyAppNode | KeyedAppNode): string {
	const { description, contextValue } = node.createTreeItem();
	return JSON.stringify([description, contextValue]);
}
