import { html, nothing } from 'lit';
import { ownField } from '#base/records/ownField.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';
import { findGraphRow } from '../../graph/graphState.ts';
import { GraphView } from '../../graph/graphView.ts';
import type { AgentPicture, DrawnNode } from '../../graph/picture/graphTypes.ts';
import { fill } from '../../shared/fill.ts';
import type { GraphToggle } from '../headerView.ts';
import type { FromInspectorHost, NodesView } from '../inspectorMessages.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';
import { nowOf } from './runClock.ts';
import { type TimelineModel, TimelineView } from './timelineView.ts';

interface NodesPaneEvents {
	/** A row, or a node of the graph that has none, is selected now. */
	selected(): void;
	entered(): void;
	/** A node, by its ID, is to be shown in its agent file. */
	source(id: string): void;
	collapsedChanged(ids: readonly string[]): void;
	searched(query: string): void;
	/** The user chose a view. */
	chose(view: NodesView): void;
	/** The graph is to be shown and was not fetched yet. */
	graphWanted(): void;
}

/** What the pane begins with. */
interface KeptOfNodes {
	readonly collapsed: readonly string[];
	readonly query: string;
	readonly view: NodesView | undefined;
}

/** The nodes of the run: the timeline, or the graph of the agent file. Both show the same selection. */
export class NodesPane {
	readonly timeline: TimelineView;
	readonly #graph: GraphView;
	readonly #events: NodesPaneEvents;
	#query: string;
	/** What the user wants to see; `undefined` until the host says what was chosen last. */
	#view: NodesView | undefined;
	#told: Omit<Extract<FromInspectorHost, { type: 'graph' }>, 'type'> | undefined;
	/** The user asked for a graph that is not there. */
	#isWhyShown = false;
	/** Selected node of the graph that has no row. */
	#idle: DrawnNode | undefined;
	#model: TimelineModel | undefined;

	constructor(events: NodesPaneEvents, { collapsed, query, view }: KeptOfNodes) {
		this.#events = events;
		this.#query = query;
		this.#view = view;
		this.timeline = new TimelineView(
			{
				selected: () => {
					this.#idle = undefined;
					events.selected();
				},
				entered: events.entered,
				source: events.source,
				collapsedChanged: events.collapsedChanged,
			},
			collapsed,
		);
		if (query) {
			this.timeline.search(query);
		}
		this.#graph = new GraphView({ onSelect: id => this.#selectNode(id), onOpen: () => events.entered() });
	}

	/** The row that is selected. */
	get selected(): TimelineRow | undefined {
		return this.#idle ? undefined : this.#model?.rows.get(this.timeline.selected ?? '');
	}

	/** What is said of a selected node that has no row. */
	idleWord({ idle, statuses, noSelection }: InspectorStrings): string {
		const status = this.#graph.state?.nodes.get(this.#idle?.id ?? '')?.status;
		return this.#idle && status ? fill(idle, this.#idle.title, ownField(statuses, status) ?? status) : noSelection;
	}

	get toggle(): GraphToggle {
		return {
			pressed: this.#isWanted,
			why: this.#told?.why,
			toggle: () => this.#toggle(),
		};
	}

	/** Takes the view that was chosen last in any inspector, where none was chosen in this one. */
	begin(view: NodesView): void {
		this.#view ??= view;
	}

	/** Another run takes this one's place. */
	leave(): void {
		this.#query = '';
		this.#told = undefined;
		this.#isWhyShown = false;
		this.#idle = undefined;
		this.timeline.leave();
	}

