import * as vscode from 'vscode';
import { parseKeptUsage, type UsageView } from '#pages/usage/usageMessages.ts';
import { WebviewPages } from '../../platform/webviewPages.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { UsagePanel, type UsageParts } from './usagePanel.ts';

/** The page with the request log and the usage of the built-in gateway. There is at most one. */
export class UsagePages extends WebviewPages<UsageView, UsagePanel> {
	readonly #parts: UsageParts;

	constructor(extensionUri: vscode.Uri, parts: UsageParts) {
		super(extensionUri, {
			name: 'usage',
			title: vscode.l10n.t('Usage'),
			create: (panel, view) => new UsagePanel(panel, view, parts),
			parseSaved: state => parseKeptUsage(state)?.view ?? 'usage',
		});
		this.#parts = parts;
	}

	openUsage(view: UsageView): void {
		for (const page of this.pages) {
			page.showView(view);
		}
		this.openPage(view, () => true);
	}

	/** Clears the model cache and shows how much it contained. Rejects with the problem of the connection. */
	async clearCache(): Promise<void> {
		const { connections, builtIn } = this.#parts;
		const { id } = builtIn();
		try {
			const { entries, bytes } = await (await connections.getClient(id)).clearModelCache();
			const message =
				entries === 0
					? vscode.l10n.t('The model cache was already empty.')
					: entries === 1
						? vscode.l10n.t('Cleared 1 reply ({0} KB) from the model cache.', Math.ceil(bytes / 1024))
						: vscode.l10n.t('Cleared {0} replies ({1} KB) from the model cache.', entries, Math.ceil(bytes / 1024));
			void vscode.window.showInformationMessage(escapeLinks(message));
		} catch (error) {
			throw connections.toProblem(id, error);
		}
		for (const page of this.pages) {
			page.reloadView();
		}
	}
}
