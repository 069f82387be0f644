import { html } from 'lit';

interface Tabs<T extends string> {
	readonly label: string;
	/** Prefix of the tabs' IDs; the panel's ID is `PREFIX-panel`. */
	readonly prefix: string;
	readonly tabs: readonly { readonly id: T; readonly label: string; readonly empty?: boolean }[];
	readonly selected: T;
	select(id: T): void;
}

/** Renders a list of tabs. It's one Tab stop; arrow keys, Home and End switch tabs. */
export function renderTabs<T extends string>({ label, prefix, tabs, selected, select }: Tabs<T>): unknown {
	const onKeyDown = (event: KeyboardEvent) => {
		const place = tabs.findIndex(({ id }) => id === selected);
		const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: tabs.length - 1 }[event.key];
		const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
		if (tab) {
			event.preventDefault();
			select(tab.id);
			document.getElementById(`${prefix}-${tab.id}`)?.focus();
		}
	};
	return html`<div class="tabs" role="tablist" aria-label=${label} @keydown=${onKeyDown}>
		${tabs.map(
			({ id, label, empty }) => html`<button
				type="button"
				role="tab"
				id="${prefix}-${id}"
				class=${empty ? 'emptyTab' : ''}
				aria-selected=${id === selected ? 'true' : 'false'}
				aria-controls="${prefix}-panel"
				tabindex=${id === selected ? 0 : -1}
				@click=${() => select(id)}
			>${label}</button>`,
		)}
	</div>`;
}
