import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { AgentFile } from './agentFolder.ts';

/** Reads an agent file's text; throws an error whose message names the file, the line and the problem. */
export type AgentLoader = (text: string, fileName: string) => LoadedAgent;

/** Number of texts that are kept besides those of files. */
const mostSources = 16;

/** Parsed agent files. Each text is only parsed once. */
export class AgentTexts {
	readonly #loader: () => Promise<AgentLoader>;
	#load: AgentLoader | undefined;
	/** Published versions that have been read, by workflow ID. */
	readonly #versions = new Map<string, LoadedAgent>();
	/** The last texts that ran instead of a file, with the results, because the variants of a suite alternate between a few. */
	readonly #sources = new Map<string, LoadedAgent | Error>();
	/** The last draft read from each file, with the result. */
	readonly #drafts = new Map<string, { readonly text: string; readonly result: LoadedAgent | Error }>();

	/** @param loader called for the first agent, because the engine takes longer to load than the rest of the gateway */
	constructor(loader: () => Promise<AgentLoader>) {
		this.#loader = loader;
	}

	/** Resolves once texts can be read. Must be awaited before reading. */
	async waitUntilReady(): Promise<void> {
		this.#load ??= await this.#loader();
	}

	/** Reads the current content of a file. Refuses other encodings than UTF-8, whose replacement characters would reach models and users. */
	readDraft(file: AgentFile): LoadedAgent | Error {
		if (!file.isUtf8) {
			return new Error(`${file.file}: isn't UTF-8 text. Save the file as UTF-8.`);
		}
		let draft = this.#drafts.get(file.file);
		if (draft?.text !== file.text) {
			draft = { text: file.text, result: this.readText(file.text, file.file) };
			this.#drafts.set(file.file, draft);
		}
		return draft.result;
	}

	/**
	 * Reads a published version. Throws an error (400) if it's invalid.
	 * @param source returns the version's text; only called the first time
	 */
	readVersion(workflowId: string, source: () => string, fileName: string): LoadedAgent {
		let agent = this.#versions.get(workflowId);
		if (!agent) {
			agent = checkReadable(this.readText(source(), fileName));
			this.#versions.set(workflowId, agent);
		}
		return agent;
	}

	/** Reads a text that runs instead of a file. */
	readSource(text: string, fileName: string): LoadedAgent | Error {
		const key = `${fileName}\0${text}`;
		const result = this.#sources.get(key) ?? this.readText(text, fileName);
		// the most recent ones are the last
		this.#sources.delete(key);
		this.#sources.set(key, result);
		const [oldest] = this.#sources.keys();
		if (this.#sources.size > mostSources && oldest !== undefined) {
			this.#sources.delete(oldest);
		}
		return result;
	}

	/** Reads a text without caching the result. */
	readText(text: string, fileName: string): LoadedAgent | Error {
		try {
			return (this.#load as AgentLoader)(text, fileName);
		} catch (error) {
			return error instanceof Error ? error : new Error(String(error));
		}
	}
}

/** Returns a valid agent. Throws an error (400) for an invalid one. */
export function checkReadable(result: LoadedAgent | Error): LoadedAgent {
	if (result instanceof Error) {
		throw new ServiceFault(400, localizable`Couldn't load the agent: ${result.message}`, { code: 'app_unavailable', cause: result });
	}
	return result;
}
