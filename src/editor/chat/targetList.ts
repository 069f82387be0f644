import * as vscode from 'vscode';
import { getErrorMessage, getErrorReason } from '#base/problems.ts';
import type { EndpointKind } from '#pages/chat/transcript/transcript.ts';
import type { Connection, Connections } from '../connections/connectionTypes.ts';
import { escapeIcons, toOneLine } from '../platform/wording.ts';
import type { Pickable, Targets } from './targets.ts';

/** The models and agents of a connection, or why they couldn't be listed. */
interface TargetGroup {
	readonly connection: Connection;
	/** The endpoint for its models; undefined if it only has agents. */
	readonly endpoint: EndpointKind | undefined;
	models?: readonly Pickable[];
	agents?: readonly Pickable[];
	readonly errors: unknown[];
	/** Number of lists that aren't loaded yet. */
	awaited: number;
}

/** A model or agent that was picked, and the endpoint for it. */
export interface PickedTarget {
	readonly kind: 'target';
	readonly connection: Connection;
	readonly endpoint: EndpointKind;
	readonly name: string;
}

/** The model or agent that is used now. `connectionId` is empty for the default connection. */
export type CurrentTarget = Pick<PickedTarget, 'endpoint' | 'name'> & { readonly connectionId: string };

/** Action of an item in the list. */
type Choice =
	| PickedTarget
	| { readonly kind: 'setKey' | 'reload'; readonly connection: Connection }
	| { readonly kind: 'addConnection' | 'typedName' };

type TargetItem = vscode.QuickPickItem & { readonly choice?: Choice };
/** Maximum length of names and descriptions in the list. */
const longestName = 200;

/** Milliseconds that the lists of connections wait for each other. A later one is added at the end, so that no row moves under a click. */
const waitTogetherMs = 1000;

/** The list of models and agents, grouped by connection, while it's open. */
export class TargetPick {
	readonly #pick = vscode.window.createQuickPick<TargetItem>();
	readonly #timer: NodeJS.Timeout;
	/** True while the lists wait for each other. */
	#isWaiting = true;
	/** Groups in the list. */
	readonly #shown = new Set<TargetGroup>();
	readonly #groups: readonly TargetGroup[];
	readonly #connections: Connections;
	readonly #current: CurrentTarget;

