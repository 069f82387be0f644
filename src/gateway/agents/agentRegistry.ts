import type { AppMode } from '#agentFile/agentFileSchema.ts';
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

/** An agent that can be run: what the store knows of it, and the version to run. */
export interface RunnableAgent {
	readonly row: AgentRow;
	readonly agent: LoadedAgent;
	readonly workflowId: string;
	readonly draft: boolean;
	/** The text of a draft; null for a published version, which is kept by its workflow ID. */
	readonly source: string | null;
}

/**
 * The agents that this gateway serves: files of its agents folders, and names that run on a Dify deployment. A file that was never published is
 * published when its agent is first run, as it stands on the disk then; later edits are its draft until it is published again. Nothing else publishes: a
 * file that is being written is listed, and asked about, as it stands.
 */
export class AgentRegistry {
	readonly #store: AgentStore;
	readonly #texts: AgentTexts;
	/** Names of agents that run on Dify deployments. */
	readonly #remote: ReadonlySet<string>;
	readonly #secrets: AgentSecrets;
	readonly #listeners = new Set<() => void>();
	readonly #secretListeners = new Set<() => void>();
	readonly #folders: ServedFolders;

	/** `loader` is asked for at the first agent: the engine takes longer to load than the rest of the gateway. */
	constructor(store: AgentStore, loader: () => Promise<AgentLoader>, remote: ReadonlySet<string>, secrets: AgentSecrets, log: Log) {
		this.#secrets = secrets;
		this.#store = store;
		this.#texts = new AgentTexts(loader);
		this.#remote = remote;
		this.#folders = new ServedFolders(() => this.#changed(), log);
	}

	/** Serves the agents of a folder until the returned function is called. Resolves when its files have been read. */
	async addFolder(path: string): Promise<() => void> {
		const { isNew, opened, release } = this.#folders.take(path);
		await opened;
		await this.ready();
		if (isNew) {
			this.#changed();
		}
		return release;
	}

	/** Calls back after agents came, went or changed, until the returned function is called. */
	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Resolves when all folders that were added have been read and the engine can read agents. */
	async ready(): Promise<void> {
		if (this.#folders.isEmpty) {
			return;
		}
		await this.#texts.ready();
		await this.#folders.opened();
	}

