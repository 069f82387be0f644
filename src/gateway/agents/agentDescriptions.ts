import { createHash } from 'node:crypto';
import { mapInSlices } from '#base/timing/inSlices.ts';
import type { AgentTrigger, AgentVariable } from '#contract/agents.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { DescriptionStore } from '../store/descriptionStore.ts';
import type { AgentFile } from './agentFolder.ts';
import { describeAgent } from './agentSummary.ts';
import type { AgentTexts } from './agentTexts.ts';

/** Facts from an agent file's text that lists of agents show. */
export interface AgentDescription {
	readonly mode: LoadedAgent['mode'];
	/** The agent's name in its text, which callers may use if it's unique. */
	readonly appName: string;
	readonly description: string;
	readonly variables: readonly AgentVariable[];
	/** Triggers that a run can start from, if there are several. */
	readonly triggers?: readonly AgentTrigger[];
}

/** Descriptions of agent files. They are saved, because reading thousands of files with their YAML takes seconds at each start. */
export class AgentDescriptions {
	readonly #texts: AgentTexts;
	readonly #store: DescriptionStore;
	readonly #codeVersion: string;
	/** The last described text of each file. */
	readonly #known = new Map<string, { readonly text: string; readonly description: AgentDescription | Error }>();
	/** New descriptions to save, as JSON by key. */
	readonly #unsaved = new Map<string, string>();

	/** @param codeVersion changes with the code that reads agents: descriptions by another version aren't used */
	constructor(texts: AgentTexts, store: DescriptionStore, codeVersion: string) {
		this.#texts = texts;
		this.#store = store;
		this.#codeVersion = codeVersion;
	}

	/** Maps descriptions of files. Loads the engine only if a file has no saved description. */
	async mapDescriptions<T>(files: readonly AgentFile[], map: (file: AgentFile, description: AgentDescription | Error) => T): Promise<T[]> {
		const known = await mapInSlices(files, file => this.#findDescription(file) !== undefined);
		if (known.includes(false)) {
			await this.#texts.waitUntilReady();
		}
		const mapped = await mapInSlices(files, file => map(file, this.#describeFile(file)));
		this.#saveDescriptions();
		return mapped;
	}

	#describeFile(file: AgentFile): AgentDescription | Error {
		return this.#findDescription(file) ?? this.#readDescription(file);
	}

	#findDescription({ file, text }: AgentFile): AgentDescription | Error | undefined {
		const known = this.#known.get(file);
		if (known?.text === text) {
			return known.description;
		}
		const saved = this.#store.get(this.#createKey(text));
		if (saved === undefined) {
			return undefined;
		}
		const description = JSON.parse(saved) as AgentDescription;
		this.#known.set(file, { text, description });
		return description;
	}

	#readDescription(file: AgentFile): AgentDescription | Error {
		const agent = this.#texts.readDraft(file);
		const description = agent instanceof Error ? agent : describeAgent(agent);
		this.#known.set(file.file, { text: file.text, description });
		// errors name the file, so they aren't saved by text
		if (!(description instanceof Error)) {
			this.#unsaved.set(this.#createKey(file.text), JSON.stringify(description));
		}
		return description;
	}

	#createKey(text: string): string {
		return createHash('sha256').update(this.#codeVersion).update('\0').update(text).digest('base64url');
	}

	#saveDescriptions(): void {
		if (this.#unsaved.size === 0) {
			return;
		}
		try {
			this.#store.addAll(this.#unsaved);
		} catch {
			// a store that refuses writes must not keep agents from being listed; they are read again after the next start
		}
		this.#unsaved.clear();
	}
}
