import { render } from 'lit';
import { renderInspectorHeader } from '#pages/inspector/headerView.ts';
import type { FromInspector, InspectorHead } from '#pages/inspector/inspectorMessages.ts';
import type { InspectorStrings } from '#pages/inspector/inspectorStrings.ts';

// jsdom has no popovers
HTMLElement.prototype.hidePopover ??= () => {};

/** Renders the header of a run. Returns it and the messages to the host. */
export function renderHeader(
	head: InspectorHead,
	strings: InspectorStrings,
): { readonly header: HTMLElement; readonly posted: FromInspector[] } {
	const header = document.createElement('div');
	const posted: FromInspector[] = [];
	const graph = { pressed: false, why: undefined, toggle: () => {} };
	render(
		renderInspectorHeader(head, strings, graph, message => posted.push(message)),
		header,
	);
	return { header, posted };
}
