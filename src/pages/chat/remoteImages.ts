import { fill } from '../shared/fill.ts';
import type { FromPanel } from './panel/panelProtocol.ts';
import type { PanelStrings } from './panel/panelStrings.ts';

/** Images of replies: a button until it is clicked, then fetched by the host, for the page has no network. */
export class RemoteImages {
	readonly #post: (message: FromPanel) => void;
	readonly #strings: () => PanelStrings;
	/** What was loaded, by address: a text that is rendered again shows it at once. */
	readonly #loaded = new Map<string, string>();

	constructor(post: (message: FromPanel) => void, strings: () => PanelStrings) {
		this.#post = post;
		this.#strings = strings;
	}

	/** The element that stands for an image. */
	element(link: HTMLAnchorElement): HTMLElement {
		const url = link.getAttribute('href') ?? '';
		const description = link.textContent ?? '';
		const host = /^https?:/i.test(url) ? hostOf(url) : undefined;
		if (host === undefined) {
			const text = document.createElement('span');
			text.textContent = description;
			return text;
		}
		const data = this.#loaded.get(url);
		if (data !== undefined) {
			return picture(data, description);
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

	/** The host's answer: shows the image wherever it stands, or says why it does not come. */
	loaded(url: string, data: string | undefined, problem: string | undefined): void {
		if (data !== undefined) {
			this.#loaded.set(url, data);
		}
		for (const button of document.querySelectorAll<HTMLButtonElement>('button.remoteImage')) {
			if (button.dataset['url'] === url) {
				if (data !== undefined) {
					button.replaceWith(picture(data, button.dataset['description'] ?? ''));
				} else {
					button.textContent = fill(this.#strings().imageFailed, problem ?? '');
				}
			}
		}
	}
}

/** `undefined` where it is no address: a reply can name anything as one. */
function hostOf(url: string): string | undefined {
	return URL.canParse(url) ? new URL(url).host : undefined;
}

function picture(data: string, description: string): HTMLElement {
	const image = document.createElement('img');
	image.className = 'picture';
	image.alt = description;
	image.src = data;
	return image;
}
