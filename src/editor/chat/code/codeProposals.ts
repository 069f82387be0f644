import path from 'node:path';
import * as vscode from 'vscode';
import type { TextChange } from '#agentFile/writing/textChanges.ts';
import { DisposableBase } from '#base/disposables.ts';
import { Problem } from '#base/problems.ts';
import { createHunks, diffTexts, getLineEnding, getLineRange, type Hunk, isPending, moveHunks, restoreOriginals } from './hunks.ts';
import { ProposalLenses } from './proposalLenses.ts';
import { type Review, readStoredReviews, storeReviews } from './storedReviews.ts';

const scheme = 'agent-workbench-proposal';
/** Context key with the URIs of files with changes to accept or discard. */
const contextKey = 'agentWorkbench.proposedFiles';

/**
 * Applies proposed changes to files, and lets the user accept or discard each of them. The original content is kept until then, even if the
 * window is closed meanwhile.
 */
export class CodeProposals extends DisposableBase {
	readonly #memory: vscode.Memento;
	/** By the URI of the file. The file changed last is the last one. */
	readonly #reviews: Map<string, Review>;
	readonly #changedOriginal = this.register(new vscode.EventEmitter<vscode.Uri>());
	readonly #lenses = this.register(new ProposalLenses(uri => this.#getPending(uri)));
	/** Files with pending changes, and how many they have. */
	#shownFiles: string | undefined = '';

	/** @param memory keeps the changes for the next window */
	constructor(memory: vscode.Memento) {
		super();
		this.#memory = memory;
		this.#reviews = readStoredReviews(memory);
		this.register(
			vscode.workspace.registerTextDocumentContentProvider(scheme, {
				onDidChange: this.#changedOriginal.event,
				provideTextDocumentContent: uri => this.#getOriginalText(uri.query),
			}),
		);
		this.register(vscode.workspace.onDidOpenTextDocument(document => this.#syncText(document)));
		this.register(
			vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
				this.#moveHunks(
					document,
					contentChanges.map(({ rangeOffset, rangeLength, text }) => ({ offset: rangeOffset, length: rangeLength, text })),
				),
			),
		);
		if (this.#reviews.size > 0) {
			this.#restoreReviews();
		}
	}

	/** Replaces the lines of a document in one undo step, and shows the first change. Earlier changes stay pending. */
	async applyProposal(document: vscode.TextDocument, lines: readonly string[], viewColumn?: vscode.ViewColumn): Promise<void> {
		const uri = String(document.uri);
		const before = document.getText();
		const after = lines.join(getLineEnding(before));
		if (before === after) {
			const name = path.posix.basename(document.uri.path);
			throw new Problem('not-changed', vscode.l10n.t("Nothing was changed: '{0}' already contains this code.", name));
		}
		const original = restoreOriginals(before, this.#getPending(uri)?.hunks ?? []);
		await applyChanges(document, diffTexts(before, after));
		const text = document.getText();
		this.#reviews.delete(uri);
		this.#reviews.set(uri, { text, hunks: createHunks(original, text) });
		this.#updateViews(uri);
		await this.#storeReviews();
		const [first] = createHunks(before, text);
		const position = document.positionAt(first ? getLineRange(text, first).start : 0);
		await vscode.window.showTextDocument(document, {
			selection: new vscode.Range(position, position),
			...(viewColumn !== undefined && { viewColumn }),
		});
	}

	/** Accepts a change, or the one at the cursor. Its text stays as it is. */
	acceptHunk(file?: unknown, start?: unknown): void {
		const { uri, hunk } = this.#findHunk(file, start);
		this.#keepHunks(uri, each => each !== hunk);
	}

	/** Accepts all changes of a file. */
	acceptAll(file?: unknown): void {
		const { uri } = this.#findReview(file);
		this.#keepHunks(uri, () => false);
	}

	/** Replaces a change, or the one at the cursor, with the original content. */
	async discardHunk(file?: unknown, start?: unknown): Promise<void> {
		const { uri, hunk } = this.#findHunk(file, start);
		await discardHunks(uri, [hunk]);
	}

	/** Replaces all changes of a file with the original content. */
	async discardAll(file?: unknown): Promise<void> {
		const { uri, hunks } = this.#findReview(file);
		await discardHunks(uri, hunks);
	}

	/** Compares a file with its content before the changes. */
	async showDiff(file?: unknown): Promise<void> {
		const { uri } = this.#findReview(file);
		const resource = vscode.Uri.parse(uri);
		// the query distinguishes files with the same path but different schemes
		const original = resource.with({ scheme, authority: '', query: uri });
		this.#changedOriginal.fire(original);
		const title = vscode.l10n.t('{0} (Original ↔ Proposed)', path.posix.basename(resource.path));
		await vscode.commands.executeCommand('vscode.diff', original, resource, title);
	}

	#getPending(uri: string): Review | undefined {
		const review = this.#reviews.get(uri);
		const hunks = review?.hunks.filter(hunk => isPending(review.text, hunk)) ?? [];
		return review && hunks.length > 0 ? { text: review.text, hunks } : undefined;
	}