	/** Takes what the host says of the graph. */
	take(told: Omit<Extract<FromInspectorHost, { type: 'graph' }>, 'type'>): void {
		const graph = told.graph ?? (told.why === undefined && told.file === this.#told?.file ? this.#told?.graph : undefined);
		this.#told = { ...told, ...(graph ? { graph } : {}) };
		this.#askForGraph();
	}

	/** Takes how the run stands now; `rowsChanged` false where only time went on. */
	receive(model: TimelineModel, rowsChanged: boolean): void {
		this.#model = model;
		const graph = this.#shown;
		if (graph) {
			const { head, rows, strings } = model;
			const run = { rows: rows.values(), live: head.live, status: head.status, now: () => nowOf(head) };
			this.#graph.applyScene({ picture: graph, words: strings, run }, rowsChanged);
		}
	}

	/** Fills the view that is shown, after it is in the page. */
	update(model: TimelineModel, rowsChanged: boolean): void {
		this.timeline.update(model, rowsChanged);
		if (this.#shown) {
			const selected = this.#idle?.id ?? this.selected?.nodeId;
			// one that comes into the page begins as the agent does: what is selected then is mostly what the inspector chose by itself
			this.#graph.show(selected === undefined ? [] : [selected], this.#graph.viewport.sight.width > 0);
		}
		if (this.#idle && (this.#graph.state?.nodes.get(this.#idle.id)?.rows.length ?? 0) > 0) {
			this.#selectNode(this.#idle.id);
		}
	}

	/** The pane; `emptyWord`: why there are no rows. */
	view({ strings, head, rows }: TimelineModel, emptyWord: string): unknown {
		const isGraph = this.#shown !== undefined;
		const why = this.#isWhyShown ? this.#told?.why : undefined;
		const strange = isGraph ? (this.#graph.state?.strange ?? 0) : 0;
		const title = isGraph ? strings.graph : strings.timeline;
		const noMatch = this.timeline.count === 0 && this.#query !== '' && !isGraph;
		return html`<section class="timeline" aria-label=${title}>
			<div class="sectionHead">
				<h2>${title}</h2>
				${isGraph ? html`<span class="dim fileName" title=${this.#told?.file ?? nothing}>${this.#told?.file}</span>` : this.#searchBox(strings)}
				<span class="grow"></span>
				${isGraph ? this.#graph.renderZoomButtons(strings) : head.live || rows.size === 0 ? nothing : html`<span class="legend dim" title=${strings.criticalHint}><span class="bar critical" aria-hidden="true"></span>${strings.critical}</span>`}
			</div>
			${why === undefined ? nothing : html`<p class="dim empty">${why}</p>`}
			${strange > 0 ? html`<p class="dim empty">${fill(strings.strange, this.#told?.file ?? '', strange)}</p>` : nothing}
			${isGraph ? this.#graph.element : this.timeline.element}
			${rows.size === 0 ? html`<p class="dim empty">${emptyWord}</p>` : noMatch ? html`<p class="dim empty">${fill(strings.noMatch, this.#query)}</p>` : nothing}
		</section>`;
	}

	/** Whether the graph is shown, or will be once it is read. */
	get #isWanted(): boolean {
		return this.#view === 'graph' && this.#told?.why === undefined;
	}

	/** The graph, where it is there and wanted. */
	get #shown(): AgentPicture | undefined {
		return this.#isWanted ? this.#told?.graph : undefined;
	}

	#searchBox({ search }: InspectorStrings): unknown {
		const input = (event: InputEvent) => {
			this.#query = (event.target as HTMLInputElement).value;
			this.timeline.search(this.#query);
			this.#events.searched(this.#query);
		};
		return html`<input type="search" .value=${this.#query} placeholder=${search} aria-label=${search} @input=${input} />`;
	}

	#toggle(): void {
		if (this.#told?.why !== undefined) {
			this.#isWhyShown = true;
		}
		this.#view = this.#isWanted ? 'timeline' : 'graph';
		this.#events.chose(this.#view);
		this.#askForGraph();
		const { selected } = this.timeline;
		if (this.#view === 'timeline' && selected !== undefined) {
			// in sight again
			this.timeline.select(selected);
		}
	}

	#askForGraph(): void {
		if (this.#view === 'graph' && this.#told?.file !== undefined && !this.#told.graph && this.#told.why === undefined) {
			this.#events.graphWanted();
		}
	}

	#selectNode(id: string): void {
		const row = findGraphRow(this.#graph.state?.nodes.get(id)?.rows ?? [], this.selected);
		if (row) {
			this.timeline.select(row.id);
		} else {
			this.#idle = this.#told?.graph?.nodes.find(node => node.id === id);
			this.#events.selected();
		}
	}
}
