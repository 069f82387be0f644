import { html, nothing } from 'lit';
import type { FromPanel, PanelHead } from './panel/panelProtocol.ts';
import type { PanelStrings } from './panel/panelStrings.ts';

/** Renders the button to choose a model or agent of any connection, and the settings button. */
export function renderHeader(
	head: PanelHead,
	strings: PanelStrings,
	settingsOpen: boolean,
	toggleSettings: () => void,
	post: (message: FromPanel) => void,
): unknown {
	const model = head.model || strings.pickModel;
	const label = `${head.modelWord}: ${head.model ? `${head.model}, ${head.connectionName}` : strings.pickModel}`;
	const wrong = Object.keys(head.problems).length > 0;
	return html`<header class="top">
		<button type="button" class="pick model" title=${label} aria-haspopup="dialog" @click=${() => post({ type: 'pick', what: 'model' })}>
			<span class="pickText">${model}</span> ${head.model ? html`<span class="pickText connection">${head.connectionName}</span>` : nothing}<span class="codicon codicon-chevron-down" aria-hidden="true"></span>
		</button>
		<span class="grow"></span>
		<button
			type="button"
			class="iconButton codicon codicon-settings-gear ${wrong ? 'wrongSetting' : ''}"
			title=${strings.settings}
			aria-label=${strings.settings}
			aria-expanded=${settingsOpen ? 'true' : 'false'}
			aria-controls=${settingsOpen ? 'settings' : nothing}
			@click=${toggleSettings}
		></button>
	</header>
	${head.notice ? html`<p class="note top">${head.notice}</p>` : nothing}`;
}
