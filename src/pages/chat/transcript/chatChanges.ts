import type { ChatPart, ReplyFacts, Turn } from './transcript.ts';
import type { BranchPlace } from './turnTree.ts';

/** A turn with its place among its siblings. */
export interface ShownTurn extends Turn {
	readonly branch: BranchPlace;
}

/** A part as a page gets it: a copy, and of a document what is shown of it, its name, without its bytes and text, which may be megabytes. */
export function shownPart<Part extends ChatPart>(part: Part): Part {
	return part.kind === 'document' ? { ...part, data: '', text: '' } : { ...part };
}

/**
 * One change of a chat. A stream makes the first four; `path` says that another branch is shown or that a turn came, `head` that
 * anything but the turns changed.
 */
export type ChatChange =
	| { readonly type: 'partAdded'; readonly turn: string; readonly part: ChatPart }
	| { readonly type: 'textAdded'; readonly turn: string; readonly index: number; readonly text: string }
	| { readonly type: 'partChanged'; readonly turn: string; readonly index: number; readonly part: ChatPart }
	| { readonly type: 'replyChanged'; readonly turn: string; readonly reply: ReplyFacts }
	| { readonly type: 'turnAdded'; readonly turn: ShownTurn }
	| { readonly type: 'path' }
	| { readonly type: 'head' };
