import { ReadableStream } from 'node:stream/web';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type {
	LanguageModelV4,
	LanguageModelV4CallOptions,
	LanguageModelV4Content,
	LanguageModelV4FinishReason,
	LanguageModelV4GenerateResult,
	LanguageModelV4StreamPart,
	LanguageModelV4StreamResult,
	LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { type OfflineDirectives, readOfflineDirectives } from './offlineDirectives.ts';
import { countFiles, createOfflineReply, getLastUserText, getPromptTexts } from './offlineReply.ts';
import { countTokens, splitTokens } from './offlineTokens.ts';

/** Number of tokens that a file counts as. */
const tokensOfFile = 256;

/**
 * The built-in model, which needs no service. It's deterministic, identifies itself, and supports everything possible without a real model:
 * length, stop sequences, tool calls, structured output, usage, and failures on demand ({@link OfflineDirectives}).
 */
export class OfflineModel implements LanguageModelV4 {
	readonly specificationVersion = 'v4';
	readonly provider = 'offline';
	/** Model name in replies, whatever name the caller used, so that it's never presented as another model. */
	readonly modelId = 'offline';
	readonly supportedUrls = { '*/*': [/.*/] };
	readonly #requested: string;

	/** @param requested the model name that the caller used, which may contain directives */
	constructor(requested: string) {
		this.#requested = requested;
	}

	async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
		const content: LanguageModelV4Content[] = [];
		const { stream } = await this.doStream(options);
		for await (const part of stream) {
			switch (part.type) {
				case 'reasoning-start':
					content.push({ type: 'reasoning', text: '' });
					break;
				case 'text-start':
					content.push({ type: 'text', text: '' });
					break;
				case 'reasoning-delta':
				case 'text-delta': {
					const last = content.at(-1);
					if (last?.type === 'text' || last?.type === 'reasoning') {
						last.text += part.delta;
					}
					break;
				}
				case 'tool-call':
					content.push(part);
					break;
				case 'error':
					throw part.error;
				case 'finish': {
					const { finishReason, usage, providerMetadata } = part;
					return {
						content,
						finishReason,
						usage,
						warnings: [],
						response: { modelId: this.modelId },
						...(providerMetadata && { providerMetadata }),
					};
				}
			}
		}
		throw new ServiceFault(502, localizable`The offline model stopped during its reply, as requested.`);
	}

	async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
		const systems = options.prompt.flatMap(message => (message.role === 'system' ? [message.content] : []));
		const directives = readOfflineDirectives(this.#requested, [...systems, getLastUserText(options.prompt)]);
		if (directives.error !== undefined) {
			throw new ServiceFault(directives.error, localizable`The offline model failed with status ${directives.error}, as requested.`, {
				headers: directives.error === 429 ? { 'retry-after': '1' } : {},
			});
		}
		return { stream: ReadableStream.from(this.#streamParts(options, directives)) as LanguageModelV4StreamResult['stream'] };
	}

	async *#streamParts(options: LanguageModelV4CallOptions, directives: OfflineDirectives): AsyncGenerator<LanguageModelV4StreamPart> {
		yield { type: 'stream-start', warnings: [] };
		yield { type: 'response-metadata', modelId: this.modelId };
		const input = countInputTokens(options);
		if (directives.safety && !isBlockingForbidden(options)) {
			yield createFinish({ unified: 'content-filter', raw: 'SAFETY' }, createUsage(input, 0, 0), { offline: { promptBlocked: true } });
			return;
		}
		const budget = options.maxOutputTokens ?? Number.POSITIVE_INFINITY;
		const thoughts = directives.think
			? splitTokens('The offline model does not think, but it was asked to show how that looks.').slice(0, budget)
			: [];
		yield* this.#streamReasoning(thoughts, options, directives);
		const reply = createOfflineReply(options, directives);
		const room = budget - thoughts.length;
		if (reply.type === 'tool') {
			yield* this.#streamToolCall(reply.name, reply.input, options, directives);
			yield createFinish({ unified: 'tool-calls', raw: 'tool_use' }, createUsage(input, countTokens(reply.input), thoughts.length));
			return;
		}
		const { text, stopSequence } = cutAtStopSequence(reply.text, options.stopSequences ?? []);
		const tokens = splitTokens(text);
		const sent = tokens.slice(0, Math.max(room, 0));
		yield { type: 'text-start', id: 'text' };
		for (const [i, delta] of sent.entries()) {
			if (i === directives.cutAfter) {
				return;
			}
			if (i === directives.errorAfter) {
				yield { type: 'error', error: new ServiceFault(529, localizable`The offline model failed during its reply, as requested.`) };
				return;
			}
			await waitForToken(options, directives, i);
			yield { type: 'text-delta', id: 'text', delta };
		}
		yield { type: 'text-end', id: 'text' };
		const cut = sent.length < tokens.length;
		const reason: LanguageModelV4FinishReason = cut
			? { unified: 'length', raw: 'max_tokens' }
			: { unified: 'stop', raw: stopSequence === undefined ? 'end_turn' : 'stop_sequence' };
		const metadata = cut || stopSequence === undefined ? undefined : { offline: { stopSequence } };
		yield createFinish(reason, createUsage(input, sent.length, thoughts.length), metadata);
	}

	async *#streamReasoning(
		thoughts: readonly string[],
		options: LanguageModelV4CallOptions,
		directives: OfflineDirectives,
	): AsyncGenerator<LanguageModelV4StreamPart> {
		if (thoughts.length === 0) {
			return;
		}
		yield { type: 'reasoning-start', id: 'reasoning' };
		for (const [i, delta] of thoughts.entries()) {
			await waitForToken(options, directives, i);
			yield { type: 'reasoning-delta', id: 'reasoning', delta };
		}
		yield { type: 'reasoning-end', id: 'reasoning' };
	}

	async *#streamToolCall(
		name: string,
		input: string,
		options: LanguageModelV4CallOptions,
		directives: OfflineDirectives,
	): AsyncGenerator<LanguageModelV4StreamPart> {
		// include the number of earlier calls, so that IDs are reproducible but unique in a conversation
		const earlier = options.prompt.flatMap(({ content }) =>
			typeof content === 'string' ? [] : content.filter(part => part.type === 'tool-call'),
		).length;
		const id = `toolu_offline_${earlier + 1}`;
		yield { type: 'tool-input-start', id, toolName: name };
		for (const [i, delta] of splitTokens(input).entries()) {
			await waitForToken(options, directives, i);
			yield { type: 'tool-input-delta', id, delta };
		}
		yield { type: 'tool-input-end', id };
		yield { type: 'tool-call', toolCallId: id, toolName: name, input };
	}
}

