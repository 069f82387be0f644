import { getErrorMessage, getErrorReason, Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { ContentBlock, MessagesStreamEvent, MessagesUsage } from '#contract/text/messages.ts';
import type { TokenPrice, TokenUsage } from '#contract/text/tokenPrice.ts';
import type { AttachedPart, ChatPart, ReplyCitation, Turn, Usage } from '#pages/chat/transcript/transcript.ts';
import { describeMessagesFinish } from '../replies/finishReasons.ts';
import { type EndpointRequest, getTextRefusal, type ReplyStep, type TextEndpoint } from './endpoint.ts';
import { createMessagesBody } from './messagesBody.ts';
import { dropPdfTexts } from './nativePdfs.ts';
import { readPricedSteps } from './pricedSteps.ts';
import { StreamedBlock } from './streamedBlock.ts';

/** Properties of the service that an endpoint sends messages to. */
interface MessagesService {
	/** True if its models read PDFs, so that these are sent as files even if they have text. */
	readonly readsPdfs?: boolean;
	/** True if it sets a limit itself when a request has none, as gateways do (contract C). */
	readonly setsLimit?: boolean;
}

/** Sends chats in Anthropic's protocol, as messages with roles and content blocks (contract C; wire facts 2). */
export class MessagesEndpoint implements TextEndpoint {
	readonly kind = 'messages';
	readonly #words: Localization;
	readonly #prepareTurns: (turns: readonly Turn[]) => readonly Turn[];
	readonly #setsLimit: boolean;

	constructor(words: Localization, { readsPdfs = false, setsLimit = false }: MessagesService = {}) {
		this.#words = words;
		this.#setsLimit = setsLimit;
		this.#prepareTurns = readsPdfs ? dropPdfTexts : turns => turns;
	}

	/** Accepts all images, documents with text, and PDFs without text (scans), which are sent as files. */
	async checkAttachments(_client: unknown, _request: unknown, attached: readonly AttachedPart[]): Promise<string | undefined> {
		return getTextRefusal(this.#words, attached, ['application/pdf']);
	}

	async *streamReply(client: ServiceClient, request: EndpointRequest, signal: AbortSignal): AsyncIterable<ReplyStep> {
		const reader = new MessagesReplyReader(this.#words);
		let came = false;
		try {
			const openStream = (priced: (price: TokenPrice) => void) =>
				client.streamMessage(createMessagesBody({ ...request, turns: this.#prepareTurns(request.turns) }, this.#setsLimit), {
					signal,
					priced,
				});
			for await (const step of readPricedSteps(openStream, event => reader.readEvent(event))) {
				came = true;
				yield step;
			}
		} catch (cause) {
			const goesOn = request.turns.at(-1)?.role === 'assistant';
			if (goesOn && !came && getErrorReason(cause) === 'invalid-request') {
				const problem = this.#words.t("The service can't continue a partial reply: {0}", getErrorMessage(cause));
				throw new Problem('no-prefill', problem, undefined, { cause });
			}
			throw cause;
		}
	}
}

/** Converts the events of a stream to steps. Ignores unknown events, blocks and deltas (wire facts 2.2). */
export class MessagesReplyReader {
	readonly #words: Localization;
	/** Started parts by the service's block index. */
	readonly #parts = new Map<number, { index: number; kind: ChatPart['kind']; citations: ReplyCitation[]; block?: StreamedBlock }>();
	#count = 0;
	#usage: MessagesUsage = {};

	constructor(words: Localization) {
		this.#words = words;
	}

	*readEvent(event: MessagesStreamEvent): Iterable<ReplyStep> {
		switch (event.type) {
			case 'message_start': {
				const { message } = event as Extract<MessagesStreamEvent, { type: 'message_start' }>;
				if (typeof message?.model === 'string' && message.model) {
					yield { type: 'model', model: message.model };
				}
				yield* this.#readUsage(message?.usage);
				break;
			}
			case 'content_block_start':
				yield* this.#startBlock(event as Extract<MessagesStreamEvent, { type: 'content_block_start' }>);
				break;
			case 'content_block_delta':
				yield* this.#readDelta(event as Extract<MessagesStreamEvent, { type: 'content_block_delta' }>);
				break;
			case 'content_block_stop': {
				const known = this.#parts.get((event as Extract<MessagesStreamEvent, { type: 'content_block_stop' }>).index);
				if (known?.block) {
					yield { type: 'patch', index: known.index, fields: { value: known.block.toBlock() } };
				}
				break;
			}
			case 'message_delta': {
				const { delta, usage } = event as Extract<MessagesStreamEvent, { type: 'message_delta' }>;
				yield* this.#readUsage(usage);
				if (delta?.stop_reason) {
					yield {
						type: 'finish',
						finish: describeMessagesFinish(this.#words, delta.stop_reason, delta.stop_sequence, delta['stop_details']),
					};
				}
				break;
			}
		}
	}

	*#startBlock({ index, content_block: block }: { index: number; content_block: ContentBlock }): Iterable<ReplyStep> {
		const part = toPart(block);
		if (part) {
			this.#parts.set(index, {
				index: this.#count++,
				kind: part.kind,
				citations: [],
				...(part.kind === 'other' && { block: new StreamedBlock(block) }),
			});
			yield { type: 'part', part };
		}
	}

	*#readDelta({ index, delta }: { index: number; delta: { type: string; [field: string]: unknown } }): Iterable<ReplyStep> {
		const known = this.#parts.get(index);
		if (!known) {
			return;
		}
		if (known.block) {
			known.block.add(delta);
			return;
		}
		const text = getDeltaText(delta);
		if (text) {
			yield { type: 'text', index: known.index, text };
		} else if (delta.type === 'signature_delta' && known.kind === 'thinking') {
			yield { type: 'patch', index: known.index, fields: { signature: String(delta['signature'] ?? '') } };
		} else if (delta.type === 'citations_delta' && known.kind === 'text') {
			const citation = parseCitation(delta['citation']);
			if (citation && !known.citations.some(c => c.title === citation.title && c.url === citation.url)) {
				known.citations.push(citation);
				yield { type: 'patch', index: known.index, fields: { citations: [...known.citations] } };
			}
		}
	}

	/** Merges usage. Fields of `message_delta` override those of `message_start` (wire facts 2.2). */
	*#readUsage(usage: MessagesUsage | undefined): Iterable<ReplyStep> {
		if (!usage) {
			return;
		}
		this.#usage = { ...this.#usage, ...Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null)) };
		yield { type: 'usage', usage: toUsage(this.#usage), billed: toBilledUsage(this.#usage) };
	}
}

function getDeltaText(delta: { type: string; [field: string]: unknown }): string {
	const field = { text_delta: 'text', thinking_delta: 'thinking', input_json_delta: 'partial_json' }[delta.type];
	const value = field === undefined ? undefined : delta[field];
	return typeof value === 'string' ? value : '';
}

function toPart(block: ContentBlock | undefined): ChatPart | undefined {
	const getText = (field: string) => (typeof block?.[field] === 'string' ? (block[field] as string) : '');
	switch (block?.type) {
		case undefined:
			return undefined;
		case 'text':
			return { kind: 'text', text: getText('text') };
		case 'thinking':
			return { kind: 'thinking', text: getText('thinking'), ...(getText('signature') && { signature: getText('signature') }) };
		case 'redacted_thinking':
			return { kind: 'thinking', text: '', redacted: getText('data') };
		case 'tool_use': {
			const input = block?.['input'];
			const given = typeof input === 'object' && input !== null && Object.keys(input).length > 0;
			return { kind: 'toolCall', id: getText('id'), name: getText('name'), input: given ? JSON.stringify(input) : '' };
		}
		default:
			return { kind: 'other', endpoint: 'messages', type: block?.type ?? '', value: block };
	}
}

function parseCitation(value: unknown): ReplyCitation | undefined {
	if (typeof value !== 'object' || value === null) {
		return undefined;
	}
	const getField = (name: string) => {
		const held = (value as Record<string, unknown>)[name];
		return typeof held === 'string' && held ? held : undefined;
	};
	const url = getField('url') ?? getField('source');
	const title = getField('title') ?? getField('document_title') ?? url;
	const quote = getField('cited_text');
	return title === undefined ? undefined : { title, ...(url && { url }), ...(quote && { quote }) };
}

/** Converts usage to billed tokens. In this protocol, `input_tokens` doesn't include cached tokens. */
function toBilledUsage(usage: MessagesUsage): TokenUsage {
	const [read, made] = ['cache_read_input_tokens', 'cache_creation_input_tokens'].map(name => Number(usage[name] ?? 0) || 0) as [
		number,
		number,
	];
	return { input: (usage.input_tokens ?? 0) + read + made, cached: read, output: usage.output_tokens ?? 0 };
}

function toUsage(usage: MessagesUsage): Usage {
	const cached = usage['cache_read_input_tokens'];
	return {
		...(typeof usage.input_tokens === 'number' && { input: usage.input_tokens }),
		...(typeof usage.output_tokens === 'number' && { output: usage.output_tokens }),
		...(typeof cached === 'number' && cached > 0 && { cached }),
	};
}
