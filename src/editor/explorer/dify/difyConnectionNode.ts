import * as vscode from 'vscode';
import { reasonOf } from '#base/problems.ts';
import type { DifyApp } from '#client/dify/management.ts';
import type { AppOfDeployment, ManagementState } from '../../dify/difyTypes.ts';
import { join } from '../../platform/runWording.ts';
import { markdownText, oneLine } from '../../platform/wording.ts';
import { pagedChildren } from '../lists/pagedChildren.ts';
import { PagedRows } from '../lists/pagedRows.ts';
import type { AgentTreeNode } from '../nodes/agentNode.ts';
import { ConnectionNode } from '../nodes/connectionNode.ts';
import { MessageNode } from '../nodes/messageNode.ts';
import { ProblemNode } from '../nodes/problemNode.ts';
import type { TreeNode } from '../nodes/treeNode.ts';
import type { TreeStores } from '../treeStores.ts';
import { DifyAppNode } from './difyAppNode.ts';
import { KeyedAppNode } from './keyedAppNode.ts';

/** Workspaces of up to this many apps are loaded whole, and then sorted by name. */
const loadedWhole = 300;

/** A deployment of Dify: below it the app that its own key is of, then those of the workspace that somebody signed in to. */
export class DifyConnectionNode extends ConnectionNode {
	readonly rows: PagedRows<DifyApp>;
	readonly #apps = new Map<string, DifyAppNode | KeyedAppNode>();
	/** How each app's row was last shown, by its ID. */
	readonly #shown = new Map<string, string>();
	/** Apps whose service API was off when they were last asked for. */
	readonly #off = new Set<string>();
	#filter = '';
	#state = '';

	constructor(connectionId: string, stores: TreeStores) {
		super(connectionId, stores);
		this.rows = new PagedRows<DifyApp>(
			({ page }) => this.#page(page + 1),
			() => stores.changed(this),
		);
	}

	/** Text that the names of the apps below have; empty: any. */
	get filter(): string {
		return this.#filter;
	}

	setFilter(text: string): void {
		this.#filter = text.trim();
		this.rows.reset();
	}

