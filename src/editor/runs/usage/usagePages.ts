import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { keptUsageSchema } from '#pages/usage/usageMessages.ts';
import type { UsageView } from '#pages/usage/usageProtocol.ts';
import { usageType } from '../../platform/names.ts';
import { tabIcon } from '../../platform/tabIcon.ts';
import { webviewPage, webviewRoots } from '../../platform/webviewPage.ts';
import { UsagePanel, type UsageParts } from './usagePanel.ts';

/** The one page of the request log and the usage of the built-in gateway: loaded when it is first opened. */
export class UsagePages extends DisposableBase {
	readonly #extensionUri: vscode.Uri;
	readonly #parts: UsageParts;
	#open: { readonly panel: UsagePanel; readonly webview: vscode.WebviewPanel } | undefined;

	constructor(extensionUri: vscode.Uri, parts: UsageParts) {
		super();
		this.#extensionUri = extensionUri;
		this.#parts = parts;
		this.own({ dispose: () => this.#open?.webview.dispose() });
	}

	open(view: UsageView): void {
		if (this.#open) {
			this.#open.panel.reveal(view);
			return;
		}
		this.#fill(vscode.window.createWebviewPanel(usageType, vscode.l10n.t('Usage'), vscode.ViewColumn.Active), view);
	}

	/** Fills a panel that the editor brings back. */
	restore(panel: vscode.WebviewPanel, state: unknown): void {
		this.#fill(panel, keptUsageSchema.safeParse(state).data?.view ?? 'usage');
	}

	/** Clears the cache of replies of models, and says what it held. Rejects with the problem of the connection. */
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
		this.#open?.panel.reload();
	}

	#fill(webviewPanel: vscode.WebviewPanel, view: UsageView): void {
		const { webview } = webviewPanel;
		webview.options = { enableScripts: true, localResourceRoots: webviewRoots(this.#extensionUri) };
		webviewPanel.iconPath = tabIcon(this.#extensionUri);
		const panel = new UsagePanel(webviewPanel, view, this.#parts);
		this.#open = { panel, webview: webviewPanel };
		webviewPanel.onDidDispose(() => {
			panel.dispose();
			if (this.#open?.panel === panel) {
				this.#open = undefined;
			}
		});
		webview.html = webviewPage(webview, this.#extensionUri, 'usage', vscode.l10n.t('Usage'));
	}
}
