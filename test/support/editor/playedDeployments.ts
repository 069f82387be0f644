import * as vscode from 'vscode';
import type { AppPage, DifyApp } from '#client/dify/management.ts';
import type {
	AppLink,
	AppLinks,
	AppOfDeployment,
	DifyDeployments,
	DifyFeature,
	DifyParts,
	ManagementState,
} from '#editor/dify/difyTypes.ts';

/** Fake deployments for the tree, with pages of ten apps. */
export class PlayedDeployments implements DifyFeature {
	readonly #changed = new vscode.EventEmitter<string>();
	readonly onDidChange = this.#changed.event;
	readonly states = new Map<string, ManagementState>();
	readonly linked = new Map<string, AppLink>();
	/** Apps of every workspace; those in {@link off} have their service API disabled. */
	apps: DifyApp[] = [];
	readonly off = new Set<string>();
	/** Error with which the next request of a page fails. */
	failure: unknown;
	/** Requests so far, for example `page 1 “name”`. */
	readonly asked: string[] = [];
	known: DifyParts | undefined;

	async load(): Promise<DifyParts> {
		this.known ??= { deployments: this.#createDeployments(), links: this.#createAppLinks(), drafts: {} as DifyParts['drafts'] };
		return this.known;
	}

	/** Changes the state of a connection. */
	setManagementState(connectionId: string, state: ManagementState): void {
		this.states.set(connectionId, state);
		this.#changed.fire(connectionId);
	}

	/** Changes the linked file of an app. */
	setAppLink(connectionId: string, appId: string, link: AppLink): void {
		this.linked.set(appId, link);
		this.#changed.fire(connectionId);
	}

	#createDeployments(): DifyDeployments {
		const played: Partial<DifyDeployments> = {
			onDidChange: this.onDidChange,
			getState: id => this.states.get(id) ?? { kind: 'signed-out' },
			loadAppPage: async (_id, query) => this.#createPage(query),
			loadApp: async ({ app }: AppOfDeployment) => {
				this.asked.push(`app ${app.id}`);
				return { ...app, serviceApi: !this.off.has(app.id) };
			},
			reloadApps: id => void this.asked.push(`reload ${id}`),
		};
		return played as DifyDeployments;
	}

	#createPage({ page, name }: { readonly page: number; readonly name?: string }): AppPage {
		this.asked.push(`page ${page}${name === undefined ? '' : ` “${name}”`}`);
		if (this.failure !== undefined) {
			throw this.failure;
		}
		const apps = this.apps.filter(app => app.name.includes(name ?? ''));
		return { apps: apps.slice((page - 1) * 10, page * 10), page, total: apps.length, hasMore: apps.length > page * 10 };
	}

	#createAppLinks(): AppLinks {
		return {
			onDidChange: this.onDidChange,
			getLink: ({ app }) => this.linked.get(app.id),
			checkLink: async ({ app }) => void this.asked.push(`check ${app.id}`),
		};
	}
}
