import { html, nothing, svg } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { fill } from '../shared/fill.ts';
import type { DrawnSet } from './drawnSet.ts';
import type { GraphLabels } from './graphLabels.ts';
import type { GraphState } from './graphState.ts';
import { formatEdgePath } from './layout/cardSize.ts';
import type { AgentPicture, DrawnEdge, DrawnNode, DrawnNote, LooseEdge } from './picture/graphTypes.ts';

interface DrawingParts {
	readonly words: GraphLabels;
	readonly state: GraphState | undefined;
	readonly editable: boolean;
	/** The selected edge. */
	readonly edge: DrawnEdge | undefined;
	/** One-line previews of the outputs of nodes in the shown run, by node ID. */
	readonly values: ReadonlyMap<string, string> | undefined;
	/** Finds a node of the picture. */
	findNode(id: string | undefined): DrawnNode | undefined;
	renderCard(node: DrawnNode): unknown;
}

/** Renders a graph: notes at the back, then each level with its edges below the containers they lead to, and nodes in front. */
export function renderGraph({ nodes, edges, notes }: DrawnSet, { loose }: AgentPicture, parts: DrawingParts): unknown {
	const depths = computeNodeDepths(nodes, parts);
	const containers = nodes.filter(({ container }) => container);
	const levels = Math.max(0, ...depths.values()) + 1;
	const getDepth = (id: string) => depths.get(id) ?? 0;
	return html`<svg class="markers" role="presentation" aria-hidden="true"><defs>${[false, true].map(
		taken =>
			svg`<marker id=${taken ? 'arrow-taken' : 'arrow'} class="arrow ${taken ? 'taken' : ''}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8Z" /></marker>`,
	)}</defs></svg>
			${repeat(notes, ({ id }) => id, renderNote)}
			${loose.length === 0 ? nothing : html`<svg class="edges" role="presentation" aria-hidden="true">${loose.map(edge => renderLooseEdge(edge, parts.words))}</svg>`}
			${Array.from({ length: levels }, (_, level) => [
				renderEdges(
					edges.filter(({ source }) => getDepth(source) === level),
					parts,
				),
				repeat(
					containers.filter(({ id }) => getDepth(id) === level),
					({ id }) => id,
					node => parts.renderCard(node),
				),
			])}
			${repeat(
				nodes.filter(({ container }) => !container),
				({ id }) => id,
				node => parts.renderCard(node),
			)}`;
}

/** Returns the nesting depth of each rendered node and of the sources of edges. */
function computeNodeDepths(nodes: readonly DrawnNode[], { findNode }: DrawingParts): ReadonlyMap<string, number> {
	const countContainers = (node: DrawnNode | undefined, left: number): number =>
		node?.parent === undefined || left === 0 ? 0 : 1 + countContainers(findNode(node.parent), left - 1);
	return new Map(nodes.map(node => [node.id, countContainers(node, 20)]));
}

/** Renders edges below the containers of their level and above the container around them. */
function renderEdges(edges: readonly DrawnEdge[], { editable, edge: chosen, state, values }: DrawingParts): unknown {
	return edges.length === 0
		? nothing
		: html`<svg class="edges" role="presentation" aria-hidden="true">${repeat(
				edges,
				({ source, handle, target }) => `${source}\n${handle}\n${target}`,
				edge => renderEdge(edge, state, editable, isSameEdge(edge, chosen), values?.get(edge.source)),
			)}</svg>`;
}

function renderNote({ id, theme, x, y, width, height, text }: DrawnNote): unknown {
	return html`<div class="note ${theme.replace(/\W/g, '')}" role="presentation" data-note=${id} style="transform:translate(${x}px,${y}px);width:${width}px;height:${height}px" aria-hidden="true">${text}</div>`;
}

/** True if both are the same edge in the file. */
export function isSameEdge(edge: DrawnEdge, other: DrawnEdge | undefined): boolean {
	return edge.source === other?.source && edge.target === other.target && edge.handle === other.handle;
}

/** Renders a short stub of an edge whose target doesn't exist, labeled with the target's ID. */
function renderLooseEdge({ from: { x, y }, target }: LooseEdge, words: GraphLabels): unknown {
	return svg`<path class="edge loose" d="M${x} ${y}H${x + 28}" /><text class="looseWord" x=${x + 32} y=${y + 4}>${fill(words.missing, target)}</text>`;
}

/** Renders an edge. If the run took it, its tooltip is what its source put out. */
function renderEdge(edge: DrawnEdge, state: GraphState | undefined, editable: boolean, chosen: boolean, value = ''): unknown {
	const { source, target, handle } = edge;
	const isTaken = state?.taken.has(edge) ?? false;
	const isSkipped = state !== undefined && !isTaken && [source, target].some(id => state.nodes.get(id)?.status === 'skipped');
	const path = formatEdgePath(edge);
	const kind = `${isTaken ? 'taken' : isSkipped ? 'skipped' : ''} ${handle === 'fail-branch' ? 'failure' : ''} ${chosen ? 'chosen' : ''}`;
	return svg`<g data-source=${source} data-exit=${handle} data-target=${target}>${isTaken && value !== '' ? svg`<title>${value}</title>` : nothing}
		${editable ? svg`<path class="edgeHit" d=${path} />` : nothing}
		<path class="edge ${kind}" d=${path} marker-end="url(#${isTaken ? 'arrow-taken' : 'arrow'})" />
	</g>`;
}
