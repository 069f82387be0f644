/** The page's side of a webview: messages to the host, and a state that outlives the page. */
interface WebviewApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** Typed access to the host. `Out` is what the page sends, `State` what it keeps while it is hidden. */
export class Host<Out, State extends object> {
	readonly #api = acquireVsCodeApi();

	post(message: Out): void {
		this.#api.postMessage(message);
	}

	/** What was kept, field by field: an older version may have kept less. */
	get state(): Partial<State> {
		const state = this.#api.getState();
		return typeof state === 'object' && state !== null ? state : {};
	}

	/** Keeps these fields; `undefined` lets go of one. */
	keep(fields: { readonly [Field in keyof State]?: State[Field] | undefined }): void {
		this.#api.setState({ ...this.state, ...fields });
	}
}
