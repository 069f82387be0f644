import { html, nothing, render, svg } from 'lit';
import type { AgentGraph, GraphEdge, GraphNode } from '../../workflows/inspector/graphTypes.ts';
import type { InspectorStrings } from '../../workflows/inspector/inspectorStrings.ts';
import { fill } from '../shared/fill.ts';
import { durationText } from './durations.ts';
import { type GraphState, graphState, type NodeState } from './graphState.ts';
import { nextNode } from './nextNode.ts';
import { statusIcon } from './statusIcon.ts';
import type { TimelineModel } from './timelineView.ts';
import { Zoom } from './zoom.ts';

/** Height of a container's head in pixels: as high as a plain node (graphLayout.ts). */
const headHeight = 48;

export interface GraphEvents {
	selected(id: string): void;
	/** The user goes on to the detail of the selected node. */
	entered(): void;
}

/**
 * The agent file's graph with what the run made of it. One stop of the Tab key; the arrow keys go to the next node in their direction, plus,
 * minus and zero zoom. A list box to a screen reader: the nodes in the order of the file, each with how it fared.
 */
export class GraphView {
	/** The scrolling element. */
	readonly element = document.createElement('div');
	readonly #events: GraphEvents;
	readonly #zoom: Zoom;
	#model: TimelineModel | undefined;
	#graph: AgentGraph | undefined;
	#state: GraphState | undefined;
	#selected: string | undefined;

