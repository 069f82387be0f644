import type { Rating } from '#contract/dify/appFeatures.ts';
import type { Cost } from '#contract/text/tokenPrice.ts';
import type { RunForm } from '#runs/forms/runForm.ts';

/** A tool that was chosen for a chat. `allowed`: true if it runs without confirmation. */
export type ChosenTool = {
	readonly kind: 'agent' | 'editor';
	readonly name: string;
	/** ID of the connection, for agents. */
	readonly connectionId?: string;
	readonly allowed?: boolean;
};

/** The kind of endpoint that a chat uses: section C, E or D of the contract, or an agent of section A. */
export const endpointKinds = ['messages', 'content', 'chatCompletions', 'completions', 'agent'] as const;
export type EndpointKind = (typeof endpointKinds)[number];

/** The source of a passage in a reply, as reported by the service. */
export interface ReplyCitation {
	readonly title: string;
	readonly url?: string;
	readonly quote?: string;
	/** Name of the dataset that was searched. */
	readonly from?: string;
	/** Relevance as reported by the service; 1 is best. */
	readonly score?: number;
}

/** A user's feedback on a reply. */
export interface Feedback {
	readonly rating: Rating;
	readonly comment?: string;
}

/**
 * Part of a turn, the same for every endpoint. `signature` must be sent back to the service unchanged on the next turn (wire facts 2.1 and
 * 4.1). `other` is a block that this version doesn't know; it's sent back unchanged, and only to the same endpoint.
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
	/** A tool call that an agent made on its service: thought, input and output. `output` is empty until it is known. */
	| { readonly kind: 'step'; readonly id: string; readonly tool: string; text: string; input: string; output: string }
	/** A form that an agent waits for. `answer`: the pressed button, once the form is submitted. */
	| { readonly kind: 'form'; form: RunForm; answer?: string }
	| { readonly kind: 'other'; readonly endpoint: EndpointKind; readonly type: string; readonly value: unknown };

/**
 * A file of a message that is stored by its service. `id` is the ID of its upload or, together with `url`, of the file itself; the URL may
 * be relative to the service and expire. `picture`: an image that the user chose to show, in Base64.
 */
export interface StoredPart {
	readonly kind: 'stored';
	readonly name: string;
	readonly id?: string;
	readonly url?: string;
	readonly type?: 'image';
	picture?: { readonly mimeType: string; readonly data: string };
}

/** States of a tool call. */
export const toolStatuses = ['asked', 'running', 'done', 'failed', 'denied', 'stopped'] as const;

/** A tool call that this editor runs. Results come after all calls of a reply, in the same order. */
export interface ToolRun {
	/** Display name of the tool, and where it runs; empty if the tool doesn't exist. */
	readonly title: string;
	readonly where: string;
	readonly status: (typeof toolStatuses)[number];
	/** Duration in milliseconds, once the call has ended. */
	readonly ms?: number;
}

/** An image of a turn or a draft; `data` is Base64. */
type ImagePart = Extract<ChatPart, { kind: 'image' }>;

/**
 * A document of a turn or a draft. `text` is its extracted text; if no text could be extracted, `text` is empty and `problem` is the
 * reason.
 */
export type DocumentPart = Extract<ChatPart, { kind: 'document' }>;

/** Attachments that only some endpoints accept. */
export type AttachedPart = ImagePart | DocumentPart;

/** Token counts of a reply as reported by the service. */
export interface Usage {
	readonly input?: number;
	readonly output?: number;
	readonly thinking?: number;
	readonly cached?: number;
}

/**
 * Why a reply ended: the service's reason, and our text for it. The text is a sentence if the reason is notable, else one or two words for
 * the footer.
 */
export interface Finish {
	readonly reason: string;
	readonly text: string;
	readonly notable: boolean;
}

/** Actions that the user is offered for a failed reply. */
export const problemActions = [
	'retry',
	'setKey',
	'replaceKey',
	'pickModel',
	'pickConnection',
	'openSettings',
	'newChat',
	'newConversation',
	'summarize',
	'showLog',
] as const;
export type ProblemAction = (typeof problemActions)[number];

