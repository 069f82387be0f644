import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import type { ReplyCitation } from '../transcript/transcript.ts';

/** Where a reply comes from: links, or documents that open to the passages that were found in them. */
export function sources(citations: readonly ReplyCitation[] | undefined, strings: PanelStrings): unknown {
	if (!citations?.length) {
		return nothing;
	}
	return html`<section class="sources" aria-label=${strings.sources}><span>${strings.sources}</span><ol>${citations.map(citation => source(citation, strings))}</ol></section>`;
}

function source({ title, url, quote, from, score }: ReplyCitation, strings: PanelStrings): unknown {
	if (url && /^https?:/i.test(url)) {
		return html`<li><a href=${url} title=${quote ?? url}>${title}</a></li>`;
	}
	const facts = [...(from ? [from] : []), ...(score === undefined ? [] : [fill(strings.score, score.toFixed(2))])].join(' · ');
	const name = html`<span dir="auto">${title}</span>${facts ? html` <span class="sourceFacts" dir="auto">${facts}</span>` : nothing}`;
	return quote
		? html`<li><details><summary>${name}</summary><blockquote class="plain" dir="auto" tabindex="0" aria-label=${title}>${quote}</blockquote></details></li>`
		: html`<li>${name}</li>`;
}
