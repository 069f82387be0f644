import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { DifyCommand } from '#base/commandIds.ts';
import type { AppVersion, DifyManagement, ManagementOperation } from '#client/dify/management.ts';
import { ServiceError } from '#client/errors/serviceError.ts';
import { readApp } from '#dify/content/appContent.ts';
import { getLinkPath, serializeLink } from '#dify/files/linkFile.ts';
import { createLink } from '#dify/linkMade.ts';
import type { ConnectionEntry } from '#editor/connections/connectionEntries.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import { DifyAppActions } from '#editor/dify/apps/appActions.ts';
import { LinkedApps } from '#editor/dify/apps/linkedApps.ts';
import type { AppOfDeployment, DifyDeployments } from '#editor/dify/difyTypes.ts';
import { addRemedies } from '#editor/dify/remedies.ts';
import { HeldDeployment } from '../../unit/dify/heldDeployment.ts';
import { type Answers, answerDialogs, type Shown } from './answers.ts';
import { MemoryState } from './memoryState.ts';
import { recordCommands } from './recordedCommands.ts';

export const origin = 'https://dify.test';
const workspaceId = 'space-1';

/** A running deployment that replaces the one in memory. */
export interface Served {
	readonly management: DifyManagement;
	readonly workspaceId: string;
}

/** Result of a command. */
export interface Done extends Shown {
	/** The command's error, which its registrar shows. */
	readonly error: Error | undefined;
	/** Editor commands, such as `vscode.diff`, with their arguments. */
	readonly executed: readonly (readonly [id: string, ...args: unknown[]])[];
}

/** App commands in a separate folder, with a deployment in memory and one connection to it. */
export class AppsUnderTest {
	readonly held: HeldDeployment;
	readonly folder: string;
	readonly actions: DifyAppActions;
	readonly links: LinkedApps;
	/** Number of times that the user must sign in first. */
	signInEnded = 0;
	readonly #versions: AppVersion[] = [];
	readonly #texts = new Map<string, string>();
	/** Operations that the deployment offers in addition to those in memory. */
	readonly #offers: readonly ManagementOperation[] = ['app', 'versions', 'restore'];
	/** Operations that the deployment doesn't offer. */
	lacks: readonly ManagementOperation[] = [];
	readonly memory: MemoryState;
	readonly #served: Served | undefined;
	readonly #log = vscode.window.createOutputChannel('Apps under test', { log: true });

