import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { ExportedApp } from '#client/dify/management.ts';
import { readApp } from '#dify/content/appContent.ts';
import { compareApps } from '#dify/content/appDifference.ts';
import { getLinkState } from '#dify/linkState.ts';
import type { LinkState } from '#dify/linkTypes.ts';
import { runInBackground } from '../../platform/background.ts';
import type { AppLink, AppLinks, AppOfDeployment, DifyDeployments } from '../difyTypes.ts';
import { readFileText } from './fileTexts.ts';
import { type LinkedFile, LinkedFiles } from './linkedFiles.ts';

/** How long exported apps are cached, in milliseconds. Limited because not every change of a draft changes its `updatedAt`. */
const keptMs = 60_000;
/** Maximum number of exported apps in the cache. */
const mostKept = 50;

interface Kept {
	readonly of: AppOfDeployment;
	readonly there: ExportedApp;
	readonly at: number;
}

/** Links the workspace's agent files to apps by their sidecar files, and compares each file with its app. */
export class LinkedApps extends DisposableBase implements AppLinks {
	readonly #changed = this.register(new vscode.EventEmitter<string>());
	readonly onDidChange = this.#changed.event;
	readonly #deployments: DifyDeployments;
	readonly #log: vscode.LogOutputChannel;
	readonly #files: LinkedFiles;
	/** Exported apps, the latest last. */
	readonly #kept = new Map<string, Kept>();
	readonly #states = new Map<string, { readonly state: LinkState; readonly nodes: number }>();

	constructor({ deployments, log }: { readonly deployments: DifyDeployments; readonly log: vscode.LogOutputChannel }) {
		super();
		this.#deployments = deployments;
		this.#log = log;
		this.#files = this.register(new LinkedFiles(log));
		this.register(this.#files.onDidChange(files => this.#onFilesChange(files)));
		runInBackground(this.#files.loadFiles(), log, 'Links with Dify');
	}

	getLink(of: AppOfDeployment): AppLink | undefined {
		const [file] = this.listKnownFiles(of);
		return file && { uri: file.uri, state: undefined, ...this.#states.get(formatKey(of)) };
	}

	/** Returns the known files of an app. */
	listKnownFiles({ connectionId, app }: AppOfDeployment): readonly LinkedFile[] {
		const standing = this.#deployments.getState(connectionId);
		const workspace = standing.kind === 'signed-in' ? standing.workspaceId : undefined;
		return this.#files
			.listFiles()
			.filter(
				({ link }) =>
					link.app_id === app.id &&
					(workspace === undefined || link.workspace_id === workspace) &&
					this.#deployments.listConnectionsAt(link.origin).includes(connectionId),
			);
	}

	/** Returns all files of an app. */
	async loadFiles(of: AppOfDeployment): Promise<readonly LinkedFile[]> {
		await this.#files.loadFiles();
		return this.listKnownFiles(of);
	}

	async checkLink(of: AppOfDeployment): Promise<void> {
		const [file] = await this.loadFiles(of);
		if (!file) {
			return;
		}
		const kept = this.#kept.get(formatKey(of));
		const isFresh = kept && kept.of.app.updatedAt === of.app.updatedAt && Date.now() - kept.at < keptMs;
		if (!isFresh) {
			const management = await this.#deployments.getManagement(of.connectionId, { ask: false });
			this.#cacheApp(of, await management.exportApp(of.app.id));
		}
		await this.#compareFiles(of);
	}

	/**
	 * Caches an exported app, and updates the state of its link. `written` is the app's file if it was just written, because the watchers may
	 * be late.
	 */
	async updateLink(of: AppOfDeployment, there: ExportedApp, written?: vscode.Uri): Promise<void> {
		this.#cacheApp(of, there);
		await this.#files.loadFiles();
		if (written) {
			await this.#files.rereadLink(written);
		}
		await this.#compareFiles(of);
	}

	#cacheApp(of: AppOfDeployment, there: ExportedApp): void {
		const key = formatKey(of);
		this.#kept.delete(key);
		this.#kept.set(key, { of, there, at: Date.now() });
		const [oldest] = this.#kept.size > mostKept ? this.#kept.keys() : [];
		if (oldest !== undefined) {
			this.#kept.delete(oldest);
		}
	}

	async #compareFiles(of: AppOfDeployment): Promise<void> {
		const key = formatKey(of);
		const [file] = this.listKnownFiles(of);
		const kept = this.#kept.get(key);
		const before = this.#states.get(key);
		const text = file && (await readFileText(file.uri));
		if (!file || !kept || text === undefined) {
			this.#states.delete(key);
		} else {
			try {
				const [here, there] = [readApp(text), readApp(kept.there.text)];
				const state = getLinkState(file.link.base.content_hash, here, there);
				this.#states.set(key, { state, nodes: compareApps(there, here).nodes.length });
			} catch {
				// the file may be half written
				this.#states.delete(key);
			}
		}
		const now = this.#states.get(key);
		if (before?.state !== now?.state || before?.nodes !== now?.nodes) {
			this.#changed.fire(of.connectionId);
		}
	}

	#onFilesChange(files: readonly LinkedFile[]): void {
		for (const id of new Set(files.flatMap(({ link }) => this.#deployments.listConnectionsAt(link.origin)))) {
			this.#changed.fire(id);
		}
		const ids = new Set(files.map(({ link }) => link.app_id));
		for (const { of } of [...this.#kept.values()].filter(kept => ids.has(kept.of.app.id))) {
			runInBackground(this.#compareFiles(of), this.#log, 'Links with Dify');
		}
	}
}

function formatKey({ connectionId, app }: AppOfDeployment): string {
	return `${connectionId}/${app.id}`;
}
