import { html, nothing } from 'lit';
import type { FromPanel, PanelHead } from './panel/panelProtocol.ts';
import type { PanelStrings } from './panel/panelStrings.ts';

/** Renders buttons to choose endpoint, model or agent, and connection, and the settings button. */
export function renderHeader(
	head: PanelHead,
	strings: PanelStrings,
	settingsOpen: boolean,
	toggleSettings: () => void,
	post: (message: FromPanel) => void,
): unknown {
	const model = head.model || (head.endpoint === 'agent' ? strings.pickAgent : strings.pickModel);
	const renderPickButton = (what: 'connection' | 'endpoint' | 'model', label: string, text: string) =>
		html`<button type="button" class="pick ${what}" title="${label}: ${text}" aria-label="${label}: ${text}" @click=${() => post({ type: 'pick', what })}>
			${what === 'connection' ? html`<span class="codicon codicon-plug" aria-hidden="true"></span>` : nothing}<span class="pickText">${text}</span><span class="codicon codicon-chevron-down" aria-hidden="true"></span>
		</button>`;
	const wrong = Object.keys(head.problems).length > 0;
	return html`<header class="top">
		${renderPickButton('endpoint', strings.endpoint, head.endpointName)}
		${renderPickButton('model', head.modelWord, model)}
		${renderPickButton('connection', strings.connection, head.connectionName)}
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
