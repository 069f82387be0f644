import { html, nothing } from 'lit';
import { renderTabs } from '../../shared/tabs.ts';
import type { FromInspector, ShownOutput } from '../inspectorMessages.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';
import { formatAsOf } from '../moments/momentBar.ts';
import type { ShownMoment } from '../moments/shownMoment.ts';
import { createOutputTable } from './outputTable.ts';

const outputViews = ['text', 'markdown', 'json', 'table'] as const;
export type OutputView = (typeof outputViews)[number];

interface OutputsModel {
	readonly strings: InspectorStrings;
	/** Undefined while the run is in progress. */
	readonly outputs: readonly ShownOutput[] | undefined;
	/** The shown moment; undefined for the present. */
	readonly moment: ShownMoment | undefined;
	/** Text that the run streamed. */
	readonly text: string;
	readonly view: OutputView;
	/** Returns an element for a long text. The page reuses the element between renders. */
	readonly code: (id: string, text: string) => HTMLElement;
	readonly markdown: (id: string, text: string) => HTMLElement;
	select(view: OutputView): void;
	post(message: FromInspector): void;
}

/** Renders the outputs as text, Markdown, JSON or a table; during the run, the streamed text. */
export function renderOutputs(model: OutputsModel): unknown {
	const { strings, outputs, moment, view, select, post } = model;
	const tabs = outputViews.map(id => ({ id, label: strings.views[id] }));
	const isCut = outputs?.some(({ cut }) => cut);
	return html`<section class="outputs" aria-label=${strings.outputs}>
		<div class="sectionHead">
			<h2>${strings.outputs}</h2>
			${renderTabs({ label: strings.outputs, prefix: 'outputs', tabs, selected: view, select })}
			<span class="grow"></span>
			${moment ? html`<span class="dim">${formatAsOf(moment, strings)}</span>` : nothing}
			${isCut ? html`<span class="dim">${strings.cut}</span>` : nothing}
			${
				outputs && outputs.length > 0
					? html`<button type="button" class="iconButton" title=${strings.openWhole} aria-label=${strings.openWhole} @click=${() => post({ type: 'command', command: 'openOutputs' })}>
							<span class="codicon codicon-go-to-file" aria-hidden="true"></span>
						</button>`
					: nothing
			}
		</div>
		<div class="panel" role="tabpanel" id="outputs-panel" aria-labelledby="outputs-${view}" tabindex="0">${renderContent(model)}</div>
	</section>`;
}

function renderContent({ strings, outputs, text, view, code, markdown }: OutputsModel): unknown {
	if (!outputs && text === '') {
		return html`<p class="dim">${strings.outputsLater}</p>`;
	}
	if (outputs?.length === 0) {
		return html`<p class="dim">${strings.noOutputs}</p>`;
	}
	const shown = outputs ?? [{ name: strings.streamed, text, isText: true, cut: false }];
	if (view === 'json') {
		return code('outputs', toJsonText(shown));
	}
	if (view === 'table') {
		return renderTable(shown, strings);
	}
	return shown.map(
		output =>
			html`<h3>${output.name}</h3>${output.isText && view === 'markdown' ? markdown(output.name, output.text) : html`<pre class="plain" dir="auto">${output.text}</pre>`}`,
	);
}

function renderTable(shown: readonly ShownOutput[], strings: InspectorStrings): unknown {
	const { columns, rows, cut } = createOutputTable(shown, [strings.name, strings.value]);
	return html`<div class="tableFrame"><table>
		<thead><tr>${columns.map(column => html`<th scope="col">${column}</th>`)}</tr></thead>
		<tbody>${rows.map(cells => html`<tr>${cells.map(cell => html`<td dir="auto">${cell}</td>`)}</tr>`)}</tbody>
	</table>${cut ? html`<p class="dim">${strings.cut}</p>` : nothing}</div>`;
}

function toJsonText(shown: readonly ShownOutput[]): string {
	const fields = shown.map(({ name, text, isText }) => {
		const value = isText ? JSON.stringify(text) : text.replaceAll('\n', '\n  ');
		return `  ${JSON.stringify(name)}: ${value}`;
	});
	return `{\n${fields.join(',\n')}\n}`;
}
