import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { AgentFile } from './agentFolder.ts';

/** Reads an agent file's text; throws an error whose message names the file, the line and what is wrong. */
export type AgentLoader = (text: string, fileName: string) => LoadedAgent;

/** What the texts of agents say, each read once. */
export class AgentTexts {
	readonly #loader: () => Promise<AgentLoader>;
	#load: AgentLoader | undefined;
	/** Published versions read so far, by workflow ID. */
	readonly #versions = new Map<string, LoadedAgent>();
	/** Drafts read so far, by file: the text they were read from, and what it gave. */
	readonly #drafts = new Map<string, { readonly text: string; readonly result: LoadedAgent | Error }>();

	/** `loader` is asked for at the first agent: the engine takes longer to load than the rest of the gateway. */
	constructor(loader: () => Promise<AgentLoader>) {
		this.#loader = loader;
	}

	/** Resolves when texts can be read; to be awaited before any is. */
	async ready(): Promise<void> {
		this.#load ??= await this.#loader();
	}

	/** What a file says as it stands. */
	draft(file: AgentFile): LoadedAgent | Error {
		let draft = this.#drafts.get(file.file);
		if (draft?.text !== file.text) {
			draft = { text: file.text, result: this.read(file.text, file.file) };
			this.#drafts.set(file.file, draft);
		}
		return draft.result;
	}

	/** What a published version says. Throws a fault (400) where it cannot be read. @param source its text, asked for the first time only */
	version(workflowId: string, source: () => string, fileName: string): LoadedAgent {
		let agent = this.#versions.get(workflowId);
		if (!agent) {
			agent = readable(this.read(source(), fileName));
			this.#versions.set(workflowId, agent);
		}
		return agent;
	}

	/** What a text says that is not kept. */
	read(text: string, fileName: string): LoadedAgent | Error {
		try {
			return (this.#load as AgentLoader)(text, fileName);
		} catch (error) {
			return error instanceof Error ? error : new Error(String(error));
		}
	}
}

/** An agent that could be read. Throws a fault (400) for one that could not. */
export function readable(result: LoadedAgent | Error): LoadedAgent {
	if (result instanceof Error) {
		throw new ServiceFault(400, `The agent cannot be loaded: ${result.message}`, { code: 'app_unavailable', cause: result });
	}
	return result;
}
