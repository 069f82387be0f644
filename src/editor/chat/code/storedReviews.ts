import type * as vscode from 'vscode';
import type { Hunk } from './hunks.ts';

/** The proposed changes of a file, which are in its text. */
export interface Review {
	/** The text that the offsets of the hunks refer to. */
	text: string;
	/** All hunks that weren't accepted. Discarded and undone ones stay, because undo and redo bring them back. */
	hunks: readonly Hunk[];
}

const storageKey = 'codeProposals';
/** Maximum length of all stored texts, in UTF-16 code units, because VS Code reads its storage at each start. */
const mostStored = 2_000_000;

/** True if an earlier window left changes that weren't accepted or discarded. */
export function hasStoredReviews(memory: Pick<vscode.Memento, 'get'>): boolean {
	return memory.get(storageKey) !== undefined;
}

/** Returns the stored reviews by the URI of their file. */
export function readStoredReviews(memory: Pick<vscode.Memento, 'get'>): Map<string, Review> {
	return new Map(memory.get<[string, Review][]>(storageKey, []));
}

/** Stores reviews for the next window, the latest if there are too many. */
export function storeReviews(memory: Pick<vscode.Memento, 'update'>, reviews: readonly (readonly [string, Review])[]): Thenable<void> {
	let length = 0;
	const stored: (readonly [string, Review])[] = [];
	for (const entry of reviews.toReversed()) {
		const [, { text, hunks }] = entry;
		length += hunks.reduce((sum, { original, proposed }) => sum + original.length + proposed.length, text.length);
		if (length > mostStored) {
			break;
		}
		stored.unshift(entry);
	}
	return memory.update(storageKey, stored.length > 0 ? stored : undefined);
}
