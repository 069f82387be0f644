import type { AgentCheck, AgentSummary, PublishedAgent } from '../../protocol/agents.ts';
import type { AgentMode, LoadedAgent } from '../engine/agentTypes.ts';
import { ServiceFault } from '../server/serviceFault.ts';
import type { AgentRow, AgentStore } from '../store/agentStore.ts';
import { checkOf } from './agentCheck.ts';
import { type AgentFile, AgentFolder } from './agentFolder.ts';
import { summaryOfFile, summaryOfRemote } from './agentSummary.ts';

/** Reads an agent file's text; throws an error whose message names the file, the line and what is wrong. */
export type AgentLoader = (text: string, fileName: string) => LoadedAgent;

/** An agent that can be run: what the store knows of it, and the version to run. */
export interface RunnableAgent {
	readonly row: AgentRow;
	readonly agent: LoadedAgent;
	readonly workflowId: string;
	readonly draft: boolean;
}

/**
 * The agents that this gateway serves: files of its agents folders, and names that run on a Dify deployment. A file that was never published is
 * published when it is first read; later edits are its draft until it is published again (issue 4).
 */
export class AgentRegistry {
	readonly #store: AgentStore;
	readonly #loader: () => Promise<AgentLoader>;
	/** Names of agents that run on Dify deployments. */
	readonly #remote: ReadonlySet<string>;
	readonly #listeners = new Set<() => void>();
	/** Folders with the number of those who want them; the first folder that has a name serves it. */
	readonly #folders = new Map<string, { readonly folder: AgentFolder; readonly opened: Promise<void>; users: number }>();
	/** Published versions read so far, by workflow ID. */
	readonly #versions = new Map<string, LoadedAgent>();
	/** Drafts read so far, by file: the text they were read from, and what it gave. */
	readonly #drafts = new Map<string, { readonly text: string; readonly result: LoadedAgent | Error }>();
	#load: AgentLoader | undefined;

	/** `loader` is asked for at the first agent: the engine takes longer to load than the rest of the gateway. */
	constructor(store: AgentStore, loader: () => Promise<AgentLoader>, remote: ReadonlySet<string>) {
		this.#store = store;
		this.#loader = loader;
		this.#remote = remote;
	}