	#getOriginalText(uri: string): string {
		const review = this.#reviews.get(uri);
		return review ? restoreOriginals(review.text, review.hunks) : '';
	}

	/** Finds the changes of a file, or of the active editor's file. */
	#findReview(file: unknown): { readonly uri: string; readonly hunks: readonly Hunk[] } {
		const uri = typeof file === 'string' ? file : String(vscode.window.activeTextEditor?.document.uri ?? '');
		const review = this.#getPending(uri);
		if (!review) {
			throw new Problem('no-proposal', vscode.l10n.t('This file has no proposed changes. Apply the code in the chat again.'));
		}
		return { uri, hunks: review.hunks };
	}

	#findHunk(file: unknown, start: unknown): { readonly uri: string; readonly hunk: Hunk } {
		const { uri, hunks } = this.#findReview(file);
		const editor = vscode.window.activeTextEditor;
		const cursor = editor?.document.offsetAt(editor.selection.active);
		const hunk =
			typeof start === 'number'
				? hunks.find(each => each.start === start)
				: hunks.find(each => cursor !== undefined && cursor >= each.start && cursor <= each.end);
		if (!hunk) {
			throw new Problem('no-proposal', vscode.l10n.t('There is no proposed change at the cursor.'));
		}
		return { uri, hunk };
	}

	#keepHunks(uri: string, isKept: (hunk: Hunk) => boolean): void {
		const review = this.#reviews.get(uri);
		if (review) {
			review.hunks = review.hunks.filter(isKept);
			this.#updateViews(uri);
		}
	}

	/** Shows pending changes from an earlier window, unless they are no longer in the text. */
	#restoreReviews(): void {
		this.#shownFiles = undefined;
		for (const document of vscode.workspace.textDocuments) {
			this.#syncText(document);
		}
		this.#lenses.refresh();
		this.#updateFiles();
	}

	/** Finds the changes again in a document that was closed and may have changed meanwhile. */
	#syncText(document: vscode.TextDocument): void {
		const review = this.#reviews.get(String(document.uri));
		if (review && review.text !== document.getText()) {
			this.#moveHunks(document, diffTexts(review.text, document.getText()));
		}
	}

	#moveHunks(document: vscode.TextDocument, changes: readonly TextChange[]): void {
		const uri = String(document.uri);
		const review = this.#reviews.get(uri);
		if (review && changes.length > 0) {
			review.hunks = moveHunks(review.hunks, changes, review.text);
			review.text = document.getText();
			this.#updateViews(uri);
		}
	}

	#updateViews(uri: string): void {
		this.#lenses.refresh();
		const resource = vscode.Uri.parse(uri);
		this.#changedOriginal.fire(resource.with({ scheme, authority: '', query: uri }));
		this.#updateFiles();
	}

	/** Shows the commands in files with pending changes, and keeps the changes for the next window. */
	#updateFiles(): void {
		const pending = this.#listPending();
		const state = pending.map(([uri, { hunks }]) => `${uri} ${hunks.length}`).join('\n');
		if (state !== this.#shownFiles) {
			this.#shownFiles = state;
			// VS Code converts URIs, which have another scheme in a remote window, to the strings that `resource` has
			const uris = pending.map(([uri]) => vscode.Uri.parse(uri));
			void vscode.commands.executeCommand('setContext', contextKey, uris);
			// not after each key, because the next window finds the changes again in the text
			void this.#storeReviews();
		}
	}

	#storeReviews(): Thenable<void> {
		return storeReviews(this.#memory, this.#listPending());
	}

	#listPending(): (readonly [string, Review])[] {
		return [...this.#reviews.keys()].flatMap(uri => {
			const review = this.#getPending(uri);
			return review ? [[uri, review] as const] : [];
		});
	}
}

async function discardHunks(uri: string, hunks: readonly Hunk[]): Promise<void> {
	const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
	await applyChanges(
		document,
		hunks.map(({ start, end, original }) => ({ offset: start, length: end - start, text: original })),
	);
}

/** Applies changes, whose offsets are all in the current text, as one step of undo. */
async function applyChanges(document: vscode.TextDocument, changes: readonly TextChange[]): Promise<void> {
	const edit = new vscode.WorkspaceEdit();
	for (const { offset, length, text } of changes) {
		edit.replace(document.uri, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), text);
	}
	if (!(await vscode.workspace.applyEdit(edit))) {
		const file = vscode.workspace.asRelativePath(document.uri);
		throw new Problem('not-changed', vscode.l10n.t("Nothing was changed: '{0}' can't be edited. It might be read-only.", file));
	}
}
