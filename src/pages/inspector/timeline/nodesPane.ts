import { html, nothing } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';
import { findGraphRow } from '../../graph/graphState.ts';
import { GraphView } from '../../graph/graphView.ts';
import type { AgentPicture, DrawnNode } from '../../graph/picture/graphTypes.ts';
import { fill } from '../../shared/fill.ts';
import type { GraphToggle } from '../headerView.ts';
import type { FromInspectorHost, NodesView } from '../inspectorMessages.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';
import { getRunTime } from './runClock.ts';
import { type TimelineModel, TimelineView } from './timelineView.ts';

interface NodesPaneEvents {
	/** Called when a row is selected, or a graph node without a row. */
	onSelected(): void;
	/** Called when the user moves to the details of the selected node. */
	onEntered(): void;
	/** Called to show the node with this ID in its agent file. */
	onSourceRequested(id: string): void;
	onCollapsedChanged(ids: readonly string[]): void;
	onSearched(query: string): void;
	onViewChosen(view: NodesView): void;
	/** Called when the graph is needed and hasn't been loaded yet. */
	onGraphRequested(): void;
}

/** Restored state of the pane. */
interface KeptOfNodes {
	readonly collapsed: readonly string[];
	readonly query: string;
	readonly view: NodesView | undefined;
}

/** Shows the nodes of the run as a timeline or as the graph of the agent file. Both share one selection. */
export class NodesPane {
	readonly timeline: TimelineView;
	readonly #graph: GraphView;
	readonly #events: NodesPaneEvents;
	#query: string;
	/** The chosen view; undefined until the host sends the last choice. */
	#view: NodesView | undefined;
	#graphReply: Omit<Extract<FromInspectorHost, { type: 'graph' }>, 'type'> | undefined;
	/** True to show why there is no graph, because the user requested it. */
	#isWhyShown = false;
	/** Selected graph node without a row. */
	#idle: DrawnNode | undefined;
	#model: TimelineModel | undefined;

	constructor(events: NodesPaneEvents, { collapsed, query, view }: KeptOfNodes) {
		this.#events = events;
		this.#query = query;
		this.#view = view;
		this.timeline = new TimelineView(
			{
				onSelected: () => {
					this.#idle = undefined;
					events.onSelected();
				},
				onEntered: events.onEntered,
				onSourceRequested: events.onSourceRequested,
				onCollapsedChanged: events.onCollapsedChanged,
			},
			collapsed,
		);
		if (query) {
			this.timeline.searchRows(query);
		}
		this.#graph = new GraphView({ onSelect: id => this.#selectNode(id), onOpen: () => events.onEntered() });
	}

	get selected(): TimelineRow | undefined {
		return this.#idle ? undefined : this.#model?.rows.get(this.timeline.selected ?? '');
	}

	/** Returns the message for a selected node without a row. */
	getNoRowMessage({ idle, statuses, noSelection, notStarted }: InspectorStrings): string {
		if (!this.#idle && this.#model?.moment?.presentRows.has(this.timeline.selected ?? '')) {
			return notStarted;
		}
		const status = this.#graph.state?.nodes.get(this.#idle?.id ?? '')?.status;
		return this.#idle && status ? fill(idle, this.#idle.title, getOwnField(statuses, status) ?? status) : noSelection;
	}

	get toggle(): GraphToggle {
		return {
			pressed: this.#isWanted,
			why: this.#graphReply?.why,
			toggle: () => this.#toggleView(),
		};
	}

	/** Applies the view last chosen in any inspector unless one was chosen in this one. */
	setInitialView(view: NodesView): void {
		this.#view ??= view;
	}

	/** Clears the pane for another run. */
	clear(): void {
		this.#query = '';
		this.#graphReply = undefined;
		this.#isWhyShown = false;
		this.#idle = undefined;
		this.timeline.clear();
	}

