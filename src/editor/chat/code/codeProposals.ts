import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { Problem } from '#base/problems.ts';
import { findChangedLines, splitLines } from './lines.ts';

const scheme = 'agent-workbench-proposal';

interface Proposal {
	readonly document: vscode.TextDocument;
	/** Lines of the document before and after the proposed change. */
	readonly before: readonly string[];
	readonly after: readonly string[];
}

/** Shows proposed changes of files in diff editors, and applies them when the user accepts them. */
export class CodeProposals extends DisposableBase {
	/** One proposal per file, by the URI of the diff editor's right side. */
	readonly #proposals = new Map<string, Proposal>();
	readonly #changed = this.register(new vscode.EventEmitter<vscode.Uri>());

	constructor() {
		super();
		this.register(
			vscode.workspace.registerTextDocumentContentProvider(scheme, {
				onDidChange: this.#changed.event,
				provideTextDocumentContent: uri => this.#proposals.get(String(uri))?.after.join('\n') ?? '',
			}),
		);
		this.register(
			vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
				for (const { input } of closed) {
					if (input instanceof vscode.TabInputTextDiff) {
						this.#proposals.delete(String(input.modified));
					}
				}
			}),
		);
	}

	/** Shows a diff of a document and its proposed lines. The document doesn't change until {@link acceptProposal}. */
	async showProposal(document: vscode.TextDocument, after: readonly string[]): Promise<void> {
		const before = splitLines(document.getText());
		const name = path.posix.basename(document.uri.path);
		if (before.join('\n') === after.join('\n')) {
			throw new Problem('not-changed', vscode.l10n.t("Nothing was changed: '{0}' already contains this code.", name));
		}
		// the query distinguishes files with the same path but different schemes
		const uri = document.uri.with({ scheme, authority: '', query: String(document.uri) });
		this.#proposals.set(String(uri), { document, before, after });
		this.#changed.fire(uri);
		await vscode.commands.executeCommand('vscode.diff', document.uri, uri, vscode.l10n.t('{0} (Current ↔ Proposed)', name), {
			preview: false,
		});
	}

	/** Applies the change of the active diff editor as one undo step, and shows the file. */
	async acceptProposal(): Promise<void> {
		const { tab, proposal } = this.#getActiveProposal();
		const { document, before, after } = proposal;
		const file = vscode.workspace.asRelativePath(document.uri);
		if (splitLines(document.getText()).join('\n') !== before.join('\n')) {
			const message = vscode.l10n.t("Nothing was changed: '{0}' was edited after the change was proposed. Apply the code again.", file);
			throw new Problem('not-changed', message);
		}
		const { from, to, lines } = findChangedLines(before, after);
		const edit = new vscode.WorkspaceEdit();
		// replace only the changed lines, so that the document keeps its line endings
		const range = document.validateRange(new vscode.Range(from, 0, to, before[to]?.length ?? 0));
		edit.replace(document.uri, range, lines.join('\n'));
		if (!(await vscode.workspace.applyEdit(edit))) {
			throw new Problem('not-changed', vscode.l10n.t("Nothing was changed: '{0}' can't be edited. It might be read-only.", file));
		}
		await vscode.window.tabGroups.close(tab);
		await vscode.window.showTextDocument(document, { selection: new vscode.Range(from, 0, from, 0), viewColumn: tab.group.viewColumn });
	}

	/** Closes the active diff editor without changing the file. */
	async discardProposal(): Promise<void> {
		await vscode.window.tabGroups.close(this.#getActiveProposal().tab);
	}

	#getActiveProposal(): { readonly tab: vscode.Tab; readonly proposal: Proposal } {
		const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
		const proposal = tab?.input instanceof vscode.TabInputTextDiff && this.#proposals.get(String(tab.input.modified));
		if (!tab || !proposal) {
			throw new Problem('no-proposal', vscode.l10n.t('This proposal is no longer available. Apply the code in the chat again.'));
		}
		return { tab, proposal };
	}
}
