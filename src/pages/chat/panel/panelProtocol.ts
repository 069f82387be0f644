import type { FormFile, FormNews } from '#runs/forms/formAnswer.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import type { ChatChange, ShownTurn } from '../transcript/chatChanges.ts';
import type { EndpointKind, EndpointSettings, MessageAttachment } from '../transcript/transcript.ts';
import type { PanelStrings } from './panelStrings.ts';

/** Bounds of a number; `above` and `below` are exclusive (contract, "Limits"). */
export interface NumberRange {
	readonly integer?: boolean;
	readonly from?: number;
	readonly to?: number;
	readonly above?: number;
	readonly below?: number;
}

/** A setting in the panel. `name` is the field of the request. */
export interface SettingField {
	readonly name: string;
	/**
	 * `list`: strings, one per line. `json`: any JSON of the type in `holds`. `safety`: one threshold per harm category. `thinking`:
	 * disabled, adaptive, or a token limit.
	 */
	readonly kind: 'number' | 'list' | 'json' | 'safety' | 'thinking';
	readonly help: string;
	/** Placeholder of the field: its default value, or who decides if it's empty. */
	readonly placeholder: string;
	readonly range?: NumberRange;
	/** Maximum number of list entries. */
	readonly most?: number;
	readonly holds?: 'array' | 'object';
}

/** Features of a Dify app, as configured in Dify. They apply to replies from this connection and agent. */
export interface AppOffers {
	readonly connection: { readonly id: string; readonly name: string };
	readonly model: string;
	/** True if the app suggests questions after a reply. */
	readonly suggests: boolean;
	/** True if the app transcribes audio files. */
	readonly hears: boolean;
	/** True if the app reads replies aloud. */
	readonly speaks: boolean;
	/** True if the app replies with annotations. */
	readonly annotates: boolean;
}

/** Audio in Base64. */
export interface Speech {
	readonly mimeType: string;
	readonly data: string;
}

/** Used part of the model's context window, in tokens. */
export interface TokensOfWindow {
	readonly used: number;
	readonly window: number;
}

/** The greeting of an agent and its suggested questions, shown in an empty chat. */
export interface Opening {
	readonly statement: string;
	/** Suggested questions. */
	readonly questions: readonly string[];
}

/**
 * Messages between the host and the webview of a chat, as types for both sides. Messages from the webview are checked at run time
 * (panelMessages.ts). Messages from the host are trusted. The host sends nothing before the webview has sent `ready`.
 */

/** Everything about a chat except its turns. */
export interface PanelHead {
	readonly chatId: string;
	readonly title: string;
	readonly endpoint: EndpointKind;
	readonly endpointName: string;
	/** True if the connection has several endpoints for the chat's model. */
	readonly choosesEndpoint: boolean;
	readonly connectionName: string;
	/** Model or agent; empty if none was chosen yet. */
	readonly model: string;
	/** Label of the model field: "model" or "agent". */
	readonly modelWord: string;
	readonly system: string;
	/** True if this endpoint accepts a system prompt. */
	readonly takesSystem: boolean;
	/** URIs of the files with instructions for agents in this workspace, and whether models get them. Absent if there are none. */
	readonly instructions?: { readonly files: readonly string[]; readonly on: boolean };
	readonly settings: EndpointSettings;
	readonly fields: readonly SettingField[];
	/** Problems of settings, by field. */
	readonly problems: Readonly<Record<string, string>>;
	readonly attachments: readonly SizedAttachment[];
	/** Why the attachments can't be sent to the chat's model. */
	readonly refusal?: string;
	/** Number of chosen tools, or the reason why tools can't be used. */
	readonly tools: { readonly chosen: number; readonly refused?: string };
	/** True while a reply is being received. */
	readonly busy: boolean;
	/** True if the last reply was cut off and can be continued. */
	readonly continues: boolean;
	/** True if older messages can be replaced by a summary. */
	readonly canSummarize: boolean;
	/** Placeholder of the message box. */
	readonly ask: string;
	/** The agent's inputs; absent if unknown. `id` differs for forms of different agents. */
	readonly inputs?: { readonly id: string; readonly fields: readonly FormField[] };
	/** The agent's opening, shown in an empty chat. */
	readonly opening?: Opening;
	/** Used part of the context window; absent if the service doesn't report it. */
	readonly tokens?: TokensOfWindow;
	/** Features of the Dify app that the chat talks to. */
	readonly app?: AppOffers;
	/** Explains why there may be no reply, for example because the agent needs inputs. */
	readonly notice?: string;
}

/** User settings for the panel. */
export interface PanelPreferences {
	readonly sendOn: 'enter' | 'ctrlEnter';
	readonly harmCategories: readonly string[];
	readonly harmThresholds: readonly string[];
}

/** A character that opens a list in the message box: `@` and `#` for context, `/` for commands. */
export type MentionTrigger = '@' | '#' | '/';

/** An entry of that list. */
export interface Mention {
	/** Refers to what is attached; absent if the entry only completes the text. */
	readonly source?: string;
	/** Name of a codicon. */
	readonly icon: string;
	readonly name: string;
	readonly detail: string;
	/** Text that replaces what was typed after the character. If it ends with a colon, the list continues with its entries. */
	readonly text: string;
}

/** An attachment with its size in bytes. */
interface SizedAttachment extends MessageAttachment {
	readonly size: number;
}

/** An annotation that is being edited; it is new if it has no ID. */
export interface EditedAnnotation {
	readonly id?: string;
	readonly question: string;
	readonly answer: string;
}

/** Messages from the host. `seq` numbers those that change the content: it starts with the snapshot and has no gaps. */
export type FromHost =
	| {
			readonly type: 'snapshot';
			readonly seq: number;
			readonly head: PanelHead;
			readonly turns: readonly ShownTurn[];
			readonly strings: PanelStrings;
			readonly preferences: PanelPreferences;
			/** Sent messages, newest first, for the arrow keys. */
			readonly history: readonly string[];
	  }
	| { readonly type: 'changes'; readonly seq: number; readonly changes: readonly PanelChange[] }
	| { readonly type: 'mentions'; readonly trigger: MentionTrigger; readonly query: string; readonly items: readonly Mention[] }
	| { readonly type: 'image'; readonly url: string; readonly data?: string; readonly problem?: string }
	| FormNews
	/** Files were chosen for an input of the agent. */
	| { readonly type: 'inputFiles'; readonly field: string; readonly files: readonly FormFile[] }
	/** Audio of a reply; absent if it couldn't be generated. */
	| { readonly type: 'spoken'; readonly turn: string; readonly speech?: Speech }
	/** The transcribed text of an audio file. */
	| { readonly type: 'heard'; readonly text: string }
	/** A message to send, unless the user has typed one. */
	| { readonly type: 'suggestText'; readonly text: string }
	/** Edit an annotation. */
	| { readonly type: 'annotation'; readonly annotation: EditedAnnotation }
	/** The result of saving the open annotation. */
	| { readonly type: 'annotationSaved'; readonly problem?: string }
	| { readonly type: 'notice'; readonly text: string }
	/** A message of a chat that wasn't sent, and the reason. */
	| { readonly type: 'refused'; readonly chatId: string; readonly text: string; readonly refusal: string }
	| { readonly type: 'focus' }
	| { readonly type: 'openSettings' };

/** A change of the chat, with the turns or the head that changed. */
export type PanelChange =
	| Exclude<ChatChange, { type: 'path' } | { type: 'head' }>
	| { readonly type: 'path'; readonly turns: readonly ShownTurn[] }
	| { readonly type: 'head'; readonly head: PanelHead };

export type { FromPanel } from './panelMessages.ts';
