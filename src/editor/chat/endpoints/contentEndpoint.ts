import { Problem } from '#base/problems.ts';
import { joinSentences } from '#base/text/joinSentences.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { Candidate, Content, GenerateContentRequest, GenerateContentResponse, Part } from '#contract/text/content.ts';
import type { TokenUsage } from '#contract/text/tokenPrice.ts';
import type { AttachedPart, ChatPart, ReplyCitation, Turn, Usage } from '#pages/chat/transcript/transcript.ts';
import { describeBlock, describeContentFinish } from '../replies/finishReasons.ts';
import { type EndpointRequest, getTextRefusal, quoteDocument, quoteFile, type ReplyStep, type TextEndpoint } from './endpoint.ts';
import { dropPdfTexts } from './nativePdfs.ts';
import { type PartialArgument, PartialArguments } from './partialArguments.ts';
import { readPricedSteps } from './pricedSteps.ts';

/** Settings at the top level of the body. All others go into `generationConfig` (contract E1). */
const topLevelSettings = new Set(['safetySettings', 'tools', 'toolConfig']);

/** Sends chats in Gemini's protocol, as contents with parts (contract E2; wire facts 4). */
export class ContentEndpoint implements TextEndpoint {
	readonly kind = 'content';
	readonly #words: Localization;
	readonly #prepareTurns: (turns: readonly Turn[]) => readonly Turn[];

	/** `readsPdfs`: the models of the service read PDFs, so that these are sent as files even if they have text. */
	constructor(words: Localization, readsPdfs = false) {
		this.#words = words;
		this.#prepareTurns = readsPdfs ? dropPdfTexts : turns => turns;
	}

