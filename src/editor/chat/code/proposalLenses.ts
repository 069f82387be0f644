import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { formatCodeBlock } from '../../platform/wording.ts';
import { countLines, getLineRange, type Hunk } from './hunks.ts';

/** Returns the changes of a file to accept or discard, and the text that contains them. */
type FindPending = (uri: string) => { readonly text: string; readonly hunks: readonly Hunk[] } | undefined;

/** Marks proposed changes in the editors, with *Accept* and *Discard* above each of them. */
export class ProposalLenses extends DisposableBase implements vscode.CodeLensProvider {
	readonly #find: FindPending;
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChangeCodeLenses = this.#changed.event;
	readonly #decoration = this.register(
		vscode.window.createTextEditorDecorationType({
			isWholeLine: true,
			backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
			overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
			overviewRulerLane: vscode.OverviewRulerLane.Full,
		}),
	);

	constructor(find: FindPending) {
		super();
		this.#find = find;
		this.register(vscode.languages.registerCodeLensProvider('*', this));
		this.register(vscode.window.onDidChangeVisibleTextEditors(() => this.#decorateEditors()));
	}

	/** Shows the current changes. */
	refresh(): void {
		this.#changed.fire();
		this.#decorateEditors();
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const uri = String(document.uri);
		const pending = this.#find(uri);
		if (!pending || pending.text !== document.getText()) {
			return [];
		}
		const { hunks, text } = pending;
		return hunks.flatMap((hunk, index) => {
			const position = document.positionAt(getLineRange(text, hunk).start);
			const range = new vscode.Range(position, position);
			const createLens = (title: string, command: CommandId, ...rest: unknown[]) =>
				new vscode.CodeLens(range, { title, command, arguments: [uri, ...rest] });
			const { removed, added } = countLines(text, hunk);
			return [
				createLens(vscode.l10n.t('$(check) Accept'), 'agentWorkbench.chat.acceptHunk', hunk.start),
				createLens(vscode.l10n.t('$(discard) Discard'), 'agentWorkbench.chat.discardHunk', hunk.start),
				...(index === 0 && hunks.length > 1
					? [
							createLens(vscode.l10n.t('Accept all ({0})', hunks.length), 'agentWorkbench.chat.acceptCode'),
							createLens(vscode.l10n.t('Discard all'), 'agentWorkbench.chat.discardCode'),
						]
					: []),
				createLens(`$(diff) −${removed} +${added}`, 'agentWorkbench.chat.showCodeDiff'),
			];
		});
	}

	#decorateEditors(): void {
		for (const editor of vscode.window.visibleTextEditors) {
			const { document } = editor;
			const { text = '', hunks = [] } = this.#find(String(document.uri)) ?? {};
			const added = hunks.filter(({ start, end }) => end > start);
			editor.setDecorations(
				this.#decoration,
				added.map(hunk => {
					const { start, end } = getLineRange(text, hunk);
					return {
						range: new vscode.Range(document.positionAt(start), document.positionAt(end)),
						...(hunk.original && { hoverMessage: new vscode.MarkdownString(formatCodeBlock(hunk.original, document.languageId)) }),
					};
				}),
			);
		}
	}
}
