import { render } from 'lit';
import { renderEmptyChat } from '#pages/chat/emptyView.ts';
import type { FromPanel, PanelHead } from '#pages/chat/panel/panelProtocol.ts';
import type { PanelStrings } from '#pages/chat/panel/panelStrings.ts';

/** Renders an empty chat. Returns its element, and a list of the messages to the host. */
export function renderOpening(opening: PanelHead['opening']): { readonly element: HTMLElement; readonly posted: FromPanel[] } {
	const element = document.createElement('div');
	const posted: FromPanel[] = [];
	const strings = { emptyTitle: 'No messages', emptyHint: 'Write one' } as PanelStrings;
	render(
		renderEmptyChat({ opening, busy: false } as PanelHead, strings, message => posted.push(message)),
		element,
	);
	return { element, posted };
}