	/** Accepts all images, documents with text, and PDFs without text (scans), which are sent as files. */
	async checkAttachments(_client: unknown, _request: unknown, attached: readonly AttachedPart[]): Promise<string | undefined> {
		return getTextRefusal(this.#words, attached, ['application/pdf']);
	}

	async *streamReply(client: ServiceClient, request: EndpointRequest, signal: AbortSignal): AsyncIterable<ReplyStep> {
		const reader = new ContentReplyReader(this.#words);
		const body = createContentBody({ ...request, turns: this.#prepareTurns(request.turns) });
		yield* readPricedSteps(
			priced => client.streamGenerateContent(request.model, body, { signal, priced }),
			chunk => reader.readChunk(chunk),
		);
	}
}

/** Creates the body of a request (contract E2). */
export function createContentBody(request: EndpointRequest): GenerateContentRequest {
	const entries = Object.entries(request.settings);
	const config = Object.fromEntries(entries.filter(([name]) => !topLevelSettings.has(name)));
	return {
		contents: toContents(request.turns),
		...(request.system.trim() && { system_instruction: { parts: { text: request.system } } }),
		...Object.fromEntries(entries.filter(([name]) => topLevelSettings.has(name))),
		...(Object.keys(config).length > 0 && { generationConfig: config }),
	};
}

function toContents(turns: readonly Turn[]): Content[] {
	const contents: { role: string; parts: Part[] }[] = [];
	for (const turn of turns) {
		const role = turn.role === 'user' ? 'user' : 'model';
		const parts = turn.parts.flatMap(part => toParts(part));
		const last = contents.at(-1);
		if (last?.role === role) {
			last.parts.push(...parts);
		} else if (parts.length > 0) {
			contents.push({ role, parts });
		}
	}
	return contents;
}

function toParts(part: ChatPart): Part[] {
	switch (part.kind) {
		case 'text':
			// an empty text may have a signature that must be sent back (wire facts 4.2)
			return part.text || part.signature ? [{ text: part.text, ...(part.signature && { thoughtSignature: part.signature }) }] : [];
		case 'file':
			return [{ text: quoteFile(part) }];
		case 'document':
			return [part.text ? { text: quoteDocument(part) } : { inline_data: { mime_type: part.mimeType, data: part.data } }];
		case 'image':
		case 'audio':
			return [{ inline_data: { mime_type: part.mimeType, data: part.data } }];
		case 'toolCall':
			return [
				{
					functionCall: { ...(part.id && { id: part.id }), name: part.name, args: parseArguments(part.input) },
					...(part.signature && { thoughtSignature: part.signature }),
				},
			];
		case 'toolResult':
			return [
				{
					functionResponse: {
						...(part.id && { id: part.id }),
						name: part.name,
						response: { [part.isError ? 'error' : 'result']: part.output },
					},
				},
			];
		case 'other':
			return part.endpoint === 'content' ? [part.value as Part] : [];
		default:
			return [];
	}
}

function parseArguments(text: string): unknown {
	return tryParseJson(text || '{}') ?? {};
}

/** Converts the chunks of a stream to steps. Uses only the first candidate. A blocked prompt has no candidates (wire facts 4.1). */
export class ContentReplyReader {
	readonly #words: Localization;
	#count = 0;
	/** The part that text is appended to. */
	#open: { kind: 'text' | 'thinking'; index: number } | undefined;
	#model = '';
	/** The call whose arguments arrive in chunks. */
	#call: { index: number; args: PartialArguments } | undefined;

	constructor(words: Localization) {
		this.#words = words;
	}

	*readChunk(chunk: GenerateContentResponse): Iterable<ReplyStep> {
		if (chunk.modelVersion && chunk.modelVersion !== this.#model) {
			this.#model = chunk.modelVersion;
			yield { type: 'model', model: chunk.modelVersion };
		}
		if (chunk.usageMetadata) {
			const usage = toUsage(chunk.usageMetadata);
			yield { type: 'usage', usage, billed: toBilledUsage(usage) };
		}
		const blocked = chunk.promptFeedback?.blockReason;
		if (blocked && !chunk.candidates?.length) {
			throw new Problem(
				'blocked',
				joinSentences(this.#words.t('The service blocked this message. Edit it and send it again.'), describeBlock(this.#words, blocked)),
			);
		}
		const candidate = chunk.candidates?.find(c => (c.index ?? 0) === 0);
		if (candidate) {
			yield* this.#readCandidate(candidate);
		}
	}

	*#readCandidate(candidate: Candidate): Iterable<ReplyStep> {
		const parts = candidate.content?.parts;
		for (const part of Array.isArray(parts) ? parts : []) {
			yield* this.#readPart(part);
		}
		const citations = readCitations(candidate);
		if (citations.length > 0 && this.#open?.kind === 'text') {
			yield { type: 'patch', index: this.#open.index, fields: { citations } };
		}
		if (candidate.finishReason) {
			yield { type: 'finish', finish: describeContentFinish(this.#words, candidate.finishReason, candidate['finishMessage']) };
		}
	}

	*#readPart(part: Part): Iterable<ReplyStep> {
		const signature = typeof part['thoughtSignature'] === 'string' ? { signature: part['thoughtSignature'] } : undefined;
		if (typeof part.text === 'string') {
			yield* this.#addText(part.text, part['thought'] === true ? 'thinking' : 'text', signature);
			return;
		}
		this.#open = undefined;
		const call = part['functionCall'] as StreamedCall | undefined;
		if (this.#call && call && !call.name) {
			yield* this.#continueCall(this.#call, call, signature);
			return;
		}
		const index = this.#count++;
		yield { type: 'part', part: toChatPart(part, signature) };
		if (call?.willContinue) {
			this.#call = { index, args: new PartialArguments() };
			yield* this.#continueCall(this.#call, call, undefined);
		}
	}

	*#continueCall(
		{ index, args }: { index: number; args: PartialArguments },
		call: StreamedCall,
		signature: { signature: string } | undefined,
	): Iterable<ReplyStep> {
		args.add(call.partialArgs ?? []);
		if (!call.willContinue) {
			this.#call = undefined;
		}
		if (call.partialArgs || signature) {
			yield { type: 'patch', index, fields: { ...(call.partialArgs && { input: args.toJson() }), ...signature } };
		}
	}

	/**
	 * Appends text to the open part if it's of the same kind, or starts a new part. A signature closes the part, because it covers all its
	 * text.
	 */
	*#addText(text: string, kind: 'text' | 'thinking', signature: { signature: string } | undefined): Iterable<ReplyStep> {
		if (!text && !signature) {
			return;
		}
		if (this.#open?.kind !== kind) {
			this.#open = { kind, index: this.#count++ };
			yield { type: 'part', part: { kind, text: '' } };
		}
		if (text) {
			yield { type: 'text', index: this.#open.index, text };
		}
		if (signature) {
			yield { type: 'patch', index: this.#open.index, fields: signature };
		}
	}
}

/**
 * A chunk of a streamed call (wire facts 4.1). Only the first chunk has the name, and only the last one has no `willContinue`.
 */
interface StreamedCall {
	readonly name?: string;
	readonly partialArgs?: readonly PartialArgument[];
	readonly willContinue?: boolean;
}

function toChatPart(part: Part, signature: { signature: string } | undefined): ChatPart {
	const call = part['functionCall'] as { id?: string; name?: string; args?: unknown } | undefined;
	if (call?.name) {
		return { kind: 'toolCall', id: call.id ?? '', name: call.name, input: JSON.stringify(call.args ?? {}), ...signature };
	}
	const inline = part.inlineData ?? (part.inline_data && { mimeType: part.inline_data.mime_type, data: part.inline_data.data });
	if (inline?.mimeType.startsWith('image/')) {
		return { kind: 'image', name: inline.mimeType, mimeType: inline.mimeType, data: inline.data };
	}
	if (inline?.mimeType.startsWith('audio/')) {
		return { kind: 'audio', mimeType: inline.mimeType, data: inline.data };
	}
	return { kind: 'other', endpoint: 'content', type: Object.keys(part)[0] ?? 'part', value: part };
}

function readCitations(candidate: Candidate): ReplyCitation[] {
	const cited =
		(candidate['citationMetadata'] as { citationSources?: { uri?: string; title?: string }[] } | undefined)?.citationSources ?? [];
	const chunks =
		(candidate['groundingMetadata'] as { groundingChunks?: { web?: { uri?: string; title?: string } }[] } | undefined)?.groundingChunks ??
		[];
	return [...cited, ...chunks.flatMap(chunk => (chunk.web ? [chunk.web] : []))].flatMap(({ uri, title }) =>
		uri || title ? [{ title: title ?? uri ?? '', ...(uri && { url: uri }) }] : [],
	);
}

/** Converts usage to billed tokens. Thinking tokens are billed as output. */
function toBilledUsage({ input = 0, cached = 0, output = 0, thinking = 0 }: Usage): TokenUsage {
	return { input, cached, output: output + thinking };
}

function toUsage(usage: NonNullable<GenerateContentResponse['usageMetadata']>): Usage {
	const toNumber = (value: unknown) => (typeof value === 'number' ? value : undefined);
	const thinking = toNumber(usage['thoughtsTokenCount']);
	const cached = toNumber(usage['cachedContentTokenCount']);
	return {
		...(usage.promptTokenCount !== undefined && { input: usage.promptTokenCount }),
		...(usage.candidatesTokenCount !== undefined && { output: usage.candidatesTokenCount }),
		...(thinking && { thinking }),
		...(cached && { cached }),
	};
}