	constructor(events: GraphEvents) {
		this.#events = events;
		this.element.className = 'graph';
		this.element.tabIndex = 0;
		this.element.setAttribute('role', 'listbox');
		this.element.addEventListener('keydown', event => this.#key(event));
		this.#zoom = new Zoom(this.element, () => {
			this.#render();
			this.#reveal();
		});
	}

	/** How the nodes stand, once there is a graph. */
	get state(): GraphState | undefined {
		return this.#state;
	}

	/** Takes what is to be shown; `changed` false where only time went on. */
	take(model: TimelineModel, graph: AgentGraph, changed: boolean): void {
		if (changed || !this.#state || graph !== this.#graph || model.head.live !== this.#model?.head.live) {
			this.#state = graphState(graph, model.rows.values(), model.head);
		}
		this.#model = model;
		this.#graph = graph;
		this.#zoom.content = graph;
	}

	/** Shows what was taken. `selected`: ID of a node of the graph. */
	show(selected: string | undefined): void {
		const moved = selected !== this.#selected;
		this.#selected = selected;
		this.#render();
		if (moved) {
			this.#reveal();
		}
	}

	/** Buttons that zoom. */
	tools({ zoomOut, zoomIn, zoomFit }: InspectorStrings): unknown {
		const button = (icon: string, label: string, act: () => void) =>
			html`<button type="button" class="iconButton" title=${label} aria-label=${label} @click=${act}><span class="codicon codicon-${icon}" aria-hidden="true"></span></button>`;
		return [
			button('zoom-out', zoomOut, () => this.#zoom.by(-1)),
			button('zoom-in', zoomIn, () => this.#zoom.by(1)),
			button('screen-full', zoomFit, () => this.#zoom.fit()),
		];
	}

	#render(): void {
		const [model, graph, state] = [this.#model, this.#graph, this.#state];
		if (!model || !graph || !state) {
			return;
		}
		const { factor } = this.#zoom;
		const place = graph.nodes.findIndex(({ id }) => id === this.#selected);
		this.element.setAttribute('aria-label', model.strings.graph);
		if (place >= 0) {
			this.element.setAttribute('aria-activedescendant', `node-${place}`);
		} else {
			this.element.removeAttribute('aria-activedescendant');
		}
		render(
			html`<svg role="presentation" width=${graph.width * factor} height=${graph.height * factor} viewBox="0 0 ${graph.width} ${graph.height}">
				<defs aria-hidden="true">
					${[false, true].map(
						taken =>
							svg`<marker id=${taken ? 'arrow-taken' : 'arrow'} class="arrow ${taken ? 'taken' : ''}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8Z" /></marker>`,
					)}
				</defs>
				${this.#level(undefined, graph, state, model)}
				${graph.nodes.filter(({ container }) => !container).map(node => this.#node(node, graph, state, model))}
			</svg>`,
			this.element,
		);
	}

	/** Edges, then the containers over them, then what lies in each: an edge goes behind what it does not lead to. */
	#level(parent: string | undefined, graph: AgentGraph, state: GraphState, model: TimelineModel): unknown {
		const nodes = graph.nodes.filter(node => node.parent === parent);
		const ids = new Set(nodes.map(({ id }) => id));
		const edges = graph.edges.filter(({ source }) => ids.has(source));
		return svg`<g aria-hidden="true">${edges.map(edge => edgeView(edge, state, model.strings))}</g>
			${nodes.filter(({ container }) => container).map(node => [this.#node(node, graph, state, model), this.#level(node.id, graph, state, model)])}`;
	}

	#node(node: GraphNode, graph: AgentGraph, { nodes }: GraphState, { strings, head }: TimelineModel): unknown {
		const { id, kind, title, parent, container, x, y, width, height } = node;
		if (isDot(node)) {
			return svg`<circle class="dot" aria-hidden="true" cx=${x + width / 2} cy=${y + height / 2} r="7" />`;
		}
		const { status, rows }: NodeState = nodes.get(id) ?? { status: 'waiting', rows: [] };
		const took = rows.reduce((sum, { start, end }) => sum + (end ?? (head.live ? Date.now() : start)) - start, 0);
		const facts = [
			...(rows.length > 0 ? [durationText(took, strings)] : []),
			...(rows.length > 1 ? [fill(strings.times, rows.length)] : []),
		];
		const around = graph.nodes.find(each => each.id === parent)?.title;
		const shown = [...facts, ...(kind === title ? [] : [kind])].join(' · ');
		// the name holds what is to be seen, in its order
		const words = [
			`${title} ${shown}`,
			strings.statuses[status] ?? status,
			...(around === undefined ? [] : [fill(strings.inside, around)]),
		];
		const label = words.join(', ');
		const isSelected = id === this.#selected;
		return svg`<g
			role="option"
			id="node-${graph.nodes.indexOf(node)}"
			aria-selected=${isSelected ? 'true' : 'false'}
			aria-label=${label}
			class="node ${status} ${container ? 'container' : ''} ${isSelected ? 'selected' : ''}"
			@click=${() => this.#zoom.isDragging || this.#events.selected(id)}
		>
			<title>${label}</title>
			<rect x=${x} y=${y} width=${width} height=${height} rx="4" />
			<foreignObject x=${x} y=${y} width=${width} height=${container ? headHeight : height}>
				<div class="nodeBox">
					<span class=${statusIcon(status)}></span>
					<div class="nodeWords">
						<div class="nodeTitle">${title}</div>
						<div class="dim">${shown}</div>
					</div>
				</div>
			</foreignObject>
		</g>`;
	}

	#key(event: KeyboardEvent): void {
		const nodes = this.#graph?.nodes.filter(node => !isDot(node)) ?? [];
		const at = nodes.find(({ id }) => id === this.#selected);
		if (event.altKey || event.ctrlKey || event.metaKey) {
			return;
		}
		const to = nextNode(nodes, at, event.key);
		if (to) {
			this.#events.selected(to.id);
		} else if (event.key === 'Enter' && at) {
			this.#events.entered();
		} else if (event.key === '+' || event.key === '=') {
			this.#zoom.by(1);
		} else if (event.key === '-') {
			this.#zoom.by(-1);
		} else if (event.key === '0') {
			this.#zoom.fit();
		} else if (!event.key.startsWith('Arrow')) {
			return;
		}
		event.preventDefault();
	}

	#reveal(): void {
		const node = this.#graph?.nodes.find(({ id }) => id === this.#selected);
		if (node) {
			this.#zoom.reveal(node.container ? { ...node, height: headHeight } : node);
		}
	}
}

/** The start of an iteration or loop: drawn, never chosen. */
function isDot({ kind, parent }: GraphNode): boolean {
	return parent !== undefined && kind.endsWith('-start');
}

function edgeView(edge: GraphEdge, { taken, nodes }: GraphState, strings: InspectorStrings): unknown {
	const { path, label, handle, labelAt, source, target } = edge;
	const isTaken = taken.has(edge);
	const isSkipped = !isTaken && [source, target].some(id => nodes.get(id)?.status === 'skipped');
	const word = handle === 'fail-branch' ? strings.onFailure : label;
	return svg`<path class="edge ${isTaken ? 'taken' : isSkipped ? 'skipped' : ''}" d=${path} marker-end="url(#${isTaken ? 'arrow-taken' : 'arrow'})" />
		${word === undefined ? nothing : svg`<text class="edgeWord ${isTaken ? 'taken' : ''}" x=${labelAt.x} y=${labelAt.y}>${word}</text>`}`;
}
