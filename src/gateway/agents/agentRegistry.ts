import type { AppMode } from '#agentFile/agentFileSchema.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { mapInSlices } from '#base/timing/inSlices.ts';
import type { AgentCheck, AgentSummary, PublishedAgent } from '#contract/agents.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { Log } from '../process/log.ts';
import type { AgentRow, AgentStore } from '../store/agentStore.ts';
import type { RunRow } from '../store/runRows.ts';
import type { AgentFile } from './agentFolder.ts';
import { ServedFolders } from './agentFolders.ts';
import { type AgentSecrets, heldSecrets, MissingSecret } from './agentSecrets.ts';
import { checkOf, summaryOfFile, summaryOfRemote } from './agentSummary.ts';
import { type AgentLoader, AgentTexts, readable } from './agentTexts.ts';

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
 * The agents served by this gateway: files in its agent folders, and remote agents on a Dify deployment. An agent that was never published
 * is published by its first run, as the file is then; later edits are its draft until it's published again. Nothing else publishes
 * automatically: a file being edited is listed and described as it is.
 */
export class AgentRegistry {
	readonly #store: AgentStore;
	readonly #texts: AgentTexts;
	/** Names of remote agents on Dify deployments. */
	readonly #remote: ReadonlySet<string>;
	readonly #secrets: AgentSecrets;
	readonly #listeners = new Set<() => void>();
	readonly #secretListeners = new Set<() => void>();
	readonly #folders: ServedFolders;

	/** `loader` is called for the first agent, because the engine takes longer to load than the rest of the gateway. */
	constructor(store: AgentStore, loader: () => Promise<AgentLoader>, remote: ReadonlySet<string>, secrets: AgentSecrets, log: Log) {
		this.#secrets = secrets;
		this.#store = store;
		this.#texts = new AgentTexts(loader);
		this.#remote = remote;
		this.#folders = new ServedFolders(() => this.#changed(), log);
	}

	/** Serves the agents of a folder until the returned function is called. Resolves once its files have been read. */
	async addFolder(path: string): Promise<() => void> {
		const { isNew, opened, release } = this.#folders.take(path);
		await opened;
		await this.ready();
		if (isNew) {
			this.#changed();
		}
		return release;
	}

	/** Calls back after agents were added, removed or changed, until the returned function is called. */
	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Resolves once all added folders have been read and the engine can read agents. */
	async ready(): Promise<void> {
		if (this.#folders.isEmpty) {
			return;
		}
		await this.#texts.ready();
		await this.#folders.opened();
	}