/** Counts the tokens of a request: text, tool definitions and files. */
export function countInputTokens(options: LanguageModelV4CallOptions): number {
	const texts = getPromptTexts(options.prompt).reduce((sum, text) => sum + countTokens(text), 0);
	const tools = options.tools?.length ? countTokens(JSON.stringify(options.tools)) : 0;
	return texts + tools + countFiles(options.prompt) * tokensOfFile;
}

/** Estimates the tokens without reading the text, for use before a reply starts. */
export function estimateInputTokens(options: LanguageModelV4CallOptions): number {
	const texts = getPromptTexts(options.prompt).reduce((sum, text) => sum + text.length, 0);
	const tools = options.tools?.length ? JSON.stringify(options.tools).length : 0;
	return Math.ceil((texts + tools) / charactersOfToken) + countFiles(options.prompt) * tokensOfFile;
}

/** Average length of a token in English text. */
const charactersOfToken = 4.5;

/** Waits before a token as directed. Yields to other work now and then, as a model over the network would. */
async function waitForToken(options: LanguageModelV4CallOptions, directives: OfflineDirectives, index: number): Promise<void> {
	options.abortSignal?.throwIfAborted();
	if (directives.delay !== undefined) {
		await delay(directives.delay, undefined, options.abortSignal ? { signal: options.abortSignal } : {});
	} else if (index % tokensInATurn === tokensInATurn - 1) {
		await nextTurn();
	}
}

/** Number of tokens between yields, about a millisecond of work. */
const tokensInATurn = 32;

/** True if the caller's safety settings (E) forbid blocking (wire facts 4.1). They arrive as options of the offline model. */
function isBlockingForbidden(options: LanguageModelV4CallOptions): boolean {
	return options.providerOptions?.['offline']?.['allowUnsafe'] === true;
}

/** Returns the text up to the first stop sequence, and that sequence. */
function cutAtStopSequence(text: string, sequences: readonly string[]): { text: string; stopSequence?: string } {
	let end = text.length;
	let found: string | undefined;
	for (const sequence of sequences) {
		const at = sequence === '' ? -1 : text.indexOf(sequence);
		if (at >= 0 && at < end) {
			end = at;
			found = sequence;
		}
	}
	return { text: text.slice(0, end), ...(found !== undefined && { stopSequence: found }) };
}

function createUsage(input: number, text: number, reasoning: number): LanguageModelV4Usage {
	return {
		inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
		outputTokens: { total: text + reasoning, text, reasoning },
	};
}

function createFinish(
	finishReason: LanguageModelV4FinishReason,
	usage: LanguageModelV4Usage,
	providerMetadata?: Record<string, Record<string, string | boolean>>,
): LanguageModelV4StreamPart {
	return { type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) };
}