	constructor(current: CurrentTarget, connections: Connections, targets: Targets, { title, search }: { title: string; search: string }) {
		this.#connections = connections;
		const connectionId = current.connectionId || connections.getDefault().id;
		this.#current = { ...current, connectionId };
		this.#groups = connections
			.list()
			.toSorted((a, b) => Number(b.id === connectionId) - Number(a.id === connectionId))
			.map(connection => {
				const endpoints: readonly EndpointKind[] = targets.listEndpoints(connection).filter(kind => kind !== 'agent');
				const isSame = connection.id === connectionId && endpoints.includes(current.endpoint);
				return { connection, endpoint: isSame ? current.endpoint : endpoints[0], errors: [], awaited: 0 };
			});
		this.#pick.title = title;
		this.#pick.placeholder = vscode.l10n.t('Search models, agents and connections');
		this.#pick.matchOnDescription = true;
		this.#pick.value = search;
		for (const group of this.#groups) {
			this.#load(targets, group);
		}
		this.#timer = setTimeout(() => {
			this.#isWaiting = false;
			this.#updateItems();
		}, waitTogetherMs);
		this.#updateItems();
	}

	/** Returns the choice, and the text that was typed. Without a choice if the list was closed. */
	async pickChoice(): Promise<{ choice: Choice | undefined; typed: string }> {
		const choice = await new Promise<Choice | undefined>(resolve => {
			this.#pick.onDidAccept(() => resolve(this.#pick.selectedItems[0]?.choice));
			this.#pick.onDidHide(() => resolve(undefined));
			this.#pick.show();
		});
		const typed = this.#pick.value;
		clearTimeout(this.#timer);
		this.#pick.dispose();
		return { choice, typed: choice?.kind === 'target' ? '' : typed };
	}

	#load(targets: Targets, group: TargetGroup): void {
		const { connection, endpoint } = group;
		const list = (kind: EndpointKind | undefined, keep: (found: readonly Pickable[]) => void) => {
			if (kind === undefined) {
				return;
			}
			group.awaited++;
			// a prompt for a key would close the list
			targets
				.listModels(kind, connection, { ask: false })
				.then(keep, error => group.errors.push(this.#connections.toProblem(connection.id, error)))
				.finally(() => {
					group.awaited--;
					this.#updateItems();
				});
		};
		list(endpoint, found => {
			group.models = found;
		});
		list(targets.listEndpoints(connection).includes('agent') ? 'agent' : undefined, found => {
			group.agents = found;
		});
	}

	get #isLoading(): boolean {
		return this.#groups.some(({ awaited }) => awaited > 0);
	}

	#updateItems(): void {
		for (const group of this.#groups) {
			if (group.awaited === 0 && (!this.#isWaiting || !this.#isLoading)) {
				this.#shown.add(group);
			}
		}
		const [active] = this.#pick.activeItems;
		const items = [...this.#shown].flatMap(group => this.#createGroupItems(group));
		this.#pick.busy = this.#isLoading;
		this.#pick.keepScrollPosition = true;
		this.#pick.items = [
			...items,
			{ label: '', kind: vscode.QuickPickItemKind.Separator },
			{ label: vscode.l10n.t('$(add) Add connection…'), alwaysShow: true, choice: { kind: 'addConnection' } },
			{
				label: vscode.l10n.t('$(edit) Use the typed name…'),
				description: vscode.l10n.t("for a model or agent that isn't listed"),
				alwaysShow: true,
				choice: { kind: 'typedName' },
			},
		];
		// the first row of the list without models and agents, which the user didn't go to
		const isFallback = active?.choice?.kind === 'addConnection';
		const again =
			active && !isFallback && this.#pick.items.find(item => item.label === active.label && item.description === active.description);
		// the chat's model is selected at first, and then whatever the user went to
		const next = again || (this.#pick.value === '' ? this.#pick.items.find(item => item.picked) : undefined);
		if (next) {
			this.#pick.activeItems = [next];
		}
	}

	#createGroupItems({ connection, endpoint, models = [], agents = [], errors }: TargetGroup): TargetItem[] {
		return [
			{ label: connection.name, kind: vscode.QuickPickItemKind.Separator },
			...agents.map(each => this.#createItem(connection, 'agent', each)),
			...(endpoint === undefined ? [] : models.map(each => this.#createItem(connection, endpoint, each))),
			...createErrorItems(connection, errors),
		];
	}

	#createItem(connection: Connection, kind: EndpointKind, { name, detail }: Pickable): TargetItem {
		const { connectionId, ...current } = this.#current;
		const isCurrent = connection.id === connectionId && kind === current.endpoint && name === current.name;
		return {
			label: escapeIcons(toOneLine(name, longestName)),
			// the connection is searched too, and says where a name belongs when the list is filtered
			description: escapeIcons(toOneLine([connection.name, ...(detail ? [detail] : [])].join(' · '), longestName)),
			iconPath: new vscode.ThemeIcon(isCurrent ? 'check' : kind === 'agent' ? 'type-hierarchy' : 'symbol-misc'),
			picked: isCurrent,
			choice: { kind: 'target', connection, endpoint: kind, name },
		};
	}
}

/** Returns the item that sets a missing key, or that reloads a list after an error. */
function createErrorItems(connection: Connection, errors: readonly unknown[]): TargetItem[] {
	const [error] = errors;
	if (error === undefined) {
		return [];
	}
	return ['key-missing', 'auth'].includes(getErrorReason(error) ?? '') && connection.kind !== 'built-in'
		? [
				{
					label: vscode.l10n.t('$(key) Set key…'),
					description: connection.name,
					choice: { kind: 'setKey', connection },
				},
			]
		: [
				{
					label: vscode.l10n.t("$(warning) Couldn't load the list"),
					description: `${connection.name} · ${getErrorMessage(error)}`,
					choice: { kind: 'reload', connection },
				},
			];
}
