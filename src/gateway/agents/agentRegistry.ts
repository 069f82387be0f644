import type { AppMode } from '#agentFile/appModes.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import type { AgentCheck, AgentSummary, PublishedAgent } from '#contract/agents.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { Log } from '../process/log.ts';
import type { AgentRow, AgentStore } from '../store/agentStore.ts';
import type { RunRow } from '../store/runRows.ts';
import { type AgentDescription, AgentDescriptions } from './agentDescriptions.ts';
import type { AgentFile } from './agentFolder.ts';
import { ServedFolders } from './agentFolders.ts';
import { type AgentSecrets, getHeldSecrets, MissingSecret } from './agentSecrets.ts';
import { summarizeFile, summarizeRemote, toAgentCheck } from './agentSummary.ts';
import { type AgentLoader, AgentTexts, checkReadable } from './agentTexts.ts';

/** An agent ready to run, with its row in the store. */
export interface RunnableAgent {
	readonly row: AgentRow;
	readonly agent: LoadedAgent;
	readonly workflowId: string;
	readonly draft: boolean;
	/** The text of a draft; null for a published version, which is stored by its workflow ID. */
	readonly source: string | null;
}

/**
 * The agents served by this gateway: files in its agent folders, and remote agents on a Dify deployment. The first run of an agent that was
 * never published publishes its current file. Later edits are its draft until it's published again. Nothing else publishes automatically: a
 * file that is being edited is listed and described as it is.
 */
export class AgentRegistry {
	readonly #store: AgentStore;
	readonly #texts: AgentTexts;
	readonly #descriptions: AgentDescriptions;
	/** Names of remote agents on Dify deployments. */
	readonly #remote: ReadonlySet<string>;
	readonly #secrets: AgentSecrets;
	readonly #listeners = new Set<() => void>();
	readonly #secretListeners = new Set<() => void>();
	readonly #folders: ServedFolders;

	/**
	 * @param loader called for the first agent that must be read, because the engine takes longer to load than the rest of the gateway
	 * @param codeVersion changes with the code that reads agents
	 */
	constructor(
		store: AgentStore,
		{ loader, codeVersion }: { readonly loader: () => Promise<AgentLoader>; readonly codeVersion: string },
		remote: ReadonlySet<string>,
		secrets: AgentSecrets,
		log: Log,
	) {
		this.#secrets = secrets;
		this.#store = store;
		this.#texts = new AgentTexts(loader);
		this.#descriptions = new AgentDescriptions(this.#texts, store.descriptions, codeVersion);
		this.#remote = remote;
		this.#folders = new ServedFolders(() => this.#notifyListeners(), log);
	}

	/** Serves the agents of a folder until the returned function is called. Resolves once its files have been read. */
	async addFolder(path: string): Promise<() => void> {
		const { isNew, opened, release } = this.#folders.addUser(path);
		await opened;
		await this.waitUntilReady();
		if (isNew) {
			this.#notifyListeners();
		}
		return release;
	}

	/** Calls `listener` after agents were added, removed or changed, until the returned function is called. */
	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Resolves once all added folders have been read and the engine can read agents. */
	async waitUntilReady(): Promise<void> {
		if (this.#folders.isEmpty) {
			return;
		}
		await this.#texts.waitUntilReady();
		await this.#folders.waitUntilOpen();
	}

