import { createHash } from 'node:crypto';
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import type { Provider } from '../routeConfig.ts';

/** What names of tools look like at a service. Anthropic's take 128 characters, Gemini's and OpenAI's 64; each has its own alphabet. */
const patterns: Partial<Readonly<Record<Provider, RegExp>>> = {
	anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
	google: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
	'openai-compatible': /^[a-zA-Z0-9_-]{1,64}$/,
	ollama: /^[a-zA-Z0-9_-]{1,64}$/,
};

/** Characters that are kept of a name that does not fit; a hash of the whole follows, so that equal beginnings stay apart. */
const keptLength = 50;

/** Names of one call's tools as its service takes them, and back. */
export class ToolNames {
	readonly #sent = new Map<string, string>();
	readonly #own = new Map<string, string>();

	constructor(call: LanguageModelV4CallOptions, provider: Provider) {
		const pattern = patterns[provider];
		for (const name of pattern ? namesIn(call) : []) {
			if (!pattern?.test(name)) {
				const sent = shortName(name);
				this.#sent.set(name, sent);
				this.#own.set(sent, name);
			}
		}
	}

	/** The call with its names as the service takes them; the very same one where all fit. */
	shorten(call: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
		if (this.#sent.size === 0) {
			return call;
		}
		const { tools, toolChoice, prompt } = call;
		return {
			...call,
			...(tools && { tools: tools.map(tool => ({ ...tool, name: this.#sentName(tool.name) })) }),
			...(toolChoice && {
				toolChoice: toolChoice.type === 'tool' ? { type: 'tool', toolName: this.#sentName(toolChoice.toolName) } : toolChoice,
			}),
			prompt: prompt.map(message => this.#shortenMessage(message)),
		};
	}

	/** A part of the reply with the name that the caller knows. */
	restore<P>(part: P): P {
		if (this.#own.size === 0 || typeof part !== 'object' || part === null || !('toolName' in part)) {
			return part;
		}
		const own = this.#own.get(String(part.toolName));
		return own === undefined ? part : { ...part, toolName: own };
	}

	#sentName(name: string): string {
		return this.#sent.get(name) ?? name;
	}

	#shortenMessage(message: LanguageModelV4Message): LanguageModelV4Message {
		return typeof message.content === 'string'
			? message
			: ({
					...message,
					content: message.content.map(part => ('toolName' in part ? { ...part, toolName: this.#sentName(part.toolName) } : part)),
				} as LanguageModelV4Message);
	}
}

function namesIn({ tools = [], prompt }: LanguageModelV4CallOptions): Set<string> {
	const called = prompt.flatMap(({ content }) =>
		typeof content === 'string' ? [] : content.flatMap(part => ('toolName' in part ? [part.toolName] : [])),
	);
	return new Set([...tools.map(({ name }) => name), ...called]);
}

function shortName(name: string): string {
	const kept = name
		.slice(0, keptLength)
		.replace(/[^a-zA-Z0-9_-]/g, '_')
		.replace(/^[^a-zA-Z_]/, '_');
	return `${kept}_${createHash('sha256').update(name).digest('hex').slice(0, 10)}`;
}
