import type { ChatPart, ReplyFacts, Turn } from './transcript.ts';
import type { BranchPlace } from './turnTree.ts';

/** A turn with its position among its siblings. */
export interface ShownTurn extends Turn {
	readonly branch: BranchPlace;
}

/** Copies a part for the page. Omits the bytes and text of documents, which may be megabytes. */
export function copyPartForPage<Part extends ChatPart>(part: Part): Part {
	return part.kind === 'document' ? { ...part, data: '', text: '' } : { ...part };
}

/**
 * A change of a chat. Streaming causes the first four. `path`: another branch is shown or a turn was added. `head`: anything else changed.
 */
export type ChatChange =
	| { readonly type: 'partAdded'; readonly turn: string; readonly part: ChatPart }
	| { readonly type: 'textAdded'; readonly turn: string; readonly index: number; readonly text: string }
	| { readonly type: 'partChanged'; readonly turn: string; readonly index: number; readonly part: ChatPart }
	| { readonly type: 'replyChanged'; readonly turn: string; readonly reply: ReplyFacts }
	| { readonly type: 'turnAdded'; readonly turn: ShownTurn }
	| { readonly type: 'path' }
	| { readonly type: 'head' };
