import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import { formatNumber } from '../../shared/format.ts';
import type { PanelHead } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';

/** Radius of the ring in units of the SVG; its circumference is 100. */
const radius = 100 / (2 * Math.PI);
/** Percentage from which the gauge shows a warning color. */
const nearlyFull = 80;

/** Renders a ring that shows how much of the model's context window the chat uses; nothing if that's unknown. */
export function renderTokenGauge(tokens: PanelHead['tokens'], strings: PanelStrings): unknown {
	if (!tokens) {
		return nothing;
	}
	const { used, window } = tokens;
	const percent = Math.min(100, Math.round((used / window) * 100));
	const text = fill(strings.tokens, formatNumber(used), formatNumber(window), percent);
	return html`<span
		class="tokenGauge ${percent >= nearlyFull ? 'nearlyFull' : ''}"
		role="meter"
		aria-label=${strings.tokensName}
		aria-valuemin="0"
		aria-valuemax=${window}
		aria-valuenow=${Math.min(used, window)}
		aria-valuetext=${text}
		title=${text}
	><svg viewBox="0 0 40 40" aria-hidden="true">
		<circle class="whole" cx="20" cy="20" r=${radius} />
		<circle class="used" cx="20" cy="20" r=${radius} stroke-dasharray="${percent} 100" transform="rotate(-90 20 20)" />
	</svg></span>`;
}
