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
	/** Placeholder: the default value, or who decides it. */
	readonly placeholder: string;
	readonly range?: NumberRange;
	/** Maximum number of list entries. */
	readonly most?: number;
	readonly holds?: 'array' | 'object';
}

/** Features of a Dify app, as configured there. They apply to replies from this connection and agent. */
export interface AppOffers {
	readonly connection: string;
	readonly model: string;
	/** Suggests questions after a reply. */
	readonly suggests: boolean;
	/** Transcribes audio files. */
	readonly hears: boolean;
	/** Reads replies aloud. */
	readonly speaks: boolean;
	/** Replies with annotations. */
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

/** The opening of a chat with an agent. */
export interface Opening {
	readonly statement: string;
	/** Suggested questions. */
	readonly questions: readonly string[];
}

/**
 * Messages between the host and the webview of a chat, as types for both sides. Messages from the webview are checked at run time
 * (panelMessages.ts); those from the host are trusted. The host sends nothing before the webview has sent `ready`.
 */

/** Everything about a chat except its turns. */
export interface PanelHead {
	readonly chatId: string;
	readonly title: string;
	readonly endpoint: EndpointKind;
	readonly endpointName: string;
	readonly connectionName: string;
	/** Empty if none was chosen yet. */
	readonly model: string;
	/** Label of the model field: "model" or "agent". */
	readonly modelWord: string;
	readonly system: string;
	/** True if this endpoint accepts a system prompt. */
	readonly takesSystem: boolean;
	readonly settings: EndpointSettings;
	readonly fields: readonly SettingField[];
	/** Problems of settings, by field. */
	readonly problems: Readonly<Record<string, string>>;
	readonly attachments: readonly MessageAttachment[];
	/** Why the attachments can't be sent to the chat's model. */
	readonly refusal?: string;
	/** Number of chosen tools, or the reason why tools can't be used. */
	readonly tools: { readonly chosen: number; readonly refused?: string };
	/** A reply is being received. */
	readonly busy: boolean;
	/** The last reply was cut off and can be continued. */
	readonly continues: boolean;
	/** Placeholder of the message box. */
	readonly ask: string;
	/** The agent's inputs; absent if unknown. `id` differs for forms of different agents. */
	readonly inputs?: { readonly id: string; readonly fields: readonly FormField[] };
	/** The agent's opening of an empty chat. */
	readonly opening?: Opening;
	/** Used part of the context window; absent if the service doesn't report it. */
	readonly tokens?: TokensOfWindow;
	/** Features of the Dify app that the chat talks to. */
	readonly app?: AppOffers;
	/** A message why there may be no reply, such as an agent that needs inputs. */
	readonly notice?: string;
}

/** User settings for the panel. */
export interface PanelPreferences {
	readonly sendOn: 'enter' | 'ctrlEnter';
	readonly harmCategories: readonly string[];
	readonly harmThresholds: readonly string[];
}

/** A file offered after `#`. */
export interface MentionedFile {
	readonly uri: string;
	readonly name: string;
	readonly folder: string;
}

/** An annotation that is being edited; it is new if it has no ID. */
export interface EditedAnnotation {
	readonly id?: string;
	readonly question: string;
	readonly answer: string;
}

/** Messages from the host. `seq` numbers those that change the content, from the snapshot on, without gaps. */
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
	| { readonly type: 'mentions'; readonly query: string; readonly files: readonly MentionedFile[] }
	| { readonly type: 'image'; readonly url: string; readonly data?: string; readonly problem?: string }
	| FormNews
	/** Files were chosen for an input of the agent. */
	| { readonly type: 'inputFiles'; readonly field: string; readonly files: readonly FormFile[] }
	/** Audio of a reply; absent if it couldn't be generated. */
	| { readonly type: 'spoken'; readonly turn: string; readonly speech?: Speech }
	/** The transcribed text of an audio file. */
	| { readonly type: 'heard'; readonly text: string }
	/** Edit an annotation. */
	| { readonly type: 'annotation'; readonly annotation: EditedAnnotation }
	/** The result of saving the open annotation. */
	| { readonly type: 'annotationSaved'; readonly problem?: string }
	| { readonly type: 'notice'; readonly text: string }
	/** A message that wasn't sent, and the reason. */
	| { readonly type: 'refused'; readonly text: string; readonly refusal: string }
	| { readonly type: 'focus' }
	| { readonly type: 'openSettings' };

/** A change of a panel: changes of the chat, with turns and head included. */
export type PanelChange =
	| Exclude<ChatChange, { type: 'path' } | { type: 'head' }>
	| { readonly type: 'path'; readonly turns: readonly ShownTurn[] }
	| { readonly type: 'head'; readonly head: PanelHead };

export type { FromPanel } from './panelMessages.ts';
