import type { Rating } from '#contract/dify/appFeatures.ts';
import type { Cost } from '#contract/text/tokenPrice.ts';
import type { RunForm } from '#runs/forms/runForm.ts';

/** A tool that a user chose for a chat, as the chat keeps it. `allowed`: it runs without being asked for. */
export type ChosenTool = {
	readonly kind: 'agent' | 'editor';
	readonly name: string;
	/** Of an agent: its connection's ID. */
	readonly connectionId?: string;
	readonly allowed?: boolean;
};

/** Which of the service's text endpoints a chat talks to: C, E, D, or an agent of A. */
export const endpointKinds = ['messages', 'content', 'chatCompletions', 'completions', 'agent'] as const;
export type EndpointKind = (typeof endpointKinds)[number];

/** Where a passage of a reply comes from, as the service names it. */
export interface ReplyCitation {
	readonly title: string;
	readonly url?: string;
	readonly quote?: string;
	/** Where it was searched: the name of a dataset. */
	readonly from?: string;
	/** How well it fits, as the service counts that: 1 is best. */
	readonly score?: number;
}

/** What a user thinks of a reply; the comment is theirs. */
export interface Feedback {
	readonly rating: Rating;
	readonly comment?: string;
}

/**
 * Piece of a turn, the same for every endpoint. `signature` is what a service wants back unchanged on the next turn (wire facts 2.1 and
 * 4.1); `other` is a block that this version does not know and sends back as it came, to the same endpoint only.
 */
export type ChatPart =
	| { readonly kind: 'text'; text: string; signature?: string; citations?: ReplyCitation[] }
	| { readonly kind: 'thinking'; text: string; signature?: string; redacted?: string }
	| { readonly kind: 'image'; readonly name: string; readonly mimeType: string; readonly data: string }
	| { readonly kind: 'audio'; readonly mimeType: string; data: string }
	| {
			readonly kind: 'file';
			readonly name: string;
			readonly language: string;
			readonly text: string;
			readonly uri?: string;
			readonly lines?: string;
	  }
	| {
			readonly kind: 'document';
			readonly name: string;
			readonly mimeType: string;
			readonly data: string;
			readonly text: string;
			readonly problem?: string;
			readonly uri?: string;
	  }
	| { readonly kind: 'toolCall'; readonly id: string; readonly name: string; input: string; signature?: string; run?: ToolRun }
	| { readonly kind: 'toolResult'; readonly id: string; readonly name: string; readonly output: string; readonly isError: boolean }
	| StoredPart
	/** A call of tools that an agent carried out at its service: what it thought, gave and got. `output` is empty until it is known. */
	| { readonly kind: 'step'; readonly id: string; readonly tool: string; text: string; input: string; output: string }
	/** A form that an agent waits for; `answer`: what it was answered with. */
	| { readonly kind: 'form'; form: RunForm; answer?: string }
	| { readonly kind: 'other'; readonly endpoint: EndpointKind; readonly type: string; readonly value: unknown };

/**
 * A file of a message that was told by its service, which keeps it. `id` is what its upload was named, or, beside a `url`, what the file itself is: that is
 * where it is fetched, perhaps relative to the service, and only for a while. `picture`: a picture that the user had shown, with its bytes in base64.
 */
export interface StoredPart {
	readonly kind: 'stored';
	readonly name: string;
	readonly id?: string;
	readonly url?: string;
	readonly type?: 'image';
	picture?: { readonly mimeType: string; readonly data: string };
}

/** How a call of a tool goes. */
export const toolStatuses = ['asked', 'running', 'done', 'failed', 'denied', 'stopped'] as const;

/** A call that this editor carries out. Its result stands behind the calls of its reply, in their order. */
export interface ToolRun {
	/** What people call the tool, and the place where it runs; that is empty where there is no such tool. */
	readonly title: string;
	readonly where: string;
	readonly status: (typeof toolStatuses)[number];
	/** Milliseconds that it took, once it has ended. */
	readonly ms?: number;
}

/** An image of a turn or of a message that is being written; `data` is base64. */
type ImagePart = Extract<ChatPart, { kind: 'image' }>;

/** A document likewise. `text` is what was read out of it; where nothing could be, it is empty and `problem` says why in a sentence. */
export type DocumentPart = Extract<ChatPart, { kind: 'document' }>;

/** What is no text by itself, so that it depends on the endpoint whether it can go along. */
export type AttachedPart = ImagePart | DocumentPart;

/** Tokens of a reply as the service counts them; a field is absent where it says nothing. */
export interface Usage {
	readonly input?: number;
	readonly output?: number;
	readonly thinking?: number;
	readonly cached?: number;
}

/** Why a reply ended: the service's own word, and ours: a sentence where a user should notice, else a word or two among the reply's figures. */
export interface Finish {
	readonly reason: string;
	readonly text: string;
	readonly notable: boolean;
}

