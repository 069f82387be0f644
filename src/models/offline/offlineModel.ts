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
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { type OfflineDirectives, offlineDirectives } from './offlineDirectives.ts';
import { fileCount, lastUserText, offlineReply, promptTexts } from './offlineReply.ts';
import { countTokens, tokensOf } from './offlineTokens.ts';

/** Tokens that a file counts as. */
const tokensOfFile = 256;

/**
 * The built-in model: a provider like the others that needs no service. It is deterministic, says what it is, and honours everything that can be
 * honoured without a model: length, stop sequences, tool calls, structured output, usage, and failures on demand ({@link OfflineDirectives}).
 */
export class OfflineModel implements LanguageModelV4 {
	readonly specificationVersion = 'v4';
	readonly provider = 'offline';
	/** What replies are signed with, whatever name the caller used: it is never presented as another model. */
	readonly modelId = 'offline';
	readonly supportedUrls = { '*/*': [/.*/] };
	readonly #requested: string;

	/** `requested`: the model name that the caller used, which may carry directives. */
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
		throw new ServiceFault(502, 'The offline model broke off, as it was asked to.');
	}

	async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
		const systems = options.prompt.flatMap(message => (message.role === 'system' ? [message.content] : []));
		const directives = offlineDirectives(this.#requested, [...systems, lastUserText(options.prompt)]);
		if (directives.error !== undefined) {
			throw new ServiceFault(directives.error, `The offline model was asked to fail with status ${directives.error}.`, {
				headers: directives.error === 429 ? { 'retry-after': '1' } : {},
			});
		}
		return { stream: ReadableStream.from(this.#parts(options, directives)) as LanguageModelV4StreamResult['stream'] };
	}

	async *#parts(options: LanguageModelV4CallOptions, directives: OfflineDirectives): AsyncGenerator<LanguageModelV4StreamPart> {
		yield { type: 'stream-start', warnings: [] };
		yield { type: 'response-metadata', modelId: this.modelId };
		const input = inputTokens(options);
		if (directives.safety && !allowsUnsafe(options)) {
			yield finish({ unified: 'content-filter', raw: 'SAFETY' }, usage(input, 0, 0), { offline: { promptBlocked: true } });
			return;
		}
		const budget = options.maxOutputTokens ?? Number.POSITIVE_INFINITY;
		const thoughts = directives.think
			? tokensOf('The offline model does not think, but it was asked to show how that looks.').slice(0, budget)
			: [];
		yield* this.#reasoning(thoughts, options, directives);
		const reply = offlineReply(options, directives);
		const room = budget - thoughts.length;
		if (reply.type === 'tool') {
			yield* this.#toolCall(reply.name, reply.input, options, directives);
			yield finish({ unified: 'tool-calls', raw: 'tool_use' }, usage(input, countTokens(reply.input), thoughts.length));
			return;
		}
		const { text, stopSequence } = untilStop(reply.text, options.stopSequences ?? []);
		const tokens = tokensOf(text);
		const sent = tokens.slice(0, Math.max(room, 0));
		yield { type: 'text-start', id: 'text' };
		for (const [i, delta] of sent.entries()) {
			if (i === directives.cutAfter) {
				return;
			}
			if (i === directives.errorAfter) {
				yield { type: 'error', error: new ServiceFault(529, 'The offline model was asked to fail in the middle of its reply.') };
				return;
			}
			await pace(options, directives, i);
			yield { type: 'text-delta', id: 'text', delta };
		}
		yield { type: 'text-end', id: 'text' };
		const cut = sent.length < tokens.length;
		const reason: LanguageModelV4FinishReason = cut
			? { unified: 'length', raw: 'max_tokens' }
			: { unified: 'stop', raw: stopSequence === undefined ? 'end_turn' : 'stop_sequence' };
		const metadata = cut || stopSequence === undefined ? undefined : { offline: { stopSequence } };
		yield finish(reason, usage(input, sent.length, thoughts.length), metadata);
	}

	async *#reasoning(
		thoughts: readonly string[],
		options: LanguageModelV4CallOptions,
		directives: OfflineDirectives,
	): AsyncGenerator<LanguageModelV4StreamPart> {
		if (thoughts.length === 0) {
			return;
		}
		yield { type: 'reasoning-start', id: 'reasoning' };
		for (const [i, delta] of thoughts.entries()) {
			await pace(options, directives, i);
			yield { type: 'reasoning-delta', id: 'reasoning', delta };
		}
		yield { type: 'reasoning-end', id: 'reasoning' };
	}

	async *#toolCall(
		name: string,
		input: string,
		options: LanguageModelV4CallOptions,
		directives: OfflineDirectives,
	): AsyncGenerator<LanguageModelV4StreamPart> {
		// counts the calls so far, so that IDs differ within a conversation and are the same each time
		const earlier = options.prompt.flatMap(({ content }) =>
			typeof content === 'string' ? [] : content.filter(part => part.type === 'tool-call'),
		).length;
		const id = `toolu_offline_${earlier + 1}`;
		yield { type: 'tool-input-start', id, toolName: name };
		for (const [i, delta] of tokensOf(input).entries()) {
			await pace(options, directives, i);
			yield { type: 'tool-input-delta', id, delta };
		}
		yield { type: 'tool-input-end', id };
		yield { type: 'tool-call', toolCallId: id, toolName: name, input };
	}
}

