import { DisposableBase } from '#base/disposables.ts';
import type { DifyApp, DifyManagement } from '#client/dify/management.ts';
import type { AppOfDeployment } from './difyTypes.ts';

/** How long the list of all apps is cached, in milliseconds. */
const freshMs = 60_000;

interface WholeList {
	readonly at: number;
	readonly apps: Promise<readonly DifyApp[]>;
}

/** Caches the apps of workspaces. */
export class AppLists extends DisposableBase {
	readonly #management: (connectionId: string) => Promise<DifyManagement>;
	readonly #lists = new Map<string, WholeList>();
	/** By connection and app: the `updatedAt` that the list shows, and the app's details. */
	readonly #apps = new Map<string, { readonly updatedAt: number | undefined; readonly app: Promise<DifyApp> }>();

	constructor(management: (connectionId: string) => Promise<DifyManagement>) {
		super();
		this.#management = management;
	}

	/** Loads all apps of a workspace, page by page. */
	loadAppList(connectionId: string): Promise<readonly DifyApp[]> {
		const known = this.#lists.get(connectionId);
		if (known && Date.now() - known.at < freshMs) {
			return known.apps;
		}
		const list = { at: Date.now(), apps: this.#requestPages(connectionId) };
		this.#lists.set(connectionId, list);
		list.apps.catch(() => this.#lists.get(connectionId) === list && this.#lists.delete(connectionId));
		return list.apps;
	}

	/** Loads the details of an app. */
	loadApp({ connectionId, app }: AppOfDeployment): Promise<DifyApp> {
		const key = `${connectionId} ${app.id}`;
		const known = this.#apps.get(key);
		if (known && known.updatedAt === app.updatedAt) {
			return known.app;
		}
		const found = { updatedAt: app.updatedAt, app: this.#management(connectionId).then(management => management.app(app.id)) };
		this.#apps.set(key, found);
		found.app.catch(() => this.#apps.get(key) === found && this.#apps.delete(key));
		return found.app;
	}

	/** Drops everything that is cached for a connection. */
	dropConnection(connectionId: string): void {
		this.#lists.delete(connectionId);
		for (const key of [...this.#apps.keys()].filter(each => each.startsWith(`${connectionId} `))) {
			this.#apps.delete(key);
		}
	}

	async #requestPages(connectionId: string): Promise<readonly DifyApp[]> {
		const management = await this.#management(connectionId);
		const { iterateApps } = await import('#client/dify/managedLists.ts');
		const apps: DifyApp[] = [];
		for await (const app of iterateApps(management)) {
			apps.push(app);
			if (this.disposed) {
				break;
			}
		}
		return apps.sort((a, b) => a.name.localeCompare(b.name));
	}
}