	override item(): vscode.TreeItem {
		const item = super.item();
		const state = this.#management();
		item.contextValue = ['connection.service.dify', state ? contexts[state.kind] : '', this.#filter === '' ? '' : 'filtered']
			.filter(part => part !== '')
			.join('.');
		if (state?.kind === 'signed-in') {
			const filter = this.#filter === '' ? '' : `“${this.#filter}”`;
			item.description = join(filter, oneLine(state.workspace ?? '', 40), oneLine(state.account ?? '', 60));
			item.iconPath = this.rows.error === undefined ? signedIn : notReached;
		} else if (state?.kind === 'expired') {
			item.description = vscode.l10n.t('sign-in ended');
			item.iconPath = ended;
		}
		return item;
	}

	override async children(): Promise<readonly TreeNode[]> {
		const { deployments } = await this.stores.dify.load();
		const state = deployments.state(this.connectionId);
		this.#remember(state);
		const own = await this.#own(state);
		if (state.kind !== 'signed-in') {
			const ended = state.kind === 'expired' ? [this.#signIn(vscode.l10n.t('Sign-in ended'), vscode.l10n.t('Sign in again'))] : [];
			return [...own, ...ended, ...this.#keyedApart(new Set())];
		}
		await this.#load();
		const complete = !this.rows.hasMore && this.rows.dropped === 0 && this.rows.error === undefined;
		const apps = pagedChildren(this, this.rows, app => this.#node(app), this.#none());
		if (complete && this.rows.rows.length > 0) {
			apps.sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
		}
		const known = new Set(this.rows.rows.map(({ id }) => id));
		this.#forget(known);
		return [...own, ...apps, ...(complete && this.#filter === '' ? this.#keyedApart(known) : [])];
	}

	override tooltip(): vscode.MarkdownString | undefined {
		const tooltip = super.tooltip();
		const state = this.#management();
		if (tooltip && state && state.kind !== 'signed-out') {
			const account = state.account ?? '';
			tooltip.appendMarkdown(
				`\n\n${markdownText(
					state.kind === 'signed-in'
						? vscode.l10n.t('Signed in as {0}, workspace {1}', account, state.workspace ?? '')
						: vscode.l10n.t('The sign-in of {0} has ended', account),
				)}`,
			);
		}
		return tooltip;
	}

	/** The node of an app's row. */
	row(id: string): TreeNode | undefined {
		return this.#apps.get(id);
	}

	override isAgent(name: string): boolean {
		return this.connection()?.name === name;
	}

	override agentNodes(): AgentTreeNode[] {
		return [...super.agentNodes(), ...[...this.#apps.values()].filter(node => node instanceof KeyedAppNode)];
	}

	/** Whether an app's service API was off when it was last asked for. */
	isOff(appId: string): boolean {
		return this.#off.has(appId);
	}

	/** Somebody looks at an app: what only the network can tell of it is asked for, once for each state of the app. */
	look(of: AppOfDeployment): void {
		const { known } = this.stores.dify;
		if (known?.deployments.state(this.connectionId).kind !== 'signed-in') {
			return;
		}
		// what cannot be told now is not shown; the lists say what is wrong with the deployment
		void known.links.check(of).catch(() => {});
		void known.deployments.app(of).then(
			app => this.#setOff(of.app.id, app.serviceApi === false),
			() => {},
		);
	}

	/** State, apps or links of this deployment changed; returns the nodes that show something else now. */
	changed(): TreeNode[] {
		const state = this.#management();
		if (state && JSON.stringify(state) !== this.#state) {
			this.#remember(state);
			this.rows.reset();
			return [this];
		}
		return [...this.#apps].flatMap(([id, node]) => (this.#shown.get(id) === shownOf(node) ? [] : [this.#show(id, node)]));
	}

	async #load(): Promise<void> {
		await this.rows.start();
		while (this.rows.hasMore && this.rows.error === undefined && (this.rows.total ?? loadedWhole + 1) <= loadedWhole) {
			const before = this.rows.rows.length;
			await this.rows.loadMore();
			if (this.rows.rows.length === before) {
				return;
			}
		}
	}

	async #page(page: number) {
		const { deployments } = await this.stores.dify.load();
		const { apps, hasMore, total } = await deployments.appPage(this.connectionId, {
			page,
			...(this.#filter !== '' && { name: this.#filter }),
		});
		return { rows: apps, hasMore, total };
	}

	/** The app that the connection's own key is of; without a key, who has not signed in is told both ways. */
	async #own(state: ManagementState): Promise<readonly TreeNode[]> {
		try {
			return await super.children();
		} catch (error) {
			if (reasonOf(error) !== 'key-missing') {
				return [new ProblemNode(this, error)];
			}
			if (state.kind !== 'signed-out') {
				return [];
			}
			const signIn = this.#signIn(vscode.l10n.t('Manage its apps'), vscode.l10n.t('Sign in…'));
			return this.#keyed().length > 0 ? [signIn] : [new ProblemNode(this, error), signIn];
		}
	}

	#signIn(text: string, title: string): TreeNode {
		return new MessageNode(this, text, { title, command: 'agentWorkbench.dify.signIn', arguments: [this.connectionId] });
	}

	#none(): TreeNode {
		return this.#filter === ''
			? new MessageNode(
					this,
					vscode.l10n.t('No apps in this workspace'),
					undefined,
					vscode.l10n.t(
						'This workspace shows you no apps. Deployments with a command-line interface list those alone whose service API is on.',
					),
				)
			: new MessageNode(this, vscode.l10n.t('No app matches'), {
					title: vscode.l10n.t('Clear filter'),
					command: 'agentWorkbench.apps.clearFilter',
					arguments: [this],
				});
	}

	/** Apps with keys that the list does not have: because nobody is signed in, or it leaves them out. */
	#keyedApart(known: ReadonlySet<string>): TreeNode[] {
		return this.#keyed()
			.filter(({ app }) => !known.has(app!))
			.map(({ name, app }) => this.#node({ id: app!, name, description: '', mode: '', updatedAt: undefined }));
	}

	#keyed() {
		return this.stores.connections.list().filter(({ deployment, app }) => deployment === this.connectionId && app !== undefined);
	}

	#node(app: DifyApp): DifyAppNode | KeyedAppNode {
		const connection = this.#keyed().find(each => each.app === app.id);
		const before = this.#apps.get(app.id);
		const fits =
			before instanceof KeyedAppNode
				? before.connectionId === connection?.id && before.agentName === connection.name && before.summary.mode === app.mode
				: before && !connection;
		const node =
			before && fits ? before : connection ? new KeyedAppNode(this, app, connection, this.stores) : new DifyAppNode(this, app, this.stores);
		node.app = app;
		this.#apps.set(app.id, node);
		this.#show(app.id, node);
		return node;
	}

	#show(id: string, node: DifyAppNode | KeyedAppNode): TreeNode {
		this.#shown.set(id, shownOf(node));
		return node;
	}

	#setOff(appId: string, isOff: boolean): void {
		if (isOff !== this.#off.has(appId)) {
			this.#off[isOff ? 'add' : 'delete'](appId);
			const node = this.#apps.get(appId);
			if (node) {
				this.stores.changed(node);
			}
		}
	}

	#forget(known: ReadonlySet<string>): void {
		const keyed = new Set(this.#keyed().map(({ app }) => app));
		for (const id of [...this.#apps.keys()].filter(each => !known.has(each) && !keyed.has(each))) {
			this.#apps.delete(id);
			this.#shown.delete(id);
			this.#off.delete(id);
		}
	}

	#remember(state: ManagementState): void {
		this.#state = JSON.stringify(state);
	}

	#management(): ManagementState | undefined {
		return this.stores.dify.known?.deployments.state(this.connectionId);
	}
}

/** What the menus go by. */
const contexts: Readonly<Record<ManagementState['kind'], string>> = {
	'signed-out': 'signedOut',
	'signed-in': 'signedIn',
	expired: 'signedExpired',
};

const signedIn = new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('testing.iconPassed'));
const notReached = new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'));
const ended = new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));

function nameOf(node: TreeNode): string {
	return 'app' in node ? (node.app as DifyApp).name : '';
}

function shownOf(node: DifyAppNode | KeyedAppNode): string {
	const { description, contextValue } = node.item();
	return JSON.stringify([description, contextValue]);
}