	/** Returns all agents, by name. */
	async listAgents(): Promise<readonly AgentSummary[]> {
		await this.#folders.waitUntilOpen();
		await this.#folders.readReportedChanges();
		const remote = [...this.#remote].map(summarizeRemote);
		const files = [...this.#folders.getFiles().values()].filter(({ name }) => !this.#remote.has(name));
		const local = await this.#descriptions.mapDescriptions(files, (file, description) => this.#createSummary(file, description));
		return [...remote, ...local].sort((a, b) => (a.name < b.name ? -1 : 1));
	}

	/** Returns one agent as in {@link listAgents}. Throws an error (404) for an unknown one. */
	async getAgentSummary(name: string): Promise<AgentSummary> {
		await this.waitUntilReady();
		return this.#remote.has(name) ? summarizeRemote(name) : this.#summarizeFile(await this.#getFile(name));
	}

	/**
	 * Returns an agent's row, even if its file was deleted, because its runs are kept. Throws an error (404) for a name that was never used.
	 */
	async getAgentRow(name: string): Promise<AgentRow> {
		await this.waitUntilReady();
		const file = await this.#findFile(name);
		const row = this.#store.get(file?.name ?? name);
		if (!row && !file) {
			throw createUnknownAgentError(name);
		}
		return row ?? this.#store.ensureAgent(file?.name ?? name);
	}

	/** Returns the mode in the agent's file; undefined if it can't be read. */
	async getAgentMode(name: string): Promise<AppMode | undefined> {
		await this.waitUntilReady();
		const file = await this.#findFile(name);
		const result = file && this.#texts.readDraft(file);
		return result instanceof Error ? undefined : result?.mode;
	}

	/**
	 * Returns an agent's published version. Publishes the agent first if it never was. Throws an error: 404 unknown, 400 not published or
	 * invalid.
	 */
	async getPublishedVersion(name: string, isReplay = false): Promise<RunnableAgent> {
		await this.waitUntilReady();
		const file = await this.#publishFirst(await this.#getFile(name));
		const row = this.#store.get(file.name);
		if (!row?.workflow_id) {
			const result = this.#texts.readDraft(file);
			throw result instanceof Error && !row?.first_published_at
				? new ServiceFault(400, localizable`Couldn't load the agent: ${result.message}`, { code: 'app_unavailable' })
				: new ServiceFault(400, 'Workflow not published');
		}
		const agent = this.#secrets.fillSecrets(file.name, file.file, this.#readVersion(row.workflow_id, file.file), isReplay);
		return { row, agent, workflowId: row.workflow_id, draft: false, source: null };
	}

	/**
	 * Returns the version that a run would use: the published one, or the file if the agent was never published. Throws the same errors as
	 * {@link getPublishedVersion}.
	 */
	async getDescribedVersion(name: string): Promise<Pick<RunnableAgent, 'row' | 'agent'>> {
		await this.waitUntilReady();
		const file = await this.#getFile(name);
		return this.#hasBeenPublished(file) ? this.getPublishedVersion(name) : this.getDraft(name);
	}

	/** Returns the names of local agents that can be called: those that are published, or that their first run would publish. */
	async listCallableAgents(): Promise<readonly string[]> {
		await this.waitUntilReady();
		const files = [...this.#folders.getFiles().values()].filter(({ name }) => !this.#remote.has(name));
		const names = await this.#descriptions.mapDescriptions(files, (file, description) =>
			this.#isCallable(file, description) ? file.name : undefined,
		);
		return names.filter(name => name !== undefined);
	}

	/** Returns an agent with its current file, or with `source` instead. Throws an error: 404 unknown, 400 invalid. */
	async getDraft(name: string, source?: string, isReplay = false): Promise<RunnableAgent> {
		await this.waitUntilReady();
		if (source !== undefined) {
			await this.#texts.waitUntilReady();
		}
		const file = await (source === undefined ? this.#getFile(name) : this.#findFile(name));
		const row = this.#store.ensureAgent(file?.name ?? name);
		const text = source ?? file?.text ?? '';
		const result = source === undefined && file ? this.#texts.readDraft(file) : this.#texts.readSource(text, file?.file ?? `${name}.yml`);
		// a draft has no workflow ID, so it gets the app's ID
		const agent = this.#secrets.fillSecrets(row.name, file?.file, checkReadable(result), isReplay);
		return { row, agent, workflowId: row.app_id, draft: true, source: text };
	}

	/**
	 * Returns the agent that a run started with, even if its file has changed: the published version with this workflow ID, or the draft with
	 * this text. `secrets` are the names of the secrets that had values then. Throws an error (400) if the agent is invalid, and a {@link
	 * MissingSecret} if one of these secrets has no value now.
	 */
	async getStartedVersion(id: number, workflowId: string, source: string | null, secrets: readonly string[] = []): Promise<RunnableAgent> {
		const row = this.#store.getById(id) as AgentRow;
		const agent = await this.#readStarted(row, workflowId, source);
		await this.waitUntilReady();
		const filled = this.#secrets.fillSecrets(row.name, this.#folders.getFiles().get(row.name)?.file, agent);
		const held = getHeldSecrets(filled);
		const missing = secrets.find(name => !held.includes(name));
		if (missing !== undefined) {
			throw new MissingSecret(
				localizable`The secret '${missing}' of the agent '${row.name}' no longer has a value. Provide it again, for example by running the agent from the editor.`,
			);
		}
		return { row, agent: filled, workflowId, draft: source !== null, source };
	}

	/** Returns the properties of a run's agent that shape its chat events. If the agent can't be read anymore, returns those of a chatflow. */
	async getTurnForm({
		agent,
		workflow_id: workflowId,
	}: Pick<RunRow, 'agent' | 'workflow_id'>): Promise<Pick<LoadedAgent, 'mode' | 'features'>> {
		return this.#readStarted(this.#store.getById(agent) as AgentRow, workflowId, null).catch(() => ({
			mode: 'advanced-chat',
			features: {},
		}));
	}

