import { html, render } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { card } from '#agentFile/layout/geometry.ts';
import { formatDuration } from '#base/text/duration.ts';
import { fill } from '../shared/fill.ts';
import { Culling } from './drawnSet.ts';
import { renderGraph } from './graphDrawing.ts';
import type { GraphLabels } from './graphLabels.ts';
import type { GraphEvents, GraphScene } from './graphScene.ts';
import { computeGraphState, type GraphState } from './graphState.ts';
import { isInnerStart } from './layout/cardSize.ts';
import { Minimap } from './minimap.ts';
import { findNextNode } from './nextNode.ts';
import { getHandlePositions, renderNodeCard } from './nodeCard.ts';
import { PanByDrag } from './panByDrag.ts';
import type { AgentPicture, DrawnEdge, DrawnNode } from './picture/graphTypes.ts';
import { crowded, legible, Viewport } from './viewport.ts';

const none: readonly never[] = [];

/**
 * Shows an agent file's graph, optionally with a run. The graph is one tab stop: arrow keys move to the next node in their direction; plus,
 * minus and zero zoom. For screen readers, it's a list box of all nodes in file order, each with its status. Panning changes only one
 * transform, and only nodes near the visible area are rendered.
 */
export class GraphView {
	readonly element = document.createElement('div');
	readonly viewport: Viewport;
	readonly #canvas = document.createElement('div');
	readonly #world = document.createElement('div');
	readonly #events: GraphEvents;
	readonly #culling = new Culling();
	readonly #minimap: Minimap;
	readonly #drag: PanByDrag;
	#scene: GraphScene | undefined;
	#state: GraphState | undefined;
	#places = new Map<string, number>();
	#titles = new Map<string, string>();
	#selected: readonly string[] = [];

	constructor(events: GraphEvents) {
		this.#events = events;
		this.element.className = 'graph';
		this.#canvas.className = 'canvas';
		this.#canvas.tabIndex = 0;
		this.#canvas.setAttribute('role', 'listbox');
		this.#world.className = 'world';
		this.#world.setAttribute('role', 'presentation');
		this.overlay.className = 'world overlay';
		this.#canvas.append(this.#world, this.overlay);
		this.viewport = new Viewport(this.#canvas, () => this.#onViewportChange());
		this.#minimap = new Minimap(this.viewport);
		this.element.append(this.#canvas, this.#minimap.element);
		this.#drag = new PanByDrag(this.#canvas, this.viewport, event => events.onPointer?.(event) ?? false);
		this.#canvas.addEventListener('keydown', event => this.#handleKey(event));
		this.#canvas.addEventListener('click', event => this.#handleClick(event));
		this.#canvas.addEventListener('contextmenu', event => events.onMenu?.(event));
		this.#canvas.addEventListener('dblclick', event => {
			const id = findNodeId(event);
			if (id !== undefined) {
				events.onOpen(id);
			}
		});
	}

	/** The element that has the focus and handles keys. */
	get canvas(): HTMLElement {
		return this.#canvas;
	}

	/** Element that moves with the graph; gestures draw in it. */
	readonly overlay = document.createElement('div');

	/** True if the last press was a drag, so that its click is ignored. */
	get wasDragged(): boolean {
		return this.#drag.wasDragged;
	}

	set wasDragged(dragged: boolean) {
		this.#drag.wasDragged = dragged;
	}

	/** Returns the output handles of a node, as edges name them. */
	getHandles(id: string): readonly string[] {
		const node = this.findNode(id);
		return node ? getHandlePositions(node).map(([handle]) => handle) : [];
	}

	/** The states of nodes in the run, if there is one. */
	get state(): GraphState | undefined {
		return this.#state;
	}

