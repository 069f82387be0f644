import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { Cost, TokenPrice, TokenUsage } from '#contract/text/tokenPrice.ts';
import type {
	AttachedPart,
	ChatPart,
	DocumentPart,
	EndpointKind,
	EndpointSettings,
	Finish,
	ReplyCitation,
	StoredPart,
	ToolRun,
	Turn,
	Usage,
} from '#pages/chat/transcript/transcript.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import { textByteLimit } from '../attachments/attachments.ts';

/** The part of a chat that an endpoint sends. The last turn is the user's message, or the partial reply to continue. */
export interface EndpointRequest {
	readonly model: string;
	readonly system: string;
	readonly settings: EndpointSettings;
	readonly turns: readonly Turn[];
	readonly user: string;
	/** Maximum number of tokens that the model can reply with, if known. */
	readonly outputLimit?: number;
	/** ID of the agent's conversation to continue, if it matches the earlier turns. */
	readonly conversationId?: string;
}

/** Changes to a part after it started. `text` replaces the whole text, for example after Dify's moderation. */
export interface PartFields {
	readonly text?: string;
	readonly signature?: string;
	readonly citations?: ReplyCitation[];
	/** For a tool call: the arguments received so far, as JSON. */
	readonly input?: string;
	/** For an agent's step: the output of its tools. */
	readonly output?: string;
	/** For a picture stored by the service: its content. */
	readonly picture?: NonNullable<StoredPart['picture']>;
	/** For a part that is stored as the service sent it: the whole part. */
	readonly value?: unknown;
	/** For a tool call: its status. */
	readonly run?: ToolRun;
	/** For a form: the answer. */
	readonly answer?: string;
	readonly form?: RunForm;
}

/** A reply to resume after it waited for a person. `begun` is true if it already has text. */
export interface WaitedReply {
	readonly model: string;
	readonly user: string;
	readonly run: string;
	readonly begun: boolean;
}

/** One step of a reply, in a format that all endpoints share. `index` is the index of a part in the reply. */
export type ReplyStep =
	| { readonly type: 'part'; readonly part: ChatPart }
	| { readonly type: 'text'; readonly index: number; readonly text: string }
	| { readonly type: 'patch'; readonly index: number; readonly fields: PartFields }
	/** The whole text of a reply with several parts, so far. */
	| { readonly type: 'whole'; readonly index: number; readonly text: string }
	/** Price of the reply's tokens. */
	| { readonly type: 'price'; readonly price: TokenPrice }
	/** `billed` are the tokens to multiply by the price. `cost` is the cost, if the service sends it. */
	| { readonly type: 'usage'; readonly usage: Usage; readonly billed?: TokenUsage; readonly cost?: Cost }
	| { readonly type: 'finish'; readonly finish: Finish }
	| { readonly type: 'model'; readonly model: string }
	| { readonly type: 'conversation'; readonly id: string }
	/** ID of the reply's run, which is needed to resume it after a pause. */
	| { readonly type: 'run'; readonly id: string }
	/** The service's ID of the reply. */
	| { readonly type: 'message'; readonly id: string }
	/** A message to the user about how the service changed or created the reply. */
	| { readonly type: 'note'; readonly text: string }
	/** A node's form was answered or has expired. */
	| { readonly type: 'answered'; readonly nodeId: string; readonly answer: string };

/** Sends chats to one of the service's text endpoints. */
export interface TextEndpoint {
	readonly kind: EndpointKind;
	/**
	 * Returns why these images and documents can't be sent. Returns undefined if they can, or if only the service can tell. Rejects if the
	 * service can't be reached.
	 */
	checkAttachments(
		client: ServiceClient,
		request: Pick<EndpointRequest, 'model' | 'settings'>,
		attached: readonly AttachedPart[],
	): Promise<string | undefined>;
	/**
	 * Sends the chat and streams the reply. Ends without a `finish` step if the service closed the stream early. Rejects with the client's
	 * ServiceError or a Problem.
	 */
	streamReply(client: ServiceClient, request: EndpointRequest, signal: AbortSignal): AsyncIterable<ReplyStep>;
	/** Streams the rest of a reply that waited for a person. Undefined if the endpoint's replies never wait. */
	resumeReply?(client: ServiceClient, waited: WaitedReply, signal: AbortSignal): AsyncIterable<ReplyStep>;
}

/** Quotes an attached file in a message: its name, then its text in a fence that is longer than any fence in the text. */
export function quoteFile(part: Pick<Extract<ChatPart, { kind: 'file' }>, 'name' | 'language' | 'text' | 'lines'>): string {
	const longest = [...part.text.matchAll(/`{3,}/g)].reduce((length, [run]) => Math.max(length, run.length), 2);
	const fence = '`'.repeat(longest + 1);
	const place = part.lines ? `${part.name}:${part.lines}` : part.name;
	return `${place}\n${fence}${part.language}\n${part.text}${part.text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Quotes an attached document in a message, like a file. */
export function quoteDocument({ name, text }: Pick<DocumentPart, 'name' | 'text'>): string {
	return quoteFile({ name, language: '', text });
}

/** Returns the images and documents of a message. */
export function getAttachments(parts: readonly ChatPart[]): AttachedPart[] {
	return parts.filter(part => part.kind === 'image' || part.kind === 'document');
}

/**
 * Returns why documents can't be sent to a model as text, or undefined if they can. `alone` lists the MIME types that the endpoint accepts
 * as files if they have no text.
 */
export function getTextRefusal(words: Localization, attached: readonly AttachedPart[], alone: readonly string[] = []): string | undefined {
	for (const part of attached) {
		if (part.kind === 'document' && part.text.length > textByteLimit) {
			return words.t(
				"'{0}' is too long ({1} characters). The limit is {2}. Attach only part of it.",
				part.name,
				part.text.length,
				textByteLimit,
			);
		}
		if (part.kind === 'document' && part.text === '' && !alone.includes(part.mimeType)) {
			return part.problem ?? words.t("'{0}' is empty.", part.name);
		}
	}
	return undefined;
}

/** Converts a turn to plain text. Quotes files, names images, and omits thinking. */
export function toPlainText(turn: Turn): string {
	const texts = turn.parts.flatMap(part => {
		switch (part.kind) {
			case 'text':
				return part.text ? [part.text] : [];
			case 'file':
				return [quoteFile(part)];
			case 'toolResult':
				return [part.output];
			case 'document':
				return [part.text ? quoteDocument(part) : `(document ${part.name})`];
			case 'image':
				return [`(image ${part.name})`];
			default:
				return [];
		}
	});
	return texts.join('\n\n');
}
