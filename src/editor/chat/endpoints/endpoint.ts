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

/** A chat as an endpoint sends it. `turns` end with the user's turn that is to be answered, or with the reply that is to go on. */
export interface EndpointRequest {
	readonly model: string;
	readonly system: string;
	readonly settings: EndpointSettings;
	readonly turns: readonly Turn[];
	readonly user: string;
	/** The service's conversation that goes on, where an agent keeps one and the turns before are all that it holds. */
	readonly conversationId?: string;
}

/** What a service says of a part after its text began; `text` takes the place of all that came (Dify's moderation). */
export interface PartFields {
	readonly text?: string;
	readonly signature?: string;
	readonly citations?: ReplyCitation[];
	/** Of a tool call: its arguments so far, as JSON. */
	readonly input?: string;
	/** Of an agent's step: what its tools gave. */
	readonly output?: string;
	/** Of a picture that the service keeps: its bytes. */
	readonly picture?: NonNullable<StoredPart['picture']>;
	/** Of a part that is kept as the service sent it: all of it. */
	readonly value?: unknown;
	/** Of a tool call: how it goes. */
	readonly run?: ToolRun;
	/** Of a form: what it was answered with. */
	readonly answer?: string;
	readonly form?: RunForm;
}

/** A reply that waited for a person and goes on: its run, and whether any text came before. */
export interface WaitedReply {
	readonly model: string;
	readonly user: string;
	readonly run: string;
	readonly begun: boolean;
}

/** One step of a reply, the same for every endpoint. `index` counts the reply's parts from 0. */
export type ReplyStep =
	| { readonly type: 'part'; readonly part: ChatPart }
	| { readonly type: 'text'; readonly index: number; readonly text: string }
	| { readonly type: 'patch'; readonly index: number; readonly fields: PartFields }
	/** All text of the reply so far, where the part is not its only one. */
	| { readonly type: 'whole'; readonly index: number; readonly text: string }
	/** What the reply's tokens cost. */
	| { readonly type: 'price'; readonly price: TokenPrice }
	/** `billed`: the same as it is paid for; `cost`: where the service says it itself. */
	| { readonly type: 'usage'; readonly usage: Usage; readonly billed?: TokenUsage; readonly cost?: Cost }
	| { readonly type: 'finish'; readonly finish: Finish }
	| { readonly type: 'model'; readonly model: string }
	| { readonly type: 'conversation'; readonly id: string }
	/** The run that the reply comes from, to go on with after a pause. */
	| { readonly type: 'run'; readonly id: string }
	/** What the service calls the reply. */
	| { readonly type: 'message'; readonly id: string }
	/** What the service did with the reply, as a sentence. */
	| { readonly type: 'note'; readonly text: string }
	/** The form of a node was answered, however. */
	| { readonly type: 'answered'; readonly nodeId: string; readonly answer: string };

/** How a chat talks to one of the service's text endpoints. */
export interface TextEndpoint {
	readonly kind: EndpointKind;
	/**
	 * Why these images and documents cannot go there, as a sentence; undefined where they can, or where only the service can tell. Rejects where the
	 * service cannot be asked.
	 */
	refusal(
		client: ServiceClient,
		request: Pick<EndpointRequest, 'model' | 'settings'>,
		attached: readonly AttachedPart[],
	): Promise<string | undefined>;
	/**
	 * Sends the chat and yields the reply as it comes. Ends without a `finish` step where the service never said that it was through.
	 * Rejects with the client's ServiceError, or a Problem.
	 */
	reply(client: ServiceClient, request: EndpointRequest, signal: AbortSignal): AsyncIterable<ReplyStep>;
	/** What comes of a reply after the last time that it waited for a person; absent where replies do not wait. */
	goOn?(client: ServiceClient, waited: WaitedReply, signal: AbortSignal): AsyncIterable<ReplyStep>;
}

/** How an attached file stands in a message: its name, then its text in a fence longer than any inside it. */
export function quotedFile(part: Pick<Extract<ChatPart, { kind: 'file' }>, 'name' | 'language' | 'text' | 'lines'>): string {
	const longest = Math.max(2, ...[...part.text.matchAll(/`{3,}/g)].map(match => match[0].length));
	const fence = '`'.repeat(longest + 1);
	const place = part.lines ? `${part.name}:${part.lines}` : part.name;
	return `${place}\n${fence}${part.language}\n${part.text}${part.text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** How an attached document stands in a message: its name, then its text as that of a file. */
export function quotedDocument({ name, text }: Pick<DocumentPart, 'name' | 'text'>): string {
	return quotedFile({ name, language: '', text });
}

/** The images and documents among the parts of a message. */
export function attachedOf(parts: readonly ChatPart[]): AttachedPart[] {
	return parts.filter(part => part.kind === 'image' || part.kind === 'document');
}

/**
 * Why documents cannot go to a model as their text, as a sentence; undefined where they can. `alone`: types that the endpoint takes as they
 * are where they have no text.
 */
export function textRefused(words: Localization, attached: readonly AttachedPart[], alone: readonly string[] = []): string | undefined {
	for (const part of attached) {
		if (part.kind === 'document' && part.text.length > textByteLimit) {
			return words.t('{0} has {1} characters of text; {2} are the most. Attach a part of it.', part.name, part.text.length, textByteLimit);
		}
		if (part.kind === 'document' && part.text === '' && !alone.includes(part.mimeType)) {
			return part.problem ?? words.t('{0} is empty.', part.name);
		}
	}
	return undefined;
}

/** What a user's or assistant's turn says in plain text: files quoted, thinking left out, images named. */
export function plainText(turn: Turn): string {
	const pieces = turn.parts.flatMap(part => {
		switch (part.kind) {
			case 'text':
				return part.text ? [part.text] : [];
			case 'file':
				return [quotedFile(part)];
			case 'toolResult':
				return [part.output];
			case 'document':
				return [part.text ? quotedDocument(part) : `(document ${part.name})`];
			case 'image':
				return [`(image ${part.name})`];
			default:
				return [];
		}
	});
	return pieces.join('\n\n');
}
