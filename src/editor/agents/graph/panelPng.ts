import type { FromGraphHost } from '#pages/graph/picture/graphProtocol.ts';

/** A PNG that a page is asked for: it can draw, the host cannot. */
export class PanelPng {
	readonly #ask: (message: FromGraphHost) => void;
	#wanted: { readonly message: FromGraphHost; readonly take: (png: Uint8Array | undefined) => void } | undefined;

	/** @param ask tells the page, once it is in sight */
	constructor(ask: (message: FromGraphHost) => void) {
		this.#ask = ask;
	}

	/** What the page is asked for and has not answered. */
	get asked(): FromGraphHost | undefined {
		return this.#wanted?.message;
	}

	/** Makes a PNG of an SVG, of so many pixels. Bytes; `undefined` where that cannot be drawn, or another one is wanted. */
	of(svg: string, width: number, height: number): Promise<Uint8Array | undefined> {
		this.end();
		return new Promise(take => {
			const message: FromGraphHost = { type: 'rasterize', svg, width, height };
			this.#wanted = { message, take };
			this.#ask(message);
		});
	}

	/** Takes what the page drew: Base64, empty where it could not. */
	drawn(png: string): void {
		this.#wanted?.take(png === '' ? undefined : Buffer.from(png, 'base64'));
		this.#wanted = undefined;
	}

	/** Nothing is wanted any more. */
	end(): void {
		this.drawn('');
	}
}
