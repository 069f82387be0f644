import type { l10n as vscodeL10n } from 'vscode';
import type { ServiceClient } from '../../client/client.ts';
import type { ChatPart, Citation, EndpointKind, EndpointSettings, Finish, ImagePart, Turn, Usage } from '../transcript.ts';

/** The editor's translations, handed in so that these modules load without an editor. */
export type Words = Pick<typeof vscodeL10n, 't'>;

/** A chat as an endpoint sends it. `turns` end with the user's turn that is to be answered, or with the reply that is to go on. */
export interface ChatRequest {
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
	readonly citations?: Citation[];
}

/** One step of a reply, the same for every endpoint. `index` counts the reply's parts from 0. */
export type ReplyStep =
	| { readonly type: 'part'; readonly part: ChatPart }
	| { readonly type: 'text'; readonly index: number; readonly text: string }
	| { readonly type: 'patch'; readonly index: number; readonly fields: PartFields }
	| { readonly type: 'usage'; readonly usage: Usage }
	| { readonly type: 'finish'; readonly finish: Finish }
	| { readonly type: 'model'; readonly model: string }
	| { readonly type: 'conversation'; readonly id: string };

/** How a chat talks to one of the service's text endpoints. */
export interface Endpoint {
	readonly kind: EndpointKind;
	/**
	 * Why these images cannot go there, as a sentence; undefined where they can, or where only the service can tell. Rejects where the
	 * service cannot be asked.
	 */
	refusal(
		client: ServiceClient,
		request: Pick<ChatRequest, 'model' | 'settings'>,
		images: readonly ImagePart[],
	): Promise<string | undefined>;
	/**
	 * Sends the chat and yields the reply as it comes. Ends without a `finish` step where the service never said that it was through.
	 * Rejects with the client's ServiceError, or a Problem.
	 */
	reply(client: ServiceClient, request: ChatRequest, signal: AbortSignal): AsyncIterable<ReplyStep>;
}

/** How an attached file stands in a message: its name, then its text in a fence longer than any inside it. */
export function quotedFile(part: Extract<ChatPart, { kind: 'file' }>): string {
	const longest = Math.max(2, ...[...part.text.matchAll(/`{3,}/g)].map(match => match[0].length));
	const fence = '`'.repeat(longest + 1);
	const place = part.lines ? `${part.name}:${part.lines}` : part.name;
	return `${place}\n${fence}${part.language}\n${part.text}${part.text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** The images among the parts of a message. */
export function imagesOf(parts: readonly ChatPart[]): ImagePart[] {
	return parts.filter(part => part.kind === 'image');
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
			case 'image':
				return [`(image ${part.name})`];
			default:
				return [];
		}
	});
	return pieces.join('\n\n');
}
