import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getHandler, type Handlers } from '#pages/shared/handlers.ts';
import { runInBackground } from './background.ts';
import { escapeHtml, renderPageHelp } from './pageHelp.ts';

/** Returns the folders that a webview may load resources from. */
export function getWebviewRoots(extensionUri: vscode.Uri): vscode.Uri[] {
	return [vscode.Uri.joinPath(extensionUri, 'dist', 'webview'), vscode.Uri.joinPath(extensionUri, 'media')];
}

/**
 * Renders the HTML of a webview that runs `NAME.js` with `NAME-style.css` from the build. The page can load only our own script, styles and
 * icon font. Images must be data URLs, and the page can't send requests.
 * @param name a folder in `src/pages`
 */
export function renderWebviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, name: string, title: string): string {
	const nonce = randomBytes(18).toString('base64');
	const toResourceUri = (...path: string[]) =>
		webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', ...path)).toString();
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		// vscode-elements sets widths with style attributes
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
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${toResourceUri('codicons', 'codicon.css')}" id="vscode-codicon-stylesheet">
<link rel="stylesheet" href="${toResourceUri(`${name}-style.css`)}">
</head>
<body>
${renderPageHelp(name, title)}
<script type="module" nonce="${nonce}" src="${toResourceUri(`${name}.js`)}"></script>
</body>
</html>`;
}

/** How a page and its host communicate. */
interface PageProtocol<In> {
	/** Validates a message from the page. Returns undefined if the message isn't valid. */
	readonly parse: (raw: unknown) => In | undefined;
	/** Name of the page in the log. */
	readonly name: string;
	readonly log: Pick<vscode.LogOutputChannel, 'debug' | 'warn'>;
}

/**
 * The host's side of one webview. The page sends `ready` when it has loaded, and {@link startPage} responds with the first message. A
 * hidden page is unloaded and gets no messages. It sends `ready` again when it is shown. `In` is the type of the page's messages, `Out`
 * that of the host's.
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
		this.register(webview.onDidReceiveMessage((raw: unknown) => this.#receiveMessage(raw)));
	}

	/** Handles a valid message. If the result rejects, the error is logged. */
	protected abstract handleMessage(message: In): unknown;

	/** Called when the page sent an invalid message. */
	protected onInvalidMessage(): void {}

	/** True if the page has loaded and sent `ready`. */
	protected get isReady(): boolean {
		return this.#isReady;
	}

	/** Sends the first message to the page, then the messages that are queued. */
	protected startPage(first?: Out): void {
		this.#isReady = true;
		for (const message of [...(first === undefined ? [] : [first]), ...this.#queue.splice(0)]) {
			void this.send(message);
		}
	}

	/** Stops work that only a visible page needs. Called when the page is hidden or disposed. */
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

	/** Sends a message now, or once the page is ready. */
	protected postWhenReady(message: Out): void {
		if (this.#isReady) {
			void this.send(message);
		} else {
			this.#queue.push(message);
		}
	}

	/** Sends a message even if the page isn't ready. Resolves when the message was delivered. */
	protected async send(message: Out): Promise<void> {
		if (!this.disposed) {
			await this.#webview.postMessage(message);
		}
	}

	/** Returns the next sequence number. A page that misses a number requests everything again. */
	protected takeNextSeq(): number {
		this.#seq++;
		return this.#seq;
	}

	/** Calls `act` once after `ms` milliseconds, however often this method is called until then. Does nothing if the page is hidden first. */
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

	/** Starts work that no caller awaits. A failure is logged. */
	protected start(work: Promise<unknown>): void {
		runInBackground(work, this.#protocol.log, this.#protocol.name);
	}

	override dispose(): void {
		this.onHidden();
		super.dispose();
	}

	#receiveMessage(raw: unknown): void {
		const message = this.#protocol.parse(raw);
		if (message) {
			this.start(Promise.resolve(this.handleMessage(message)));
		} else {
			this.onInvalidMessage();
		}
	}
}

/** The host's side of a page in its own panel. */
export abstract class PanelPage<In extends { readonly type: string }, Out> extends WebviewPage<In, Out> {
	protected readonly panel: vscode.WebviewPanel;
	protected abstract readonly handlers: Handlers<In>;

	constructor(panel: vscode.WebviewPanel, protocol: PageProtocol<In>) {
		super(panel.webview, protocol);
		this.panel = panel;
		this.register(panel.onDidChangeViewState(() => !panel.visible && this.onHidden()));
	}

	protected override async handleMessage(message: In): Promise<void> {
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
