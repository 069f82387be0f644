import { html, nothing, render } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import { formatDuration } from '#base/text/duration.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';
import { fill } from '../../shared/fill.ts';
import { getStatusIconClasses } from '../../shared/statusIcon.ts';
import { findGraphRow } from '../graphState.ts';
import type { PageRun } from '../pageRun.ts';
import type { FromGraph, RowDetail } from '../picture/graphProtocol.ts';
import type { GraphStrings } from '../picture/graphStrings.ts';

interface LastRunParts {
	readonly run: PageRun;
	readonly post: (message: FromGraph) => void;
	readonly strings: GraphStrings;
}

/** Shows what the selected node got and put out in the run that the graph shows, or in the last run. */
export class LastRunPane {
	readonly #root: HTMLElement;
	readonly #parts: LastRunParts;
	#node: string | undefined;
	/** Details by row ID, and the status of the row when they were requested. */
	readonly #details = new Map<string, { readonly status: string; readonly detail?: RowDetail }>();

	constructor(root: HTMLElement, parts: LastRunParts) {
		this.#root = root;
		this.#parts = parts;
	}

	/** Shows a node, or updates the shown one after the run has changed. */
	showNode(node: string): void {
		const { run, post } = this.#parts;
		if (!run.head && node !== this.#node) {
			post({ type: 'lastRun' });
		}
		this.#node = node;
		const row = findGraphRow(run.getNodeRows(node), undefined);
		if (row && this.#details.get(row.id)?.status !== row.status) {
			this.#details.set(row.id, { ...this.#details.get(row.id), status: row.status });
			post({ type: 'rowDetail', row: row.id });
		}
		this.#render(row);
	}

	/** Forgets the details of the previous run. */
	clear(): void {
		this.#details.clear();
	}

	receiveDetail(row: string, detail: RowDetail): void {
		this.#details.set(row, { status: this.#details.get(row)?.status ?? '', detail });
		if (this.#node !== undefined) {
			this.showNode(this.#node);
		}
	}

	#render(row: TimelineRow | undefined): void {
		const { run, post, strings } = this.#parts;
		if (!row) {
			render(
				html`<p class="fieldHelp">${run.head ? strings.nodeNotRun : strings.noRun}</p>
				${run.head ? nothing : html`<button type="button" class="wordButton" @click=${() => post({ type: 'onAgent', action: 'run' })}>${strings.runAgent}</button>`}`,
				this.#root,
			);
			return;
		}
		const { inputs, outputs, error = row.error } = this.#details.get(row.id)?.detail ?? {};
		render(
			html`<p class="lastRunHead"><span class=${getStatusIconClasses(row.status)} aria-hidden="true"></span><span>${this.#formatFacts(row).join(' · ')}</span></p>
			<button type="button" class="wordButton" @click=${() => post({ type: 'inspectRun' })}>${strings.openInspector}</button>
			${this.#renderPart('error', strings.error, error)}${error === undefined || !row.nodeId ? nothing : this.#renderSourceLink(row.nodeId)}${this.#renderPart('outputs', strings.outputs, outputs)}${this.#renderPart('inputs', strings.inputs, inputs)}`,
			this.#root,
		);
	}

	#formatFacts({ status, start, end, tokens, nodeId = '' }: TimelineRow): readonly string[] {
		const { run, strings } = this.#parts;
		const { length } = run.getNodeRows(nodeId);
		return [
			getOwnField(strings.statuses, status) ?? status,
			...(end === undefined ? [] : [formatDuration(end - start, 'exact', strings)]),
			...(tokens ? [tokens === 1 ? strings.oneToken : fill(strings.tokens, tokens)] : []),
			...(length > 1 ? [fill(strings.times, length)] : []),
		];
	}

	#renderSourceLink(node: string): unknown {
		const { post, strings } = this.#parts;
		return html`<button type="button" class="linkButton" @click=${() => post({ type: 'reveal', node })}>${strings.goToText}</button>`;
	}

	/** A part scrolls sideways, so it must be reachable with the keyboard. */
	#renderPart(id: string, label: string, text: string | undefined): unknown {
		return text === undefined
			? nothing
			: html`<section class="lastRunPart ${id}" aria-labelledby="last-run-${id}"><h3 id="last-run-${id}">${label}</h3><pre tabindex="0">${text}</pre></section>`;
	}
}
