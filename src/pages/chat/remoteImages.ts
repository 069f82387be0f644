import { fill } from '../shared/fill.ts';
import type { FromPanel } from './panel/panelProtocol.ts';
import type { PanelStrings } from './panel/panelStrings.ts';

/** Images in replies. Each is a button until it is clicked; then the host loads it, because the page has no network access. */
export class RemoteImages {
	readonly #post: (message: FromPanel) => void;
	readonly #strings: () => PanelStrings;
	/** Loaded images by URL, for texts that are rendered again. */
	readonly #loaded = new Map<string, string>();

	constructor(post: (message: FromPanel) => void, strings: () => PanelStrings) {
		this.#post = post;
		this.#strings = strings;
	}

	/** Returns the element for an image. */
	createImageElement(link: HTMLAnchorElement): HTMLElement {
		const url = link.getAttribute('href') ?? '';
		const description = link.textContent ?? '';
		const host = /^https?:/i.test(url) ? getUrlHost(url) : undefined;
		if (host === undefined) {
			const text = document.createElement('span');
			text.textContent = description;
			return text;
		}
		const data = this.#loaded.get(url);
		if (data !== undefined) {
			return createPicture(data, description);
		}
		const button = document.createElement('button');
		button.type = 'button';
		button.className = 'remoteImage';
		button.dataset['url'] = url;
		button.dataset['description'] = description;
		button.title = url;
		const icon = button.appendChild(document.createElement('span'));
		icon.className = 'codicon codicon-file-media';
		icon.ariaHidden = 'true';
		const label = fill(this.#strings().loadImage, host);
		button.append(description ? `${description} · ${label}` : label);
		button.addEventListener('click', () => this.#post({ type: 'loadImage', url }));
		return button;
	}

	/** Shows a loaded image everywhere it occurs, or the reason why it couldn't be loaded. */
	handleImageLoaded(url: string, data: string | undefined, problem: string | undefined): void {
		if (data !== undefined) {
			this.#loaded.set(url, data);
		}
		for (const button of document.querySelectorAll<HTMLButtonElement>('button.remoteImage')) {
			if (button.dataset['url'] === url) {
				if (data !== undefined) {
					button.replaceWith(createPicture(data, button.dataset['description'] ?? ''));
				} else {
					button.textContent = fill(this.#strings().imageFailed, problem ?? '');
				}
			}
		}
	}
}

/** Returns the host of a URL; `undefined` if the URL isn't valid, because replies can contain anything. */
function getUrlHost(url: string): string | undefined {
	return URL.canParse(url) ? new URL(url).host : undefined;
}

function createPicture(data: string, description: string): HTMLElement {
	const image = document.createElement('img');
	image.className = 'picture';
	image.alt = description;
	image.src = data;
	return image;
}