	/**
	 * Sets values for secrets that an agent's file has no value for, until this process ends. `file` is the file that they are meant for.
	 * Throws an error: 404 unknown, 409 if the agent is served from another file.
	 */
	async setSecrets(name: string, file: string, values: Readonly<Record<string, string>>): Promise<void> {
		await this.waitUntilReady();
		const served = (await this.#getFile(name)).file;
		if (served !== file) {
			throw new ServiceFault(
				409,
				localizable`The agent '${name.slice(0, 100)}' is served from a different file than the one these secrets belong to.`,
			);
		}
		this.#secrets.set(served, values);
		for (const listener of this.#secretListeners) {
			listener();
		}
	}

	/** Calls `listener` after clients have provided secrets. */
	onSecrets(listener: () => void): void {
		this.#secretListeners.add(listener);
	}

	/** Reads a text as an agent file and returns its content and problems. Stores nothing. */
	async checkSource(name: string, source: string): Promise<AgentCheck> {
		await this.#texts.waitUntilReady();
		return toAgentCheck(this.#texts.readText(source, `${name}.yml`));
	}

	/** Returns the source of an agent's published version. Throws an error (404) for an unknown agent. */
	async getPublishedSource(name: string): Promise<PublishedAgent> {
		await this.waitUntilReady();
		const file = await this.#getFile(name);
		const workflowId = this.#store.get(file.name)?.workflow_id ?? null;
		return { workflow_id: workflowId, source: (workflowId && this.#store.getVersion(workflowId)?.source) || null };
	}

	/** Publishes an agent's current file. Throws an error: 404 unknown, 400 invalid. */
	async publishAgent(name: string): Promise<AgentSummary> {
		await this.waitUntilReady();
		await this.#folders.refreshFolders();
		const file = await this.#getFile(name);
		checkReadable(this.#texts.readDraft(file));
		this.#store.publishVersion(file.name, file.text, Date.now());
		this.#notifyListeners();
		return this.#summarizeFile(file);
	}

	/** Unpublishes an agent. Throws an error (404) for an unknown one. */
	async unpublishAgent(name: string): Promise<AgentSummary> {
		await this.waitUntilReady();
		const file = await this.#getFile(name);
		this.#store.unpublishAgent(file.name, Date.now());
		this.#notifyListeners();
		return this.#summarizeFile(file);
	}

	close(): void {
		this.#folders.close();
		this.#listeners.clear();
	}

	/** Returns the version that a run started with, without its secrets. */
	async #readStarted({ name }: AgentRow, workflowId: string, source: string | null): Promise<LoadedAgent> {
		await this.#texts.waitUntilReady();
		return source === null ? this.#readVersion(workflowId, `${name}.yml`) : checkReadable(this.#texts.readText(source, `${name}.yml`));
	}

	#notifyListeners(): void {
		for (const listener of this.#listeners) {
			listener();
		}
	}

	async #getFile(name: string): Promise<AgentFile> {
		const file = await this.#findFile(name);
		if (!file) {
			throw createUnknownAgentError(name);
		}
		return file;
	}

	/** Finds an agent file by its name, or by `app.name` if that is unique. */
	async #findFile(name: string): Promise<AgentFile | undefined> {
		const files = this.#folders.getFiles();
		const exact = files.get(name);
		if (exact) {
			return exact;
		}
		const named = await this.#descriptions.mapDescriptions([...files.values()], (file, description) =>
			!(description instanceof Error) && description.appName === name ? file : undefined,
		);
		const aliased = named.filter(file => file !== undefined);
		return aliased.length === 1 ? aliased[0] : undefined;
	}

	async #summarizeFile(file: AgentFile): Promise<AgentSummary> {
		const [summary] = await this.#descriptions.mapDescriptions([file], (_, description) => this.#createSummary(file, description));
		return summary as AgentSummary;
	}

	#createSummary(file: AgentFile, description: AgentDescription | Error): AgentSummary {
		const row = this.#store.get(file.name);
		const source = row?.workflow_id ? this.#store.getVersion(row.workflow_id)?.source : undefined;
		return summarizeFile(file, description, row?.workflow_id ?? null, source);
	}

	/** Publishes an agent file that was never published, as it is on disk now, and returns it. */
	async #publishFirst(file: AgentFile): Promise<AgentFile> {
		if (this.#hasBeenPublished(file)) {
			return file;
		}
		await this.#folders.refreshFolders();
		// if the file was removed meanwhile, don't publish another one with the same name
		const saved = this.#folders.getFiles().get(file.name);
		if (!saved) {
			throw createUnknownAgentError(file.name);
		}
		if (!this.#hasBeenPublished(saved) && !(this.#texts.readDraft(saved) instanceof Error)) {
			this.#store.publishVersion(saved.name, saved.text, Date.now());
			this.#notifyListeners();
		}
		return saved;
	}

	/** True if the agent was published or unpublished before. */
	#hasBeenPublished({ name }: AgentFile): boolean {
		return (this.#store.get(name)?.first_published_at ?? null) !== null;
	}

	#isCallable(file: AgentFile, description: AgentDescription | Error): boolean {
		return this.#hasBeenPublished(file) ? this.#store.get(file.name)?.workflow_id !== null : !(description instanceof Error);
	}

	#readVersion(workflowId: string, fileName: string): LoadedAgent {
		return this.#texts.readVersion(workflowId, () => this.#store.getVersion(workflowId)?.source ?? '', fileName);
	}
}

function createUnknownAgentError(name: string): ServiceFault {
	return new ServiceFault(404, localizable`Agent not found: '${name.slice(0, 100)}'. Expected the name of a file in an agent folder.`);
}