/** Tokens of a request, as the offline model counts them: texts, tool definitions and files. */
export function inputTokens(options: LanguageModelV4CallOptions): number {
	const texts = promptTexts(options.prompt).reduce((sum, text) => sum + countTokens(text), 0);
	const tools = options.tools?.length ? countTokens(JSON.stringify(options.tools)) : 0;
	return texts + tools + fileCount(options.prompt) * tokensOfFile;
}

/** About how many that is, without reading the texts: for what has to be said before a reply begins. */
export function roughInputTokens(options: LanguageModelV4CallOptions): number {
	const texts = promptTexts(options.prompt).reduce((sum, text) => sum + text.length, 0);
	const tools = options.tools?.length ? JSON.stringify(options.tools).length : 0;
	return Math.ceil((texts + tools) / charactersOfToken) + fileCount(options.prompt) * tokensOfFile;
}

/** In English text, on average. */
const charactersOfToken = 4.5;

/** Before token number `index`: waits as asked, and lets others have their turn now and then, as a model over the network does by itself. */
async function pace(options: LanguageModelV4CallOptions, directives: OfflineDirectives, index: number): Promise<void> {
	options.abortSignal?.throwIfAborted();
	if (directives.delay !== undefined) {
		await delay(directives.delay, undefined, options.abortSignal ? { signal: options.abortSignal } : {});
	} else if (index % tokensInATurn === tokensInATurn - 1) {
		await nextTurn();
	}
}

/** About a millisecond of work of a run that streams. */
const tokensInATurn = 32;

/** Settings of E that forbid to block (wire facts 4.1) reach the model as options of its own. */
function allowsUnsafe(options: LanguageModelV4CallOptions): boolean {
	return options.providerOptions?.['offline']?.['allowUnsafe'] === true;
}

/** The text up to the first stop sequence in it, and which one that was. */
function untilStop(text: string, sequences: readonly string[]): { text: string; stopSequence?: string } {
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

function usage(input: number, text: number, reasoning: number): LanguageModelV4Usage {
	return {
		inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
		outputTokens: { total: text + reasoning, text, reasoning },
	};
}

function finish(
	finishReason: LanguageModelV4FinishReason,
	usage: LanguageModelV4Usage,
	providerMetadata?: Record<string, Record<string, string | boolean>>,
): LanguageModelV4StreamPart {
	return { type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) };
}
