import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FromPanel } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import type { StoredPart, Turn } from '../transcript/transcript.ts';

/** Renders a file that is stored by the service, with a button to save it. An image is only shown on request, like images on the web. */
export function renderStoredFile(
	{ name, id, url, type, picture }: StoredPart,
	turn: Turn,
	strings: PanelStrings,
	post: (message: FromPanel) => void,
): unknown {
	const chip = html`<span class="codicon codicon-cloud-download" aria-hidden="true"></span><span class="chipName" dir="auto">${name}</span>`;
	if (id === undefined) {
		return html`<span class="chip">${chip}</span>`;
	}
	const label = fill(strings.fetchFile, name);
	const save = html`<button type="button" class="chip" title=${label} aria-label=${label} @click=${() => post({ type: 'openStored', turn: turn.id, id })}>${chip}</button>`;
	if (picture) {
		return html`<img class="picture" src=${`data:${picture.mimeType};base64,${picture.data}`} alt=${fill(strings.image, name)}>${save}`;
	}
	const show =
		type === 'image' && url !== undefined
			? html`<button type="button" class="remoteImage" title=${url} @click=${() => post({ type: 'showStored', turn: turn.id, id })}><span class="codicon codicon-file-media" aria-hidden="true"></span>${fill(strings.loadImage, getUrlHost(url) ?? turn.reply?.connection ?? '')}</button> `
			: nothing;
	return html`<div class="stored">${show}${save}</div>`;
}

function getUrlHost(url: string): string | undefined {
	return URL.canParse(url) ? new URL(url).host : undefined;
}
