import { html, LitElement, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FromPanel } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import type { RetryWait } from '../transcript/transcript.ts';
import { getRetryText } from './retryText.ts';

/** `<retry-countdown>`: counts the seconds until a request is sent again. */
class RetryCountdown extends LitElement {
	static override properties = { wait: { attribute: false }, strings: { attribute: false } };

	declare wait: RetryWait | undefined;
	declare strings: PanelStrings;
	#timer: number | undefined;

	protected override createRenderRoot(): HTMLElement {
		return this;
	}

	override connectedCallback(): void {
		super.connectedCallback();
		this.#timer = window.setInterval(() => this.requestUpdate(), 1000);
	}

	override disconnectedCallback(): void {
		clearInterval(this.#timer);
		super.disconnectedCallback();
	}

	protected override render(): unknown {
		return this.wait ? getRetryText(this.wait, this.strings) : nothing;
	}
}

customElements.define('retry-countdown', RetryCountdown);

/** Renders a wait for an automatic retry: the seconds left, and buttons to stop or to retry now. */
export function renderRetryWait(wait: RetryWait, strings: PanelStrings, post: (message: FromPanel) => void): unknown {
	return html`<div class="retryWait">
		<p role="timer"><span class="codicon codicon-watch" aria-hidden="true"></span><retry-countdown .wait=${wait} .strings=${strings}></retry-countdown> <span class="retryCount">${fill(strings.retryCount, wait.retry, wait.of)}</span></p>
		<div class="row">
			<vscode-button @click=${() => post({ type: 'retryNow' })}>${strings.retryNow}</vscode-button>
			<vscode-button secondary @click=${() => post({ type: 'stop' })}>${strings.stop}</vscode-button>
		</div>
	</div>`;
}
