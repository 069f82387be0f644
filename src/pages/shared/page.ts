import { html, render } from 'lit';
import { type Handlers, handlerOf } from './handlers.ts';

/** The page's side of a webview: messages to the host, and a state that outlives the page. */
interface WebviewApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** Typed access to the host. `Out` is what the page sends, `State` what it saves while it is hidden and over a restart. */
class Host<Out, State extends object> {
	readonly #api = acquireVsCodeApi();

	post(message: Out): void {
		this.#api.postMessage(message);
	}

	/** The saved state, field by field: an older version may have saved less. */
	get state(): Partial<State> {
		const state = this.#api.getState();
		return typeof state === 'object' && state !== null ? state : {};
	}

	/** Saves these fields; `undefined` drops one. */
	keep(fields: { readonly [Field in keyof State]?: State[Field] | undefined }): void {
		this.#api.setState({ ...this.state, ...fields });
	}
}

/**
 * Base of a webview's page: applies the host's messages, and renders what they change. The page has no truth of its own: one that comes
 * back says `ready` and gets everything again. `In` is what the host sends, `Out` what the page sends, `State` what it saves.
 */
export abstract class Page<In extends { readonly type: string }, Out, State extends object> {
	protected readonly root: HTMLElement;
	/** Applies messages of the host, each by its type. */
	protected abstract readonly handlers: Handlers<In>;
	protected readonly host = new Host<Out | { readonly type: 'ready' }, State>();
	/** What screen readers are to read next. */
	protected announcement = '';

	constructor(root: HTMLElement) {
		this.root = root;
	}

	/** Listens to the host and reports that the page exists. */
	start(): void {
		window.addEventListener('message', ({ data }: MessageEvent<In>) => this.receive(data));
		this.host.post(this.ready());
	}

	protected ready(): Out | { readonly type: 'ready' } {
		return { type: 'ready' };
	}

	protected post(message: Out): void {
		this.host.post(message);
	}

	protected receive(message: In): void {
		handlerOf(this.handlers, message)(message);
	}

	/** What the page shows; undefined until the host has sent enough. */
	protected abstract view(): unknown;

	/** Updates what isn't part of the view, after each render. */
	protected rendered(): void {}

	protected render(): void {
		const view = this.view();
		if (view !== undefined) {
			render(view, this.root);
			this.rendered();
		}
	}

	/** The region that screen readers read announcements from. */
	protected announcer(): unknown {
		return html`<div class="forReaders" role="status" aria-live="polite">${this.announcement}</div>`;
	}
}
