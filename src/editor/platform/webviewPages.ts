import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getTabIcon } from './tabIcon.ts';
import { getWebviewRoots, renderWebviewHtml } from './webviewPage.ts';

/** A kind of page that is shown in panels. */
interface PageKind<Target, Page> {
	/** Name of the page's folder in `src/pages`. The panel type is `agentWorkbench.NAME` unless `type` is set. */
	readonly name: string;
	readonly type?: string;
	/** Title of a panel, until its page changes it. */
	readonly title: string;
	/** Creates the host's side of a page. */
	readonly create: (panel: vscode.WebviewPanel, target: Target) => Page;
	/** Reads the target from the state that a page saved. A panel whose state has no target is closed. */
	readonly parseSaved: (state: unknown) => Target | undefined;
}

/** The open pages of one kind, each in its own panel. */
export abstract class WebviewPages<Target, Page extends { dispose(): void; reveal(): void }> extends DisposableBase {
	readonly #extensionUri: vscode.Uri;
	readonly #kind: PageKind<Target, Page>;
	readonly #pages = new Set<Page>();

	constructor(extensionUri: vscode.Uri, kind: PageKind<Target, Page>) {
		super();
		this.#extensionUri = extensionUri;
		this.#kind = kind;
	}

	protected get pages(): readonly Page[] {
		return [...this.#pages];
	}

	/** Reveals the page of a target. If there is none, opens one. */
	protected openPage(target: Target, isSame: (page: Page) => boolean, column = vscode.ViewColumn.Active): Page {
		const open = this.pages.find(isSame);
		if (open) {
			open.reveal();
			return open;
		}
		const { name, type = `agentWorkbench.${name}`, title } = this.#kind;
		return this.fillPanel(vscode.window.createWebviewPanel(type, title, column), target);
	}

	/** Fills a panel that the editor restored, or closes the panel if its state has no target. */
	restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> | void {
		const target = this.#kind.parseSaved(state);
		if (target === undefined) {
			panel.dispose();
		} else {
			this.fillPanel(panel, target);
		}
	}

	/** Creates a page in a new or restored panel. */
	fillPanel(panel: vscode.WebviewPanel, target: Target): Page {
		panel.iconPath = getTabIcon(this.#extensionUri);
		return this.fillEditor(panel, target);
	}

	/** Creates a page in a panel of a custom editor, which has its own title and icon. `title` is the title of the HTML document. */
	protected fillEditor(panel: vscode.WebviewPanel, target: Target, title?: string): Page {
		const { webview } = panel;
		webview.options = { enableScripts: true, localResourceRoots: getWebviewRoots(this.#extensionUri) };
		const page = this.#kind.create(panel, target);
		this.#pages.add(page);
		panel.onDidDispose(() => {
			page.dispose();
			this.#pages.delete(page);
		});
		webview.html = renderWebviewHtml(webview, this.#extensionUri, this.#kind.name, title ?? panel.title);
		return page;
	}

	override dispose(): void {
		super.dispose();
		for (const page of this.#pages) {
			page.dispose();
		}
	}
}