	/** `beside`: another window with the same folder, deployment and memory. */
	constructor(beside?: AppsUnderTest, served?: Served) {
		this.held = beside?.held ?? new HeldDeployment('openapi-1.18');
		this.#served = beside ? beside.#served : served;
		this.folder = beside?.folder ?? fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'aw-apps-')));
		this.memory = beside?.memory ?? new MemoryState();
		fs.mkdirSync(this.agents, { recursive: true });
		const connection = { id: 'dify', name: 'Test Dify', kind: 'dify', user: 'ana', baseUrl: origin } as const;
		const connections = {
			list: () => [connection],
			get: (id: string) => (id === connection.id ? connection : undefined),
		} as unknown as Connections;
		const deployments = this.#createDeployments();
		this.links = new LinkedApps({ deployments, log: this.#log });
		this.actions = new DifyAppActions({
			connections,
			agentFolders: () => [this.agents],
			log: this.#log,
			context: { workspaceState: this.memory },
			deployments,
			links: this.links,
			backups: this.backups,
		});
	}

	get agents(): string {
		return path.join(this.folder, 'agents');
	}

	get backups(): string {
		return path.join(this.folder, 'backups');
	}

	/** Returns the backups of overwritten texts, oldest first. */
	readBackups(): string[] {
		const files = fs.existsSync(this.backups) ? fs.globSync('*/*.yml', { cwd: this.backups }) : [];
		return files
			.sort((a, b) => path.basename(a).localeCompare(path.basename(b)))
			.map(file => fs.readFileSync(path.join(this.backups, file), 'utf8'));
	}

	toAppOfDeployment(id: string): AppOfDeployment {
		const name = String((readApp(this.held.getText(id)).whole as { app: { name: string } }).app.name);
		return { connectionId: 'dify', app: { id, name, description: '', mode: 'workflow', updatedAt: 0 } };
	}

	getFileUri(name: string): vscode.Uri {
		return vscode.Uri.file(path.join(this.agents, name));
	}

	readFile(name: string): string {
		return fs.readFileSync(path.join(this.agents, name), 'utf8');
	}

	writeFile(name: string, text: string): vscode.Uri {
		fs.writeFileSync(path.join(this.agents, name), text);
		return this.getFileUri(name);
	}

	/** Writes a file as a pull does, with a sidecar file whose base is the deployment's current draft. */
	writePulledFile(name: string, id: string, text = this.held.getText(id), at = origin): vscode.Uri {
		const there = { text: this.held.getText(id), draftHash: undefined };
		const link = createLink({ origin: at, workspace_id: workspaceId, app_id: id }, there, readApp(there.text));
		this.writeFile(path.basename(getLinkPath(name)), serializeLink(link));
		return this.writeFile(name, text);
	}

	/** Publishes the draft, as another user does in the browser. */
	publishDraft(id: string, name: string): AppVersion {
		for (const [at, version] of this.#versions.entries()) {
			this.#versions[at] = { ...version, current: false };
		}
		const version = { id: `v${this.#versions.length + 1}`, name, comment: '', by: 'ana', createdAt: 1_790_000_000, current: true };
		this.#versions.unshift(version);
		this.#texts.set(version.id, this.held.getText(id));
		return version;
	}

	/** Runs a command and answers its dialogs. */
	async runCommand(command: DifyCommand, argument: unknown, answers: Answers = {}, selected?: unknown): Promise<Done> {
		let error: Error | undefined;
		let shown: Shown | undefined;
		const executed = await recordCommands(async () => {
			shown = await answerDialogs(answers, async () => {
				try {
					await this.actions.handlers[command]?.(argument, selected);
				} catch (cause) {
					error = cause as Error;
				}
			});
		});
		return { ...(shown as Shown), error, executed };
	}

	async dispose(): Promise<void> {
		this.actions.dispose();
		this.links.dispose();
		fs.rmSync(this.folder, { recursive: true, force: true });
	}

	#createDeployments(): DifyDeployments {
		const never = new vscode.EventEmitter<string>();
		return {
			onDidChange: never.event,
			getState: () => ({
				kind: 'signed-in',
				account: 'ana@example.com',
				workspaceId: this.#served?.workspaceId ?? workspaceId,
				workspace: 'Space',
			}),
			getDeployment: async () => this.#createManagement().deployment,
			getManagement: async () => this.#createManagement(),
			getWorkspace: async () => ({ id: workspaceId, name: 'Space', role: 'owner', current: true }),
			loadAppPage: async () => this.#createManagement().apps({ page: 1 }),
			loadApp: async ({ app }) => app,
			loadApps: async () => (await this.#createManagement().apps({ page: 1 })).apps,
			reloadApps: () => {},
			listConnectionsAt: at => (at === (this.#served?.management.deployment.origin ?? origin) ? ['dify'] : []),
			getAppUrl: async (_id, appId) => `${origin}/app/${appId}/workflow`,
		};
	}

	#createManagement(): DifyManagement {
		const entry = { id: 'dify', name: 'Test Dify', kind: 'dify', user: 'ana', baseUrl: origin } as ConnectionEntry;
		if (this.#served) {
			return addRemedies(this.#served.management, entry, () => {});
		}
		const { asked } = this.held;
		const dead = this.signInEnded > 0;
		this.signInEnded -= dead ? 1 : 0;
		const rejectRequest = () => Promise.reject(new ServiceError('auth', 'The service responded with status 401.', { status: 401 }));
		const management: DifyManagement = {
			...asked,
			deployment: { ...asked.deployment, origin },
			offers: new Set([...asked.offers, ...this.#offers].filter(operation => !this.lacks.includes(operation))),
			app: async id => this.toAppOfDeployment(id).app,
			versions: async () => ({ versions: this.#versions, hasMore: false }),
			restore: async (id, versionId) => this.held.putApp(id, this.#texts.get(versionId) ?? ''),
			exportApp: dead
				? rejectRequest
				: async (id, query, options) => {
						options?.signal?.throwIfAborted();
						const text = this.#texts.get(query?.versionId ?? '');
						return text === undefined ? asked.exportApp(id, query, options) : { text, draftHash: undefined };
					},
		};
		// the editor adds these remedies
		return addRemedies(management, entry, () => {});
	}
}
