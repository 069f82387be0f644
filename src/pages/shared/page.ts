import { html, render } from 'lit';
import { getHandler, type Handlers } from './handlers.ts';

/** VS Code's API for webviews: messages to the host, and state that survives the page. */
interface WebviewApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** Typed access to the host. `Out` is what the page sends, `State` what it saves while it is hidden and for restarts. */
class Host<Out, State extends object> {
	readonly #api = acquireVsCodeApi();

	postMessage(message: Out): void {
		this.#api.postMessage(message);
	}

	/** The saved state. All fields are optional, because an older version may have saved fewer. */
	get state(): Partial<State> {
		const state = this.#api.getState();
		return typeof state === 'object' && state !== null ? state : {};
	}

	/** Saves these fields; `undefined` removes one. */
	saveFields(fields: { readonly [Field in keyof State]?: State[Field] | undefined }): void {
		this.#api.setState({ ...this.state, ...fields });
	}
}

/**
 * Base class of webview pages: applies messages of the host and renders the result. A page doesn't store the content itself: after a
 * reload, it sends `ready` and gets everything again. `In` is what the host sends, `Out` what the page sends, `State` what it saves.
 */
export abstract class Page<In extends { readonly type: string }, Out, State extends object> {
	protected readonly root: HTMLElement;
	/** Message handlers by type. */
	protected abstract readonly handlers: Handlers<In>;
	protected readonly host = new Host<Out | { readonly type: 'ready' }, State>();
	/** The next text for screen readers. */
	protected announcement = '';

	constructor(root: HTMLElement) {
		this.root = root;
	}

	/** Starts listening and reports to the host that the page is ready. */
	start(): void {
		window.addEventListener('message', ({ data }: MessageEvent<In>) => this.receiveMessage(data));
		window.addEventListener('keydown', toggleHelp, true);
		this.host.postMessage(this.createReadyMessage());
	}

	protected createReadyMessage(): Out | { readonly type: 'ready' } {
		return { type: 'ready' };
	}

	protected postMessage(message: Out): void {
		this.host.postMessage(message);
	}

	protected receiveMessage(message: In): void {
		getHandler(this.handlers, message)(message);
	}

	/** Renders the page; returns `undefined` until the host has sent enough. */
	protected abstract renderPage(): unknown;

	/** Called after each render, for updates outside of the template. */
	protected onRendered(): void {}

	protected render(): void {
		const view = this.renderPage();
		if (view !== undefined) {
			render(view, this.root);
			this.onRendered();
		}
	}

	/** Renders the live region for announcements to screen readers. */
	protected renderAnnouncer(): unknown {
		return html`<div class="forReaders" role="status" aria-live="polite">${this.announcement}</div>`;
	}
}

/** Opens the accessibility help with Alt+F1, and closes it with Escape. The host has put it into the page. */
function toggleHelp(event: KeyboardEvent): void {
	const help = document.querySelector<HTMLDialogElement>('#pageHelp');
	if (help?.open && event.key === 'Escape') {
		help.close();
	} else if (help && !help.open && event.key === 'F1' && event.altKey) {
		help.showModal();
	} else {
		return;
	}
	event.preventDefault();
	event.stopPropagation();
}