	/** Serves the agents of a folder until the returned function is called. Resolves when its files have been read. */
	async addFolder(path: string): Promise<() => void> {
		let entry = this.#folders.get(path);
		const isNew = !entry;
		if (!entry) {
			const folder = new AgentFolder(path, () => this.#changed());
			entry = { folder, opened: folder.open(), users: 0 };
			this.#folders.set(path, entry);
		}
		entry.users++;
		await entry.opened;
		await this.ready();
		if (isNew) {
			this.#changed();
		}
		const held = entry;
		return () => {
			held.users--;
			if (held.users === 0) {
				held.folder.close();
				this.#folders.delete(path);
				this.#changed();
			}
		};
	}

	/** Calls back after agents came, went or changed, until the returned function is called. */
	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Resolves when all folders that were added have been read and the engine can read agents. */
	async ready(): Promise<void> {
		if (this.#folders.size === 0) {
			return;
		}
		this.#load ??= await this.#loader();
		await Promise.all([...this.#folders.values()].map(({ opened }) => opened));
	}

	/** Every agent, by name. */
	async list(): Promise<readonly AgentSummary[]> {
		await this.ready();
		const remote = [...this.#remote].map(summaryOfRemote);
		const local = [...this.#files().values()].filter(({ name }) => !this.#remote.has(name)).map(file => this.#summary(file));
		return [...remote, ...local].sort((a, b) => (a.name < b.name ? -1 : 1));
	}

	/** One agent as {@link list} has it. Throws a fault (404). */
	async summary(name: string): Promise<AgentSummary> {
		await this.ready();
		return this.#remote.has(name) ? summaryOfRemote(name) : this.#summary(this.#file(name));
	}

	/** What the store knows of an agent, whose file may be gone: its runs stay. Throws a fault (404) for a name it has never seen. */
	async known(name: string): Promise<AgentRow> {
		await this.ready();
		const file = this.#find(name);
		if (file) {
			this.#publishFirst(file);
		}
		const row = this.#store.get(file?.name ?? name);
		if (!row && !file) {
			throw unknownAgent(name);
		}
		return row ?? this.#store.ensure(file?.name ?? name);
	}

	/** What an agent's file says that it is; undefined where that cannot be known. */
	async mode(name: string): Promise<AgentMode | undefined> {
		await this.ready();
		const file = this.#find(name);
		const result = file && this.#draft(file).result;
		return result instanceof Error ? undefined : result?.mode;
	}

	/** The published version of an agent. Throws a fault: 404 unknown, 400 not published or not readable. */
	async published(name: string): Promise<RunnableAgent> {
		await this.ready();
		const file = this.#file(name);
		this.#publishFirst(file);
		const row = this.#store.get(file.name);
		if (!row?.workflow_id) {
			const { result } = this.#draft(file);
			throw result instanceof Error && !row?.first_published_at
				? new ServiceFault(400, `The agent cannot be loaded: ${result.message}`, { code: 'app_unavailable' })
				: new ServiceFault(400, 'Workflow not published');
		}
		return { row, agent: this.#version(row.workflow_id, file.file), workflowId: row.workflow_id, draft: false };
	}

	/** An agent's file as it stands, or `source` in its place. Throws a fault: 404 unknown, 400 not readable. */
	async draft(name: string, source?: string): Promise<RunnableAgent> {
		await this.ready();
		if (source !== undefined) {
			this.#load ??= await this.#loader();
		}
		const file = source === undefined ? this.#file(name) : this.#find(name);
		const row = this.#store.ensure(file?.name ?? name);
		const result = source === undefined && file ? this.#draft(file).result : this.#read(source ?? '', file?.file ?? `${name}.yml`);
		// a draft has no workflow of its own: the app stands in for it
		return { row, agent: readable(result), workflowId: row.app_id, draft: true };
	}

	/** What a text says as the file of an agent, and what is wrong with it; nothing is kept of it. */
	async check(name: string, source: string): Promise<AgentCheck> {
		this.#load ??= await this.#loader();
		return checkOf(this.#read(source, `${name}.yml`));
	}

	/** The published version of an agent as it was written. Throws a fault (404). */
	async publishedSource(name: string): Promise<PublishedAgent> {
		await this.ready();
		const file = this.#file(name);
		this.#publishFirst(file);
		const workflowId = this.#store.get(file.name)?.workflow_id ?? null;
		return { workflow_id: workflowId, source: (workflowId && this.#store.version(workflowId)?.source) || null };
	}

	/** Publishes an agent's file as it stands. Throws a fault: 404 unknown, 400 not readable. */
	async publish(name: string): Promise<AgentSummary> {
		await this.ready();
		await Promise.all([...this.#folders.values()].map(({ folder }) => folder.refresh()));
		const file = this.#file(name);
		readable(this.#draft(file).result);
		this.#store.publish(file.name, file.text, Date.now());
		this.#changed();
		return this.#summary(file);
	}

	/** Takes an agent's published version back. Throws a fault (404). */
	async unpublish(name: string): Promise<AgentSummary> {
		await this.ready();
		const file = this.#file(name);
		this.#publishFirst(file);
		this.#store.unpublish(file.name);
		this.#changed();
		return this.#summary(file);
	}

	close(): void {
		for (const { folder } of this.#folders.values()) {
			folder.close();
		}
		this.#folders.clear();
		this.#listeners.clear();
	}

	#changed(): void {
		for (const listener of this.#listeners) {
			listener();
		}
	}

	#files(): ReadonlyMap<string, AgentFile> {
		const files = new Map<string, AgentFile>();
		for (const { folder } of this.#folders.values()) {
			for (const [name, file] of folder.files) {
				if (!files.has(name)) {
					files.set(name, file);
				}
			}
		}
		return files;
	}

	#file(name: string): AgentFile {
		const file = this.#find(name);
		if (!file) {
			throw unknownAgent(name);
		}
		return file;
	}

	/** By file name, or by `app.name` where only one file has it. */
	#find(name: string): AgentFile | undefined {
		const files = this.#files();
		const exact = files.get(name);
		if (exact) {
			return exact;
		}
		const aliased = [...files.values()].filter(file => {
			const { result } = this.#draft(file);
			return !(result instanceof Error) && result.appName === name;
		});
		return aliased.length === 1 ? aliased[0] : undefined;
	}

	#summary(file: AgentFile): AgentSummary {
		this.#publishFirst(file);
		const row = this.#store.get(file.name);
		const source = row?.workflow_id ? this.#store.version(row.workflow_id)?.source : undefined;
		return summaryOfFile(file, this.#draft(file).result, row?.workflow_id ?? null, source);
	}

	#publishFirst(file: AgentFile): void {
		if (!this.#store.get(file.name)?.first_published_at && !(this.#draft(file).result instanceof Error)) {
			this.#store.publish(file.name, file.text, Date.now());
		}
	}

	#draft(file: AgentFile): { readonly text: string; readonly result: LoadedAgent | Error } {
		let draft = this.#drafts.get(file.file);
		if (draft?.text !== file.text) {
			draft = { text: file.text, result: this.#read(file.text, file.file) };
			this.#drafts.set(file.file, draft);
		}
		return draft;
	}

	#version(workflowId: string, fileName: string): LoadedAgent {
		let agent = this.#versions.get(workflowId);
		if (!agent) {
			agent = readable(this.#read(this.#store.version(workflowId)?.source ?? '', fileName));
			this.#versions.set(workflowId, agent);
		}
		return agent;
	}

	#read(text: string, fileName: string): LoadedAgent | Error {
		try {
			return (this.#load as AgentLoader)(text, fileName);
		} catch (error) {
			return error instanceof Error ? error : new Error(String(error));
		}
	}
}

function readable(result: LoadedAgent | Error): LoadedAgent {
	if (result instanceof Error) {
		throw new ServiceFault(400, `The agent cannot be loaded: ${result.message}`, { code: 'app_unavailable', cause: result });
	}
	return result;
}

function unknownAgent(name: string): ServiceFault {
	return new ServiceFault(404, `Agent not found: "${name.slice(0, 100)}". Expected the name of a file in an agents folder.`);
}