	/** Every agent, by name. */
	async list(): Promise<readonly AgentSummary[]> {
		await this.ready();
		const remote = [...this.#remote].map(summaryOfRemote);
		const files = [...this.#folders.files().values()].filter(({ name }) => !this.#remote.has(name));
		const local = await mapInSlices(files, file => this.#summary(file));
		return [...remote, ...local].sort((a, b) => (a.name < b.name ? -1 : 1));
	}

	/** One agent as {@link list} has it. Throws a fault (404). */
	async summary(name: string): Promise<AgentSummary> {
		await this.ready();
		return this.#remote.has(name) ? summaryOfRemote(name) : this.#summary(await this.#file(name));
	}

	/** What the store knows of an agent, whose file may be gone: its runs stay. Throws a fault (404) for a name it has never seen. */
	async known(name: string): Promise<AgentRow> {
		await this.ready();
		const file = await this.#find(name);
		const row = this.#store.get(file?.name ?? name);
		if (!row && !file) {
			throw unknownAgent(name);
		}
		return row ?? this.#store.ensure(file?.name ?? name);
	}

	/** What an agent's file says that it is; undefined where that cannot be known. */
	async mode(name: string): Promise<AppMode | undefined> {
		await this.ready();
		const file = await this.#find(name);
		const result = file && this.#texts.draft(file);
		return result instanceof Error ? undefined : result?.mode;
	}

	/** The published version of an agent, to be run: of one that was never published, its file. Throws a fault: 404 unknown, 400 not published or not readable. */
	async published(name: string): Promise<RunnableAgent> {
		await this.ready();
		const file = await this.#publishFirst(await this.#file(name));
		const row = this.#store.get(file.name);
		if (!row?.workflow_id) {
			const result = this.#texts.draft(file);
			throw result instanceof Error && !row?.first_published_at
				? new ServiceFault(400, `The agent cannot be loaded: ${result.message}`, { code: 'app_unavailable' })
				: new ServiceFault(400, 'Workflow not published');
		}
		const agent = this.#secrets.fill(file.name, file.file, this.#version(row.workflow_id, file.file));
		return { row, agent, workflowId: row.workflow_id, draft: false, source: null };
	}

	/** What a run of an agent would be of: its published version, or its file where it was never published. Throws as {@link published} does. */
	async described(name: string): Promise<Pick<RunnableAgent, 'row' | 'agent'>> {
		await this.ready();
		const file = await this.#file(name);
		return this.#isKnown(file) ? this.published(name) : this.draft(name);
	}

	/** Names of the agents of files that can be run by them: published, or to be published by their first run. */
	async callable(): Promise<readonly string[]> {
		await this.ready();
		const files = [...this.#folders.files().values()].filter(({ name }) => !this.#remote.has(name));
		const names = await mapInSlices(files, file => (this.#isCallable(file) ? file.name : undefined));
		return names.filter(name => name !== undefined);
	}

	/** An agent's file as it stands, or `source` in its place. Throws a fault: 404 unknown, 400 not readable. */
	async draft(name: string, source?: string): Promise<RunnableAgent> {
		await this.ready();
		if (source !== undefined) {
			await this.#texts.ready();
		}
		const file = await (source === undefined ? this.#file(name) : this.#find(name));
		const row = this.#store.ensure(file?.name ?? name);
		const text = source ?? file?.text ?? '';
		const result = source === undefined && file ? this.#texts.draft(file) : this.#texts.read(text, file?.file ?? `${name}.yml`);
		// a draft has no workflow of its own: the app stands in for it
		const agent = this.#secrets.fill(row.name, file?.file, readable(result));
		return { row, agent, workflowId: row.app_id, draft: true, source: text };
	}

	/**
	 * The agent that a run was begun with, whatever became of its file: the published version of this workflow ID, or the draft of this text. `secrets` are
	 * names of those that it had values for then. Throws a fault (400) where it cannot be read, and a {@link MissingSecret} where one of them has none now.
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
				`The secret "${missing}" of the agent "${row.name}" had a value when this run began, and has none now: give it again, as by a run of the agent from the editor`,
			);
		}
		return { row, agent: filled, workflowId, draft: source !== null, source };
	}

	/** What the events of a run's chat depend on of its agent; that of a chatflow where the run's agent cannot be read any more. */
	async formOf({ agent, workflow_id: workflowId }: Pick<RunRow, 'agent' | 'workflow_id'>): Promise<Pick<LoadedAgent, 'mode' | 'features'>> {
		return this.#asWritten(this.#store.byId(agent) as AgentRow, workflowId, null).catch(() => ({ mode: 'advanced-chat', features: {} }));
	}

	/**
	 * Takes values for the secrets that an agent's file leaves open, for as long as this process lives; `file` is the file that they are meant for. Throws a
	 * fault: 404 unknown, 409 where the agent is served from another file.
	 */
	async giveSecrets(name: string, file: string, values: Readonly<Record<string, string>>): Promise<void> {
		await this.ready();
		const served = (await this.#file(name)).file;
		if (served !== file) {
			throw new ServiceFault(
				409,
				`The agent "${name.slice(0, 100)}" is served from another file: expected the one that these secrets are for.`,
			);
		}
		this.#secrets.give(served, values);
		for (const listener of this.#secretListeners) {
			listener();
		}
	}

	/** Calls back after somebody has given secrets. */
	onSecrets(listener: () => void): void {
		this.#secretListeners.add(listener);
	}

	/** What a text says as the file of an agent, and what is wrong with it; nothing is kept of it. */
	async check(name: string, source: string): Promise<AgentCheck> {
		await this.#texts.ready();
		return checkOf(this.#texts.read(source, `${name}.yml`));
	}

	/** The published version of an agent as it was written. Throws a fault (404). */
	async publishedSource(name: string): Promise<PublishedAgent> {
		await this.ready();
		const file = await this.#file(name);
		const workflowId = this.#store.get(file.name)?.workflow_id ?? null;
		return { workflow_id: workflowId, source: (workflowId && this.#store.version(workflowId)?.source) || null };
	}

	/** Publishes an agent's file as it stands. Throws a fault: 404 unknown, 400 not readable. */
	async publish(name: string): Promise<AgentSummary> {
		await this.ready();
		await this.#folders.refresh();
		const file = await this.#file(name);
		readable(this.#texts.draft(file));
		this.#store.publish(file.name, file.text, Date.now());
		this.#changed();
		return this.#summary(file);
	}

	/** Takes an agent's published version back. Throws a fault (404). */
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

	/** What a run was begun with, without its secrets. */
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

	/** By file name, or by `app.name` where only one file has it. */
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

	/** Publishes a file that never was, as it stands on the disk just now; returns it. */
	async #publishFirst(file: AgentFile): Promise<AgentFile> {
		if (this.#isKnown(file)) {
			return file;
		}
		await this.#folders.refresh();
		// where the file has gone meanwhile, no other that goes by its name is published in its place
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

	/** Whether somebody has said already what is published of it. */
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
	return new ServiceFault(404, `Agent not found: "${name.slice(0, 100)}". Expected the name of a file in an agents folder.`);
}
