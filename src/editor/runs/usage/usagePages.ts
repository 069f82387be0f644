import * as vscode from 'vscode';
import { parseKeptUsage, type UsageView } from '#pages/usage/usageMessages.ts';
import { WebviewPages } from '../../platform/webviewPages.ts';
import { UsagePanel, type UsageParts } from './usagePanel.ts';

/** The one page of the request log and the usage of the built-in gateway: loaded when it is first opened. */
export class UsagePages extends WebviewPages<UsageView, UsagePanel> {
	readonly #parts: UsageParts;

	constructor(extensionUri: vscode.Uri, parts: UsageParts) {
		super(extensionUri, {
			name: 'usage',
			title: vscode.l10n.t('Usage'),
			create: (panel, view) => new UsagePanel(panel, view, parts),
			saved: state => parseKeptUsage(state)?.view ?? 'usage',
		});
		this.#parts = parts;
	}

	open(view: UsageView): void {
		for (const page of this.pages) {
			page.show(view);
		}
		this.openPage(view, () => true);
	}

	/** Clears the cache of model replies, and reports what it contained. Rejects with the problem of the connection. */
	async clearCache(): Promise<void> {
		const { connections, builtIn } = this.#parts;
		const { id } = builtIn();
		try {
			const { entries, bytes } = await (await connections.client(id)).clearModelCache();
			void vscode.window.showInformationMessage(
				entries === 0
					? vscode.l10n.t('The cache of replies was empty.')
					: vscode.l10n.t('{0} replies were cleared from the cache, {1} KB.', entries, Math.ceil(bytes / 1024)),
			);
		} catch (error) {
			throw connections.problem(id, error);
		}
		for (const page of this.pages) {
			page.reload();
		}
	}
}