/** What a user can do about a failed reply. */
export const problemActions = [
	'retry',
	'setKey',
	'replaceKey',
	'pickModel',
	'pickConnection',
	'openSettings',
	'newChat',
	'newConversation',
	'showLog',
] as const;
export type ProblemAction = (typeof problemActions)[number];

/** What went wrong with a reply, and what mends it. Never holds a key. */
export interface ReplyProblem {
	readonly reason: string;
	readonly message: string;
	readonly actions: readonly ProblemAction[];
}

/** `interrupted`: the window ended while the reply was coming. `stopped`: the user stopped it, what came is kept. */
type ReplyStatus = 'streaming' | 'done' | 'stopped' | 'failed' | 'interrupted';

/** What is known of an assistant turn besides its text. Durations in milliseconds. */
export interface ReplyFacts {
	readonly status: ReplyStatus;
	readonly endpoint: EndpointKind;
	readonly connection: string;
	readonly model: string;
	readonly firstTokenMs?: number;
	readonly durationMs?: number;
	readonly usage?: Usage;
	/** What all of it cost, where the service tells prices. */
	readonly cost?: Cost;
	/** Of a reply that took several requests: what the last one took. */
	readonly lastUsage?: Usage;
	readonly finish?: Finish;
	/** The service's conversation that this reply belongs to, where an agent keeps one. */
	readonly conversationId?: string;
	/** The run of an agent that it came of. */
	readonly runId?: string;
	/** What the service calls this reply. */
	readonly messageId?: string;
	readonly feedback?: Feedback;
	/** Questions that could come next. */
	readonly suggested?: readonly string[];
	/** What the service did with the reply, in sentences. */
	readonly notes?: readonly string[];
	readonly problem?: ReplyProblem;
}

/** One turn. Turns form a tree through `parent`: an edit or a retry adds a sibling, so nothing is lost. */
export interface Turn {
	readonly id: string;
	readonly parent: string | null;
	readonly role: 'user' | 'assistant';
	readonly parts: ChatPart[];
	/** Unix milliseconds. */
	readonly at: number;
	reply?: ReplyFacts;
}

/** Something attached to the message that is being written. */
export type MessageAttachment = { readonly id: string; readonly part: Extract<ChatPart, { kind: 'image' | 'document' | 'file' }> };

/** What a user sets for one endpoint; names are the contract's. Absent fields are left to the service. */
export type EndpointSettings = Readonly<Record<string, unknown>>;

/** A whole chat as it is kept: plain JSON. `leaf` is the last turn of the branch that is shown. */
export interface Transcript {
	readonly version: 1;
	readonly id: string;
	title: string;
	/** Whether the title was given by the user; else it follows the first message. */
	named: boolean;
	readonly createdAt: number;
	updatedAt: number;
	/** Empty until one was picked: then the default connection is used. */
	connectionId: string;
	/** The contract's `user` of that connection when the chat last sent; agents' conversations are kept apart by it. */
	user: string;
	endpoint: EndpointKind;
	/** Model or agent last used with each endpoint. */
	models: Partial<Record<EndpointKind, string>>;
	system: string;
	settings: Partial<Record<EndpointKind, EndpointSettings>>;
	attachments: MessageAttachment[];
	/** Tools that its models may call. */
	tools: ChosenTool[];
	turns: Turn[];
	leaf: string | null;
}

/** What a list shows of a chat. */
export interface TranscriptSummary {
	readonly id: string;
	readonly title: string;
	readonly createdAt: number;
	readonly updatedAt: number;
	readonly connectionId: string;
	readonly user: string;
	readonly endpoint: EndpointKind;
	readonly model: string;
	readonly turns: number;
	/** The service's conversations that the chat goes on with. */
	readonly conversationIds: readonly string[];
}

/** An empty chat that talks to this endpoint. */
export function newTranscript(id: string, from?: Transcript, now = Date.now()): Transcript {
	return {
		version: 1,
		id,
		title: '',
		named: false,
		createdAt: now,
		updatedAt: now,
		connectionId: from?.connectionId ?? '',
		user: '',
		endpoint: from?.endpoint ?? 'messages',
		models: { ...from?.models },
		system: from?.system ?? '',
		settings: structuredClone(from?.settings ?? {}),
		attachments: [],
		tools: [],
		turns: [],
		leaf: null,
	};
}

/** What a list shows of this chat. */
export function summaryOf(t: Transcript): TranscriptSummary {
	const { id, title, createdAt, updatedAt, connectionId, user, endpoint } = t;
	const conversationIds = [...new Set(t.turns.flatMap(turn => turn.reply?.conversationId ?? []))];
	return {
		id,
		title,
		createdAt,
		updatedAt,
		connectionId,
		user,
		endpoint,
		model: t.models[endpoint] ?? '',
		turns: t.turns.length,
		conversationIds,
	};
}

/** The text of a turn that a person reads: its text parts, without thinking, tools and attachments. */
export function textOf(turn: Turn): string {
	return turn.parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('');
}