	/** Returns all agents, by name. */
	async list(): Promise<readonly AgentSummary[]> {
		await this.ready();
		const remote = [...this.#remote].map(summaryOfRemote);
		const files = [...this.#folders.files().values()].filter(({ name }) => !this.#remote.has(name));
		const local = await mapInSlices(files, file => this.#summary(file));
		return [...remote, ...local].sort((a, b) => (a.name < b.name ? -1 : 1));
	}

	/** Returns one agent as in {@link list}. Throws an error (404). */
	async summary(name: string): Promise<AgentSummary> {
		await this.ready();
		return this.#remote.has(name) ? summaryOfRemote(name) : this.#summary(await this.#file(name));
	}

	/** Returns the agent's row, even if its file was deleted, because its runs stay. Throws an error (404) for a name that was never used. */
	async known(name: string): Promise<AgentRow> {
		await this.ready();
		const file = await this.#find(name);
		const row = this.#store.get(file?.name ?? name);
		if (!row && !file) {
			throw unknownAgent(name);
		}
		return row ?? this.#store.ensure(file?.name ?? name);
	}

	/** Returns the mode in the agent's file; undefined if it can't be read. */
	async mode(name: string): Promise<AppMode | undefined> {
		await this.ready();
		const file = await this.#find(name);
		const result = file && this.#texts.draft(file);
		return result instanceof Error ? undefined : result?.mode;
	}

	/** Returns an agent's published version, publishing it if it never was. Throws an error: 404 unknown, 400 not published or invalid. */
	async published(name: string): Promise<RunnableAgent> {
		await this.ready();
		const file = await this.#publishFirst(await this.#file(name));
		const row = this.#store.get(file.name);
		if (!row?.workflow_id) {
			const result = this.#texts.draft(file);
			throw result instanceof Error && !row?.first_published_at
				? new ServiceFault(400, localizable`Couldn't load the agent: ${result.message}`, { code: 'app_unavailable' })
				: new ServiceFault(400, 'Workflow not published');
		}
		const agent = this.#secrets.fill(file.name, file.file, this.#version(row.workflow_id, file.file));
		return { row, agent, workflowId: row.workflow_id, draft: false, source: null };
	}

	/**
	 * Returns the version that a run would use: the published one, or the file if it was never published. Throws the same errors as
	 * {@link getPublished}.
	 */
	async described(name: string): Promise<Pick<RunnableAgent, 'row' | 'agent'>> {
		await this.ready();
		const file = await this.#file(name);
		return this.#isKnown(file) ? this.published(name) : this.draft(name);
	}

	/** Returns the names of local agents that can be called: published, or publishable by their first run. */
	async callable(): Promise<readonly string[]> {
		await this.ready();
		const files = [...this.#folders.files().values()].filter(({ name }) => !this.#remote.has(name));
		const names = await mapInSlices(files, file => (this.#isCallable(file) ? file.name : undefined));
		return names.filter(name => name !== undefined);
	}

	/** Returns an agent's current file, or `source` instead. Throws an error: 404 unknown, 400 invalid. */
	async draft(name: string, source?: string): Promise<RunnableAgent> {
		await this.ready();
		if (source !== undefined) {
			await this.#texts.ready();
		}
		const file = await (source === undefined ? this.#file(name) : this.#find(name));
		const row = this.#store.ensure(file?.name ?? name);
		const text = source ?? file?.text ?? '';
		const result = source === undefined && file ? this.#texts.draft(file) : this.#texts.read(text, file?.file ?? `${name}.yml`);
		// a draft has no workflow ID, so use the app's
		const agent = this.#secrets.fill(row.name, file?.file, readable(result));
		return { row, agent, workflowId: row.app_id, draft: true, source: text };
	}

	/**
	 * Returns the agent that a run started with, even if its file has changed: the published version with this workflow ID, or the draft with
	 * this text.
	 * `secrets` are the names of those that had values then. Throws an error (400) if it's invalid, and a {@link MissingSecret} if one of
	 * them has no value now.
	 */
	async asBegun(id: number, workflowId: string, source: string | null, secrets: readonly string[] = []): Promise<RunnableAgent> {
		const row = this.#store.byId(id) as AgentRow;
		const agent = await this.#asWritten(row, workflowId, source);
		await this.ready();
		const filled = this.#secrets.fill(row.name, this.#folders.files().get(row.name)?.file, agent);
		const held = heldSecrets(filled);
		const missing = secrets.find(name => !held.includes(name));
		if (missing !== undefined) {
			throw new MissingSecret(
				localizable`The secret '${missing}' of the agent '${row.name}' has no value anymore. Provide it again, for example by running the agent from the editor.`,
			);
		}
		return { row, agent: filled, workflowId, draft: source !== null, source };
	}

	/** Returns the properties of a run's agent that shape its chat events; those of a chatflow if the agent can't be read any more. */
	async formOf({ agent, workflow_id: workflowId }: Pick<RunRow, 'agent' | 'workflow_id'>): Promise<Pick<LoadedAgent, 'mode' | 'features'>> {
		return this.#asWritten(this.#store.byId(agent) as AgentRow, workflowId, null).catch(() => ({ mode: 'advanced-chat', features: {} }));
	}

	/**
	 * Sets values for secrets without a value in an agent's file, until this process ends; `file` is the file they are meant for. Throws an
	 * error: 404 unknown, 409 if the agent is served from another file.
	 */
	async giveSecrets(name: string, file: string, values: Readonly<Record<string, string>>): Promise<void> {
		await this.ready();
		const served = (await this.#file(name)).file;
		if (served !== file) {
			throw new ServiceFault(
				409,
				localizable`The agent '${name.slice(0, 100)}' is served from a different file than these secrets are for.`,
			);
		}
		this.#secrets.give(served, values);
		for (const listener of this.#secretListeners) {
			listener();
		}
	}

	/** Calls back after secrets were provided. */
	onSecrets(listener: () => void): void {
		this.#secretListeners.add(listener);
	}

	/** Reads a text as an agent file and returns its content and problems, without storing anything. */
	async check(name: string, source: string): Promise<AgentCheck> {
		await this.#texts.ready();
		return checkOf(this.#texts.read(source, `${name}.yml`));
	}

	/** Returns the source of an agent's published version. Throws an error (404). */
	async publishedSource(name: string): Promise<PublishedAgent> {
		await this.ready();
		const file = await this.#file(name);
		const workflowId = this.#store.get(file.name)?.workflow_id ?? null;
		return { workflow_id: workflowId, source: (workflowId && this.#store.version(workflowId)?.source) || null };
	}

	/** Publishes an agent's current file. Throws an error: 404 unknown, 400 invalid. */
	async publish(name: string): Promise<AgentSummary> {
		await this.ready();
		await this.#folders.refresh();
		const file = await this.#file(name);
		readable(this.#texts.draft(file));
		this.#store.publish(file.name, file.text, Date.now());
		this.#changed();
		return this.#summary(file);
	}

	/** Unpublishes an agent. Throws an error (404). */
	async unpublish(name: string): Promise<AgentSummary> {
		await this.ready();
		const file = await this.#file(name);
		this.#store.unpublish(file.name, Date.now());
		this.#changed();
		return this.#summary(file);
	}

	close(): void {
		this.#folders.close();
		this.#listeners.clear();
	}

	/** Returns the version that a run started with, without its secrets. */
	async #asWritten({ name }: AgentRow, workflowId: string, source: string | null): Promise<LoadedAgent> {
		await this.#texts.ready();
		return source === null ? this.#version(workflowId, `${name}.yml`) : readable(this.#texts.read(source, `${name}.yml`));
	}

	#changed(): void {
		for (const listener of this.#listeners) {
			listener();
		}
	}

	async #file(name: string): Promise<AgentFile> {
		const file = await this.#find(name);
		if (!file) {
			throw unknownAgent(name);
		}
		return file;
	}

	/** Finds a file by its name, or by `app.name` if that is unique. */
	async #find(name: string): Promise<AgentFile | undefined> {
		const files = this.#folders.files();
		const exact = files.get(name);
		if (exact) {
			return exact;
		}
		const named = await mapInSlices(files.values(), file => {
			const result = this.#texts.draft(file);
			return !(result instanceof Error) && result.appName === name ? file : undefined;
		});
		const aliased = named.filter(file => file !== undefined);
		return aliased.length === 1 ? aliased[0] : undefined;
	}

	#summary(file: AgentFile): AgentSummary {
		const row = this.#store.get(file.name);
		const source = row?.workflow_id ? this.#store.version(row.workflow_id)?.source : undefined;
		return summaryOfFile(file, this.#texts.draft(file), row?.workflow_id ?? null, source);
	}

	/** Publishes a file that never was, as it is on disk now; returns it. */
	async #publishFirst(file: AgentFile): Promise<AgentFile> {
		if (this.#isKnown(file)) {
			return file;
		}
		await this.#folders.refresh();
		// if the file is gone meanwhile, don't publish another one with the same name instead
		const saved = this.#folders.files().get(file.name);
		if (!saved) {
			throw unknownAgent(file.name);
		}
		if (!this.#isKnown(saved) && !(this.#texts.draft(saved) instanceof Error)) {
			this.#store.publish(saved.name, saved.text, Date.now());
			this.#changed();
		}
		return saved;
	}

	/** True if the agent was published or unpublished before. */
	#isKnown({ name }: AgentFile): boolean {
		return (this.#store.get(name)?.first_published_at ?? null) !== null;
	}

	#isCallable(file: AgentFile): boolean {
		return this.#isKnown(file) ? this.#store.get(file.name)?.workflow_id !== null : !(this.#texts.draft(file) instanceof Error);
	}

	#version(workflowId: string, fileName: string): LoadedAgent {
		return this.#texts.version(workflowId, () => this.#store.version(workflowId)?.source ?? '', fileName);
	}
}

function unknownAgent(name: string): ServiceFault {
	return new ServiceFault(404, localizable`Agent not found: '${name.slice(0, 100)}'. Expected the name of a file in an agent folder.`);
}
