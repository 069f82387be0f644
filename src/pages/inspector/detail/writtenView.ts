import { html, nothing } from 'lit';
import type { InspectorStrings } from '../inspectorStrings.ts';
import type { WrittenPart } from './writtenDetail.ts';

type Code = (id: string, text: string, language: string) => HTMLElement;

/** Shows the node in the agent file on the left and its values in the run on the right; on narrow pages, one of them at a time. */
export function renderWrittenParts(parts: readonly WrittenPart[], strings: InspectorStrings, code: Code): unknown {
	const renderWrittenSide = (value: 'written' | 'became', label: string) =>
		html`<label><input type="radio" name="written-side" value=${value} ?checked=${value === 'became'}> ${label}</label>`;
	return html`<div class="writtenBox">
		<fieldset class="writtenSides" aria-label=${strings.parts.written}>${renderWrittenSide('written', strings.inFile)}${renderWrittenSide('became', strings.inRun)}</fieldset>
		${parts.map(
			({ role, text, language, became }, at) => html`${role ? html`<h3>${strings.roles[role] ?? role}</h3>` : nothing}
				<div class="writtenPair">
					<section class="written" aria-label=${strings.inFile}>${at === 0 ? html`<p class="dim sideName">${strings.inFile}</p>` : nothing}${code(`written-${at}`, text, language)}</section>
					<section class="became" aria-label=${strings.inRun}>
						${at === 0 ? html`<p class="dim sideName">${strings.inRun}</p>` : nothing}
						${became.map(
							value =>
								html`${value.part === 'filled' ? nothing : html`<p class="dim">${strings.parts[value.part]}</p>`}${code(`became-${at}-${value.part}`, value.text, value.isText ? '' : 'json')}`,
						)}
					</section>
				</div>`,
		)}
	</div>`;
}