	/** Applies a new scene. `runChanged` is false if only time has passed. */
	applyScene(scene: GraphScene, runChanged: boolean): void {
		const { picture, run } = scene;
		const before = this.#scene;
		if (!run) {
			this.#state = undefined;
		} else if (runChanged || !this.#state || picture !== before?.picture || run.status !== before.run?.status) {
			this.#state = computeGraphState(picture, run.rows, run);
		}
		this.#scene = scene;
		if (picture !== before?.picture) {
			if (picture.nodes !== before?.picture.nodes) {
				this.#places = new Map(picture.nodes.map(({ id }, at) => [id, at]));
				this.#titles = new Map(picture.nodes.filter(({ container }) => container).map(({ id, title }) => [id, title]));
			}
			this.viewport.first = this.#findFirstNode(picture);
			this.viewport.content = picture;
			this.#minimap.applyPicture(picture);
		}
		this.#minimap.applyState(this.#state);
	}

	/** Finds the node to show first: one that failed, the selected one, or the start node. */
	#findFirstNode({ nodes }: AgentPicture): DrawnNode | undefined {
		const failed = nodes.find(({ id, container }) => !container && this.#state?.nodes.get(id)?.status === 'failed');
		const start = nodes.find(({ kind, parent }) => kind === 'start' && parent === undefined);
		return failed ?? this.findNode(this.#selected.at(-1)) ?? start ?? nodes[0];
	}

	/** Renders the scene. `selected`: IDs of nodes; the last one has the focus. */
	showScene(selected: readonly string[], reveal = true): void {
		const moved = selected.join('\n') !== this.#selected.join('\n');
		this.#selected = selected;
		this.#render();
		if (moved && reveal) {
			this.revealNode(selected.at(-1));
		}
	}

	/** Scrolls a node into view. */
	revealNode(id: string | undefined): void {
		const node = this.findNode(id);
		if (node) {
			this.viewport.revealBox(node.container ? { ...node, height: card.head } : node);
		}
	}

	/** Finds a node of the picture that is shown. */
	findNode(id: string | undefined): DrawnNode | undefined {
		return id === undefined ? undefined : this.#scene?.picture.nodes[this.#places.get(id) ?? -1];
	}

	focus(): void {
		this.#canvas.focus();
	}

	/** Renders the zoom buttons. */
	renderZoomButtons({ zoomOut, zoomIn, zoomFit }: GraphLabels): unknown {
		const renderButton = (icon: string, label: string, act: () => void) =>
			html`<button type="button" class="iconButton" title=${label} aria-label=${label} @click=${act}><span class="codicon codicon-${icon}" aria-hidden="true"></span></button>`;
		return [
			renderButton('zoom-out', zoomOut, () => this.viewport.zoomBy(-1)),
			renderButton('zoom-in', zoomIn, () => this.viewport.zoomBy(1)),
			renderButton('screen-full', zoomFit, () => this.viewport.zoomToFit()),
		];
	}

	/** Applies the new transform, and renders only if nodes come into view that aren't rendered yet. */
	#onViewportChange(): void {
		const { viewport } = this;
		this.#world.style.transform = viewport.transform;
		this.overlay.style.transform = viewport.transform;
		this.#canvas.style.setProperty('--factor', String(viewport.factor));
		this.#canvas.classList.toggle('small', viewport.factor < legible);
		this.#canvas.classList.toggle('far', viewport.factor < crowded);
		this.#minimap.updateFrame();
		const picture = this.#scene?.picture;
		if (picture && !this.#culling.canReuseChoice(picture, viewport.sight, this.#selected.at(-1))) {
			this.#render();
		}
	}