/** Why a reply failed, and possible fixes. Never contains a key. */
export interface ReplyProblem {
	readonly reason: string;
	readonly message: string;
	readonly actions: readonly ProblemAction[];
}

/** A wait before a request is sent again, because its service was too busy. `at` is the end of the wait, in Unix milliseconds. */
export interface RetryWait {
	readonly reason: 'rate-limited' | 'overloaded';
	readonly at: number;
	/** Number of this retry, and maximum number of retries. */
	readonly retry: number;
	readonly of: number;
}

/** `interrupted`: the window was closed during the reply. `stopped`: the user stopped the reply; its text so far is kept. */
type ReplyStatus = 'streaming' | 'done' | 'stopped' | 'failed' | 'interrupted';

/** Metadata of a reply. Durations are in milliseconds. */
export interface ReplyFacts {
	readonly status: ReplyStatus;
	readonly endpoint: EndpointKind;
	/** Name of the connection when the reply started. */
	readonly connection: string;
	/** ID of the connection. Older versions stored none. */
	readonly connectionId?: string;
	readonly model: string;
	readonly firstTokenMs?: number;
	readonly durationMs?: number;
	readonly usage?: Usage;
	/** Total cost, if the service reports prices. */
	readonly cost?: Cost;
	/** Usage of the last request, for a reply that took several requests. */
	readonly lastUsage?: Usage;
	readonly finish?: Finish;
	/** ID of the service's conversation, for agents that have one. */
	readonly conversationId?: string;
	/** ID of the agent's run. */
	readonly runId?: string;
	/** The service's ID of the reply. */
	readonly messageId?: string;
	readonly feedback?: Feedback;
	/** Suggested next questions. */
	readonly suggested?: readonly string[];
	/** Remarks on how the service handled the request. */
	readonly notes?: readonly string[];
	readonly problem?: ReplyProblem;
	/** Set while a streaming reply waits to be requested again. Not stored. */
	readonly retry?: RetryWait;
}

/** One turn. Turns form a tree through `parent`: an edit or a retry adds a sibling, so nothing is lost. */
export interface Turn {
	readonly id: string;
	readonly parent: string | null;
	readonly role: 'user' | 'assistant';
	readonly parts: ChatPart[];
	/** Unix time in milliseconds. */
	readonly at: number;
	reply?: ReplyFacts;
	/** Summary of the chat up to this turn, which the model gets instead of these turns. */
	summary?: string;
}

/** An attachment of the message that is being written. `source` refers to where it was read, to read it again when it's sent. */
export type MessageAttachment = {
	readonly id: string;
	readonly part: Extract<ChatPart, { kind: 'image' | 'document' | 'file' }>;
	readonly source?: string;
};

/** The user's settings for one endpoint, by field names of the contract. The service decides the values of absent fields. */
export type EndpointSettings = Readonly<Record<string, unknown>>;

/** A complete chat as stored, in plain JSON. `leaf` is the last turn of the branch that is shown. */
export interface Transcript {
	readonly version: 1;
	readonly id: string;
	title: string;
	/** True if the user named the chat; otherwise the title follows the first message. */
	named: boolean;
	readonly createdAt: number;
	updatedAt: number;
	/** ID of the connection. Empty until one is chosen; then the default connection is used. */
	connectionId: string;
	/** The contract's `user` when a message was last sent. Conversations of agents are separate for each user. */
	user: string;
	endpoint: EndpointKind;
	/** Model or agent last used with each endpoint. */
	models: Partial<Record<EndpointKind, string>>;
	system: string;
	settings: Partial<Record<EndpointKind, EndpointSettings>>;
	attachments: MessageAttachment[];
	/** Tools that the chat's models may call. */
	tools: ChosenTool[];
	turns: Turn[];
	leaf: string | null;
}

/** The data of a chat that is shown in lists. */
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
	/** Conversations of the service that the chat continues. */
	readonly conversationIds: readonly string[];
}

/** Creates an empty chat with the endpoint and settings of another one. */
export function createTranscript(id: string, from?: Transcript, now = Date.now()): Transcript {
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

export function summarizeTranscript(t: Transcript): TranscriptSummary {
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

/** Returns the visible text of a turn, without thinking, tools and attachments. */
export function getTurnText(turn: Turn): string {
	return turn.parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('');
}