	/** Stores the host's reply to a graph request. */
	setGraph(reply: Omit<Extract<FromInspectorHost, { type: 'graph' }>, 'type'>): void {
		const graph = reply.graph ?? (reply.why === undefined && reply.file === this.#graphReply?.file ? this.#graphReply?.graph : undefined);
		this.#graphReply = { ...reply, ...(graph ? { graph } : {}) };
		this.#requestGraph();
	}

	/**
	 * Stores the run's current state.
	 * @param rowsChanged false if only time has passed
	 */
	setRun(model: TimelineModel, rowsChanged: boolean): void {
		this.#model = model;
		const graph = this.#shown;
		if (graph) {
			const { head, rows, strings } = model;
			const run = { rows: rows.values(), live: head.live, status: head.status, now: () => getRunTime(model) };
			this.#graph.applyScene({ picture: graph, words: strings, run }, rowsChanged);
		}
	}

	/** Updates the visible view after it has been added to the page. */
	updateView(model: TimelineModel, rowsChanged: boolean): void {
		this.timeline.updateRows(model, rowsChanged);
		if (this.#shown) {
			const selected = this.#idle?.id ?? this.selected?.nodeId;
			// a graph that just appeared stays at its start, because the selection was usually made by the inspector
			this.#graph.showScene(selected === undefined ? [] : [selected], this.#graph.viewport.sight.width > 0);
		}
		if (this.#idle && (this.#graph.state?.nodes.get(this.#idle.id)?.rows.length ?? 0) > 0) {
			this.#selectNode(this.#idle.id);
		}
	}

	/**
	 * @param emptyMessage why there are no rows
	 * @param moments the slider over the moments of the run
	 */
	render({ strings, head, rows }: TimelineModel, emptyMessage: string, moments: unknown): unknown {
		const isGraph = this.#shown !== undefined;
		const why = this.#isWhyShown ? this.#graphReply?.why : undefined;
		const strange = isGraph ? (this.#graph.state?.strange ?? 0) : 0;
		const title = isGraph ? strings.graph : strings.timeline;
		const noMatch = this.timeline.count === 0 && this.#query !== '' && !isGraph;
		const onKeyDown = ({ key }: KeyboardEvent) => {
			const node = this.selected?.nodeId;
			if (key === 'F12' && node !== undefined) {
				this.#events.onSourceRequested(node);
			}
		};
		return html`<section class="timeline" aria-label=${title} @keydown=${onKeyDown}>
			<div class="sectionHead">
				<h2>${title}</h2>
				${isGraph ? html`<span class="dim fileName" title=${this.#graphReply?.file ?? nothing}>${this.#graphReply?.file}</span>` : this.#renderSearchBox(strings)}
				<span class="grow"></span>
				${isGraph ? this.#graph.renderZoomButtons(strings) : head.live || rows.size === 0 ? nothing : html`<span class="legend dim" title=${strings.criticalHint}><span class="bar critical" aria-hidden="true"></span>${strings.critical}</span>`}
			</div>
			${moments}
			${why === undefined ? nothing : html`<p class="dim empty">${why}</p>`}
			${strange > 0 ? html`<p class="dim empty">${fill(strings.strange, this.#graphReply?.file ?? '', strange)}</p>` : nothing}
			${isGraph ? this.#graph.element : this.timeline.element}
			${rows.size === 0 ? html`<p class="dim empty">${emptyMessage}</p>` : noMatch ? html`<p class="dim empty">${fill(strings.noMatch, this.#query)}</p>` : nothing}
		</section>`;
	}

	/** True if the graph is shown, or will be once it's loaded. */
	get #isWanted(): boolean {
		return this.#view === 'graph' && this.#graphReply?.why === undefined;
	}

	/** The graph, if it's loaded and chosen. */
	get #shown(): AgentPicture | undefined {
		return this.#isWanted ? this.#graphReply?.graph : undefined;
	}

	#renderSearchBox({ search }: InspectorStrings): unknown {
		const onInput = (event: InputEvent) => {
			this.#query = (event.target as HTMLInputElement).value;
			this.timeline.searchRows(this.#query);
			this.#events.onSearched(this.#query);
		};
		return html`<input type="search" .value=${this.#query} placeholder=${search} aria-label=${search} @input=${onInput} />`;
	}

	#toggleView(): void {
		if (this.#graphReply?.why !== undefined) {
			this.#isWhyShown = true;
		}
		this.#view = this.#isWanted ? 'timeline' : 'graph';
		this.#events.onViewChosen(this.#view);
		this.#requestGraph();
		const { selected } = this.timeline;
		if (this.#view === 'timeline' && selected !== undefined) {
			// also scrolls the row into view
			this.timeline.selectRow(selected);
		}
	}

	#requestGraph(): void {
		if (this.#view === 'graph' && this.#graphReply?.file !== undefined && !this.#graphReply.graph && this.#graphReply.why === undefined) {
			this.#events.onGraphRequested();
		}
	}

	#selectNode(id: string): void {
		const row = findGraphRow(this.#graph.state?.nodes.get(id)?.rows ?? [], this.selected);
		if (row) {
			this.timeline.selectRow(row.id);
		} else {
			this.#idle = this.#graphReply?.graph?.nodes.find(node => node.id === id);
			this.#events.onSelected();
		}
	}
}
