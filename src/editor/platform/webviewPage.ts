import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getHandler, type Handlers } from '#pages/shared/handlers.ts';
import { runInBackground } from './background.ts';

/** Folders that the page of a webview may load from. */
export function getWebviewRoots(extensionUri: vscode.Uri): vscode.Uri[] {
	return [vscode.Uri.joinPath(extensionUri, 'dist', 'webview'), vscode.Uri.joinPath(extensionUri, 'media')];
}

/**
 * The HTML of a webview that runs `NAME.js` with `NAME-style.css` of the build. Only our own script, style and icon font load; pictures come
 * as data, and no request leaves the page.
 * @param name a folder of `src/pages`
 */
export function renderWebviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, name: string, title: string): string {
	const nonce = randomBytes(18).toString('base64');
	const address = (...path: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', ...path)).toString();
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		// vscode-elements sets widths of its own as style attributes
		`style-src ${webview.cspSource} 'unsafe-inline'`,
		`font-src ${webview.cspSource}`,
		`img-src ${webview.cspSource} data:`,
		'media-src data:',
		"base-uri 'none'",
		"form-action 'none'",
	].join('; ');
	return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>
<link rel="stylesheet" href="${address('codicons', 'codicon.css')}" id="vscode-codicon-stylesheet">
<link rel="stylesheet" href="${address(`${name}-style.css`)}">
</head>
<body>
<script type="module" nonce="${nonce}" src="${address(`${name}.js`)}"></script>
</body>
</html>`;
}

/** How a page talks to its host. */
interface PageProtocol<In> {
	/** Checks what the page sent; undefined for what isn't a message. */
	readonly parse: (raw: unknown) => In | undefined;
	/** Names the page in the log. */
	readonly name: string;
	readonly log: Pick<vscode.LogOutputChannel, 'debug' | 'warn'>;
}

/**
 * The host's side of one webview. The page says `ready` when it exists, and `begin` gets it started. While it is hidden it doesn't
 * exist and nothing is sent, because a page that comes back says `ready` again. `In` is what the page sends, `Out` what the host sends.
 */
export abstract class WebviewPage<In extends { readonly type: string }, Out> extends DisposableBase {
	readonly #webview: vscode.Webview;
	readonly #protocol: PageProtocol<In>;
	readonly #queue: Out[] = [];
	#isReady = false;
	#seq = 0;
	#timer: NodeJS.Timeout | undefined;

	constructor(webview: vscode.Webview, protocol: PageProtocol<In>) {
		super();
		this.#webview = webview;
		this.#protocol = protocol;
		this.own(webview.onDidReceiveMessage((raw: unknown) => this.#receive(raw)));
	}

	/** Handles a checked message. A rejection is logged. */
	protected abstract handle(message: In): unknown;

	/** Handles something the page sent that isn't a message. */
	protected refuse(): void {}

	/** Whether the page exists and has said `ready`. */
	protected get isReady(): boolean {
		return this.#isReady;
	}

	/** Starts the page with its first message; those queued meanwhile follow. */
	protected startPage(first?: Out): void {
		this.#isReady = true;
		for (const message of [...(first === undefined ? [] : [first]), ...this.#queue.splice(0)]) {
			void this.send(message);
		}
	}

	/** Stops what is done for a page that is in sight. Called when it is hidden, and at the end. */
	onHidden(): void {
		this.#isReady = false;
		this.cancelScheduled();
	}

	/** Sends a message if the page is ready. */
	protected post(message: Out): void {
		if (this.#isReady) {
			void this.send(message);
		}
	}

	/** Sends a message, once the page is ready if it isn't. */
	protected postWhenReady(message: Out): void {
		if (this.#isReady) {
			void this.send(message);
		} else {
			this.#queue.push(message);
		}
	}

	/** Sends a message to the page as it is; resolves when it has been delivered. */
	protected async send(message: Out): Promise<void> {
		if (!this.disposed) {
			await this.#webview.postMessage(message);
		}
	}

	/** Number of the next message of a numbered sequence: a page that misses one asks for everything again. */
	protected takeNextSeq(): number {
		this.#seq++;
		return this.#seq;
	}

	/** Acts once after this time, for all calls until then, unless the page is hidden first. */
	protected schedule(ms: number, act: () => void): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			act();
		}, ms);
	}

	protected cancelScheduled(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	/** Starts work that nothing waits for; a failure is logged. */
	protected start(work: Promise<unknown>): void {
		runInBackground(work, this.#protocol.log, this.#protocol.name);
	}

	override dispose(): void {
		this.onHidden();
		super.dispose();
	}

	#receive(raw: unknown): void {
		const message = this.#protocol.parse(raw);
		if (message) {
			this.start(Promise.resolve(this.handle(message)));
		} else {
			this.refuse();
		}
	}
}

/** The host's side of a page that has a panel of its own. */
export abstract class PanelPage<In extends { readonly type: string }, Out> extends WebviewPage<In, Out> {
	protected readonly panel: vscode.WebviewPanel;
	protected abstract readonly handlers: Handlers<In>;

	constructor(panel: vscode.WebviewPanel, protocol: PageProtocol<In>) {
		super(panel.webview, protocol);
		this.panel = panel;
		this.own(panel.onDidChangeViewState(() => !panel.visible && this.onHidden()));
	}

	protected override async handle(message: In): Promise<void> {
		await getHandler(this.handlers, message)(message);
	}

	get isActive(): boolean {
		return this.panel.active;
	}

	get isVisible(): boolean {
		return this.panel.visible;
	}

	reveal(): void {
		this.panel.reveal();
	}
}
