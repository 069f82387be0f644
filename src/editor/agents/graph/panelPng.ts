import type { FromGraphHost } from '#pages/graph/picture/graphProtocol.ts';

/** Has the page convert SVGs to PNGs, because the extension host can't draw. */
export class PanelPng {
	readonly #ask: (message: FromGraphHost) => void;
	#wanted: { readonly message: FromGraphHost; readonly take: (png: Uint8Array | undefined) => void } | undefined;

	/** @param ask sends the request when the page is visible */
	constructor(ask: (message: FromGraphHost) => void) {
		this.#ask = ask;
	}

	/** The pending request to the page, if any. */
	get asked(): FromGraphHost | undefined {
		return this.#wanted?.message;
	}

	/**
	 * Converts an SVG to PNG bytes of this size in pixels. Resolves to `undefined` if it can't be drawn or another request replaces this one.
	 */
	rasterizeSvg(svg: string, width: number, height: number): Promise<Uint8Array | undefined> {
		this.cancelRequest();
		return new Promise(take => {
			const message: FromGraphHost = { type: 'rasterize', svg, width, height };
			this.#wanted = { message, take };
			this.#ask(message);
		});
	}

	/** Handles the page's response: a PNG in Base64, or an empty string if drawing failed. */
	onDrawn(png: string): void {
		this.#wanted?.take(png === '' ? undefined : Buffer.from(png, 'base64'));
		this.#wanted = undefined;
	}

	/** Cancels the pending request. */
	cancelRequest(): void {
		this.onDrawn('');
	}
}
