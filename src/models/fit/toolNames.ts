import { createHash } from 'node:crypto';
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import type { Provider } from '../routeConfig.ts';

/** Valid tool names by provider. Anthropic allows 128 characters, Gemini and OpenAI 64. */
const patterns: Partial<Readonly<Record<Provider, RegExp>>> = {
	anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
	google: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
	'openai-compatible': /^[a-zA-Z0-9_-]{1,64}$/,
	ollama: /^[a-zA-Z0-9_-]{1,64}$/,
};

/**
 * Number of characters kept from the start of an invalid name. A hash of the whole name follows, so that names with the same start differ.
 */
const keptLength = 50;

/** Maps tool names of a call to valid names for its service, and back. */
export class ToolNames {
	readonly #sent = new Map<string, string>();
	readonly #own = new Map<string, string>();

	constructor(call: LanguageModelV4CallOptions, provider: Provider) {
		const pattern = patterns[provider];
		for (const name of pattern ? listToolNames(call) : []) {
			if (!pattern?.test(name)) {
				const sent = shortenName(name);
				this.#sent.set(name, sent);
				this.#own.set(sent, name);
			}
		}
	}

	/** Returns the call with valid names; the same object if all names are valid. */
	shortenNames(call: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
		if (this.#sent.size === 0) {
			return call;
		}
		const { tools, toolChoice, prompt } = call;
		return {
			...call,
			...(tools && { tools: tools.map(tool => ({ ...tool, name: this.#toSentName(tool.name) })) }),
			...(toolChoice && {
				toolChoice: toolChoice.type === 'tool' ? { type: 'tool', toolName: this.#toSentName(toolChoice.toolName) } : toolChoice,
			}),
			prompt: prompt.map(message => this.#shortenMessage(message)),
		};
	}

	/** Returns a part of the reply with the caller's tool name. */
	restoreName<P>(part: P): P {
		if (this.#own.size === 0 || typeof part !== 'object' || part === null || !('toolName' in part)) {
			return part;
		}
		const own = this.#own.get(String(part.toolName));
		return own === undefined ? part : { ...part, toolName: own };
	}

	#toSentName(name: string): string {
		return this.#sent.get(name) ?? name;
	}

	#shortenMessage(message: LanguageModelV4Message): LanguageModelV4Message {
		return typeof message.content === 'string'
			? message
			: ({
					...message,
					content: message.content.map(part => ('toolName' in part ? { ...part, toolName: this.#toSentName(part.toolName) } : part)),
				} as LanguageModelV4Message);
	}
}

function listToolNames({ tools = [], prompt }: LanguageModelV4CallOptions): Set<string> {
	const called = prompt.flatMap(({ content }) =>
		typeof content === 'string' ? [] : content.flatMap(part => ('toolName' in part ? [part.toolName] : [])),
	);
	return new Set([...tools.map(({ name }) => name), ...called]);
}

function shortenName(name: string): string {
	const kept = name
		.slice(0, keptLength)
		.replace(/[^a-zA-Z0-9_-]/g, '_')
		.replace(/^[^a-zA-Z_]/, '_');
	return `${kept}_${createHash('sha256').update(name).digest('hex').slice(0, 10)}`;
}
