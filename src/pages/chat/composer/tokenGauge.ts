import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import { formatNumber } from '../../shared/format.ts';
import type { PanelHead } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';

/** Of the ring, in units of its picture; the circle is 100 long. */
const radius = 100 / (2 * Math.PI);
/** From here on, in percent, little is left to say. */
const nearlyFull = 80;

/** A ring that fills with what of the model's window a chat takes. Nothing where that is not known. */
export function tokenGauge(tokens: PanelHead['tokens'], strings: PanelStrings): unknown {
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