	#render(): void {
		const scene = this.#scene;
		if (!scene) {
			return;
		}
		const { picture, words } = scene;
		const last = this.#selected.at(-1);
		const drawn = this.#culling.chooseDrawnSet(picture, this.viewport.sight, last);
		const place = last === undefined ? undefined : this.#places.get(last);
		this.#canvas.setAttribute('aria-label', words.graph);
		this.#canvas.classList.toggle('editable', scene.editable === true);
		this.#canvas.setAttribute('aria-multiselectable', scene.editable ? 'true' : 'false');
		if (place === undefined) {
			this.#canvas.removeAttribute('aria-activedescendant');
		} else {
			this.#canvas.setAttribute('aria-activedescendant', `node-${place}`);
		}
		const selected = new Set(this.#selected);
		const parts = {
			words,
			state: this.#state,
			editable: scene.editable === true,
			edge: scene.edge,
			values: scene.run?.values,
			findNode: (id: string | undefined) => this.findNode(id),
			renderCard: (node: DrawnNode) => this.#renderCard(node, scene, selected.has(node.id)),
		};
		render(renderGraph(drawn, picture, parts), this.#world);
	}

	#renderCard(node: DrawnNode, { words, run, faults, stops, found, editable }: GraphScene, selected: boolean): unknown {
		const { status, rows } = this.#state?.nodes.get(node.id) ?? { status: this.#state ? 'waiting' : undefined, rows: [] };
		const now = run?.now();
		const took = rows.reduce((sum, { start, end }) => sum + (end ?? now ?? start) - start, 0);
		const facts = [
			...(rows.length > 0 ? [formatDuration(took, 'exact', words)] : []),
			...(rows.length > 1 ? [fill(words.times, rows.length)] : []),
			...(rows.some(({ standIn }) => standIn === 'replayed') ? [words.replayed] : []),
		];
		const around = node.parent === undefined ? undefined : this.#titles.get(node.parent);
		const look = {
			place: this.#places.get(node.id) ?? 0,
			selected,
			status,
			facts,
			value: run?.values?.get(node.id) ?? '',
			around,
			faults: faults?.get(node.id) ?? none,
			stops: stops?.get(node.id) ?? none,
			found: found?.has(node.id) ?? false,
			editable: editable === true,
		};
		// build the templates of cards only when an input has changed, because most cards don't change
		return guard([node, words, ...Object.values({ ...look, facts: facts.join('\n') })], () => renderNodeCard(node, look, words));
	}

	#handleClick(event: MouseEvent): void {
		const id = findNodeId(event);
		if (this.#drag.wasDragged || (event.target as Element).closest('.handle.out')) {
			return;
		}
		if (id !== undefined) {
			this.#events.onSelect(id, event.shiftKey || event.ctrlKey || event.metaKey);
		} else {
			this.#events.onEdge?.(this.findEdge(event), event);
		}
	}

	/** Finds the edge at the target of an event. */
	findEdge({ target }: Event): DrawnEdge | undefined {
		const data = (target as Element).closest<SVGElement>('.edgeHit')?.parentElement?.dataset;
		return (
			data &&
			this.#scene?.picture.edges.find(
				edge => edge.source === data['source'] && edge.handle === data['exit'] && edge.target === data['target'],
			)
		);
	}

	#handleKey(event: KeyboardEvent): void {
		if (this.#events.onKey?.(event)) {
			event.preventDefault();
			return;
		}
		const nodes = this.#scene?.picture.nodes.filter(node => !isInnerStart(node)) ?? [];
		const at = this.findNode(this.#selected.at(-1));
		if (event.altKey || event.ctrlKey || event.metaKey) {
			return;
		}
		const to = findNextNode(nodes, at, event.key);
		if (to) {
			this.#events.onSelect(to.id, event.shiftKey);
		} else if (event.key === 'Enter' && at) {
			this.#events.onOpen(at.id);
		} else if (event.key === '+' || event.key === '=') {
			this.viewport.zoomBy(1);
			this.revealNode(at?.id);
		} else if (event.key === '-') {
			this.viewport.zoomBy(-1);
		} else if (event.key === '0') {
			this.viewport.zoomToFit();
		} else if (!event.key.startsWith('Arrow')) {
			return;
		}
		event.preventDefault();
	}
}

/** Finds the ID of the node at the target of an event, if the node can be selected. */
export function findNodeId({ target }: Event): string | undefined {
	const node = (target as Element | null)?.closest?.<HTMLElement>('.node');
	return node?.dataset['node'];
}
