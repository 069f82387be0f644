import type { FormFile, FormNews } from '#runs/forms/formAnswer.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import type { ChatChange, ShownTurn } from '../transcript/chatChanges.ts';
import type { EndpointKind, EndpointSettings, MessageAttachment } from '../transcript/transcript.ts';
import type { PanelStrings } from './panelStrings.ts';

/** Bounds of a number; `above` and `below` are open ends (contract, "Limits"). */
export interface NumberRange {
	readonly integer?: boolean;
	readonly from?: number;
	readonly to?: number;
	readonly above?: number;
	readonly below?: number;
}

/** A setting as the panel shows it. `name` is the field of the request. */
export interface SettingField {
	readonly name: string;
	/** `list`: texts, one a line. `json`: any JSON of the kind named by `holds`. `safety`: a threshold a harm category. `thinking`: off, as the model sees fit, or up to a number of tokens. */
	readonly kind: 'number' | 'list' | 'json' | 'safety' | 'thinking';
	readonly help: string;
	/** What stands in the empty field: the default, or whose it is. */
	readonly placeholder: string;
	readonly range?: NumberRange;
	/** Most entries of a list. */
	readonly most?: number;
	readonly holds?: 'array' | 'object';
}

/** What can be done around the messages of an app of Dify, as it is set there. It holds for replies of this connection and agent. */
export interface AppOffers {
	readonly connection: string;
	readonly model: string;
	/** Offers questions after a reply. */
	readonly suggests: boolean;
	/** Takes what is said in audio files. */
	readonly hears: boolean;
	/** Reads replies aloud. */
	readonly speaks: boolean;
	/** Answers with annotations. */
	readonly annotates: boolean;
}

/** A text spoken, as a page plays it: base64. */
export interface Speech {
	readonly mimeType: string;
	readonly data: string;
}

/** How much of what its model can read a chat takes, in tokens. */
export interface TokensOfWindow {
	readonly used: number;
	readonly window: number;
}

/** What an agent begins a chat with. */
export interface Opening {
	readonly statement: string;
	/** Questions to choose from. */
	readonly questions: readonly string[];
}

/**
 * What passes between the chat's host side and its webview. Types alone, for both sides. What the webview sends is checked at run time
 * (panelMessages.ts); what the host sends is trusted. Nothing is sent to a webview before it said `ready`.
 */

/** Everything about a chat but its turns. */
export interface PanelHead {
	readonly chatId: string;
	readonly title: string;
	readonly endpoint: EndpointKind;
	readonly endpointName: string;
	readonly connectionName: string;
	/** Empty: none was picked yet. */
	readonly model: string;
	/** What this endpoint calls what it asks: "model" or "agent". */
	readonly modelWord: string;
	readonly system: string;
	/** Whether this endpoint takes a system prompt. */
	readonly takesSystem: boolean;
	readonly settings: EndpointSettings;
	readonly fields: readonly SettingField[];
	/** What is wrong with a setting, by field. */
	readonly problems: Readonly<Record<string, string>>;
	readonly attachments: readonly MessageAttachment[];
	/** Why what is attached cannot go where the chat points. */
	readonly refusal?: string;
	/** How many tools the model may call, or why it can have none. */
	readonly tools: { readonly chosen: number; readonly refused?: string };
	/** A reply is coming into this chat. */
	readonly busy: boolean;
	/** The last reply was cut and can go on. */
	readonly continues: boolean;
	/** Placeholder of the message box. */
	readonly ask: string;
	/** What the agent takes besides messages; absent where that is not known. `id` tells one agent's form from another's. */
	readonly inputs?: { readonly id: string; readonly fields: readonly FormField[] };
	/** What the agent begins an empty chat with. */
	readonly opening?: Opening;
	/** How much of what its model can read the chat takes; absent where its service does not tell. */
	readonly tokens?: TokensOfWindow;
	/** What can be done around the messages of the app of Dify that the chat talks to. */
	readonly app?: AppOffers;
	/** What stands between the user and a reply, such as an agent that needs inputs. */
	readonly notice?: string;
}

/** How the user wants the panel to behave. */
export interface PanelPreferences {
	readonly sendOn: 'enter' | 'ctrlEnter';
	readonly harmCategories: readonly string[];
	readonly harmThresholds: readonly string[];
}

/** A file that `#` offers. */
export interface MentionedFile {
	readonly uri: string;
	readonly name: string;
	readonly folder: string;
}

/** An annotation as a page shows it; one without an ID is new. */
export interface EditedAnnotation {
	readonly id?: string;
	readonly question: string;
	readonly answer: string;
}

/** What the host sends. `seq` counts the messages that change what is shown, from the snapshot's on, without a gap. */
export type FromHost =
	| {
			readonly type: 'snapshot';
			readonly seq: number;
			readonly head: PanelHead;
			readonly turns: readonly ShownTurn[];
			readonly strings: PanelStrings;
			readonly preferences: PanelPreferences;
			/** Messages sent before, newest first, for the arrow keys. */
			readonly history: readonly string[];
	  }
	| { readonly type: 'changes'; readonly seq: number; readonly changes: readonly PanelChange[] }
	| { readonly type: 'mentions'; readonly query: string; readonly files: readonly MentionedFile[] }
	| { readonly type: 'image'; readonly url: string; readonly data?: string; readonly problem?: string }
	| FormNews
	/** Files were chosen for an input of the agent. */
	| { readonly type: 'inputFiles'; readonly field: string; readonly files: readonly FormFile[] }
	/** A reply read aloud; without it, it is not. */
	| { readonly type: 'spoken'; readonly turn: string; readonly speech?: Speech }
	/** What is said in an audio file. */
	| { readonly type: 'heard'; readonly text: string }
	/** An annotation is to be changed. */
	| { readonly type: 'annotation'; readonly annotation: EditedAnnotation }
	/** How saving the annotation that is open went. */
	| { readonly type: 'annotationSaved'; readonly problem?: string }
	| { readonly type: 'notice'; readonly text: string }
	/** A message that was not sent, and why. */
	| { readonly type: 'refused'; readonly text: string; readonly refusal: string }
	| { readonly type: 'focus' }
	| { readonly type: 'openSettings' };

/** What changes in a panel: a chat's changes, with what they leave to be asked for filled in. */
export type PanelChange =
	| Exclude<ChatChange, { type: 'path' } | { type: 'head' }>
	| { readonly type: 'path'; readonly turns: readonly ShownTurn[] }
	| { readonly type: 'head'; readonly head: PanelHead };

export type { FromPanel } from './panelMessages.ts';
