import { card, type Point } from '#agentFile/layout/geometry.ts';
import { fill } from '../../shared/fill.ts';
import { rowText } from '../cards/rowText.ts';
import type { GraphView } from '../graphView.ts';
import { isInnerStart } from '../layout/cardSize.ts';
import type { AddableKind, Doing, FromGraph, PageOperation } from '../picture/graphProtocol.ts';
import type { GraphStrings } from '../picture/graphStrings.ts';
import type { AgentPicture, DrawnEdge, DrawnNode } from '../picture/graphTypes.ts';
import { movedPicture, outermost, writtenPlaces } from './movedPicture.ts';
import type { Exit } from './pointerGestures.ts';
import type { Popup, PopupItem } from './popup.ts';

interface GraphActionParts {
	readonly view: GraphView;
	readonly popup: Popup;
	readonly post: (message: FromGraph) => void;
	/** Requests a change of the file. Returns its sequence number. */
	readonly ask: (doing: Doing) => number;
	readonly picture: () => AgentPicture | undefined;
	readonly selected: () => readonly string[];
	readonly strings: () => GraphStrings;
	readonly kinds: () => readonly AddableKind[];
	/** Shows the fields of the agent. */
	readonly agentForm: () => void;
}

/** Steps of the arrow keys in pixels of the canvas, without and with Shift. */
const keySteps = { usual: 20, small: 1 };

/** Actions on the graph, for keys, menus and gestures. Each sends one request to the host. */
export class GraphActions {
	readonly #parts: GraphActionParts;

	constructor(parts: GraphActionParts) {
		this.#parts = parts;
	}

	/** Returns the sequence number of the request. */
	edit(operation: PageOperation): number {
		return this.#parts.ask({ type: 'edit', operation });
	}

	delete(): void {
		const nodes = this.#parts.selected();
		if (nodes.length > 0) {
			this.edit({ do: 'delete', nodes });
		}
	}

	duplicate(): void {
		const nodes = this.#chosen();
		if (nodes.length > 0) {
			this.edit({ do: 'duplicate', nodes });
		}
	}

	wrap(container: 'iteration' | 'loop'): void {
		const nodes = this.#chosen();
		if (nodes.length > 0) {
			this.edit({ do: 'wrap', nodes, container });
		}
	}

	copy(cut: boolean): void {
		const nodes = this.#chosen();
		if (nodes.length > 0) {
			this.#parts.ask({ type: 'copy', nodes, cut });
		}
	}

	/** Pastes nodes at a point of the canvas, into the container there. */
	paste(at?: Point): void {
		const place = at && this.#level(at);
		this.#parts.ask({ type: 'paste', ...(place ?? {}) });
	}

	/** Moves the selected nodes with an arrow key. */
	nudge(key: string, small: boolean): void {
		const picture = this.#parts.picture();
		const step = small ? keySteps.small : keySteps.usual;
		const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[key] ?? [0, 0];
		const ids = picture ? this.#chosen() : [];
		if (picture && ids.length > 0 && dx !== undefined && dy !== undefined) {
			this.edit({ do: 'move', nodes: writtenPlaces(movedPicture(picture, ids, dx, dy), ids) });
		}
	}

	/** Asks for the type of a node to add: after an output handle, on an edge, or at a point of the canvas. */
	add(where: { readonly behind?: Exit; readonly before?: string; readonly at?: Point }, window: Point = this.#middle()): void {
		const { popup, kinds, strings } = this.#parts;
		const { behind, before, at } = where;
		const place = at ? this.#level(at) : {};
		const items = kinds().map(
			({ type, title, help, icon }): PopupItem => ({
				label: title,
				detail: help,
				icon,
				act: () => void this.edit({ do: 'add', type, ...(behind ? { behind } : place), ...(before === undefined ? {} : { before }) }),
			}),
		);
		popup.ask({ label: strings().search, items, at: window });
	}

	/** Adds a node after the selected one, or in the middle if none is selected. */
	addHere(): void {
		const node = this.#node();
		if (!node) {
			const { x, y, width, height } = this.#parts.view.viewport.sight;
			this.add({ at: { x: x + width / 2, y: y + height / 2 } });
			return;
		}
		this.#askExit(node, behind => this.add({ behind }, this.#beside(node)));
	}

	/** Asks for the node to connect the selected one to. */
	connect(): void {
		const node = this.#node();
		if (node) {
			this.#askExit(node, from => {
				const { popup, picture, strings } = this.#parts;
				const items = (picture()?.nodes ?? [])
					.filter(each => each.parent === node.parent && each.id !== node.id && !isInnerStart(each) && !isBeginning(each))
					.map(
						(each): PopupItem => ({
							label: each.title,
							detail: each.kind,
							icon: each.icon,
							act: () => void this.edit({ do: 'connect', from, target: each.id }),
						}),
					);
				popup.ask({ label: fill(strings().connectTo, node.title), items, at: this.#beside(node) });
			});
		}
	}

	/** Asks which edge of the selected node to remove. */
	disconnect(): void {
		const node = this.#node();
		const { picture, popup, strings } = this.#parts;
		const edges = (picture()?.edges ?? []).filter(({ source, target }) => source === node?.id || target === node?.id);
		if (node && edges.length > 0) {
			popup.ask({
				label: strings().disconnect,
				items: edges.map(edge => ({ label: this.edgeName(edge), act: () => this.cut(edge) })),
				at: this.#beside(node),
			});
		}
	}

	/** Removes an edge. */
	cut({ source, handle, target }: Pick<DrawnEdge, 'source' | 'handle' | 'target'>): void {
		this.edit({ do: 'disconnect', from: { node: source, handle }, target });
	}

	rename(): void {
		const node = this.#node();
		if (node) {
			const { popup, strings } = this.#parts;
			popup.ask({
				label: fill(strings().renameOf, node.title),
				text: {
					value: node.id,
					take: id => void (id !== node.id && id.trim() !== '' && this.edit({ do: 'rename', node: node.id, id: id.trim() })),
				},
				at: this.#beside(node),
			});
		}
	}

	/** Toggles a breakpoint on the selected node. */
	toggleBreakpoint(): void {
		const node = this.#node();
		if (node) {
			this.#parts.post({ type: 'onNode', action: 'toggleBreakpoint', node: node.id });
		}
	}

	/** Opens the menu of the selected node, or of the canvas if none is selected. */
	menu(at?: Point): void {
		const node = this.#node();
		const { popup, strings, post } = this.#parts;
		const words = strings();
		const item = (label: string, icon: string, keys: string, act: () => void): PopupItem => ({ label, icon, keys, act });
		const onCanvas = at && this.#parts.view.viewport.at({ clientX: at.x, clientY: at.y });
		const ofNode = node
			? [
					item(words.goToText, 'go-to-file', 'Enter', () => post({ type: 'reveal', node: node.id })),
					item(fill(words.addBehind, node.title), 'add', 'A', () => this.addHere()),
					item(words.connect, 'type-hierarchy-sub', 'C', () => this.connect()),
					item(words.disconnect, 'debug-disconnect', 'D', () => this.disconnect()),
					item(words.rename, 'edit', 'F2', () => this.rename()),
					item(words.duplicate, 'files', 'Ctrl+D', () => this.duplicate()),
					item(words.copy, 'copy', 'Ctrl+C', () => this.copy(false)),
					item(words.cut, 'remove', 'Ctrl+X', () => this.copy(true)),
					item(words.toggleBreakpoint, 'debug-breakpoint', 'F9', () => post({ type: 'onNode', action: 'toggleBreakpoint', node: node.id })),
					item(words.runNode, 'play', '', () => post({ type: 'onNode', action: 'run', node: node.id })),
					item(words.runFromNode, 'debug-rerun', '', () => post({ type: 'onNode', action: 'runFrom', node: node.id })),
					item(words.pinNode, 'pin', '', () => post({ type: 'onNode', action: 'pin', node: node.id })),
					item(words.unpinNode, 'pinned', '', () => post({ type: 'onNode', action: 'unpin', node: node.id })),
					item(words.wrapIteration, 'list-ordered', '', () => this.wrap('iteration')),
					item(words.wrapLoop, 'sync', '', () => this.wrap('loop')),
					item(words.delete, 'trash', 'Del', () => this.delete()),
				]
			: [
					item(words.add, 'add', 'A', () => this.add(onCanvas ? { at: onCanvas } : {}, at)),
					item(words.agentForm, 'symbol-variable', '', () => this.#parts.agentForm()),
				];
		const items = [
			...ofNode,
			item(words.paste, 'clippy', 'Ctrl+V', () => this.paste(onCanvas)),
			item(words.arrange, 'layout', '', () => void this.edit({ do: 'arrange' })),
			item(words.export, 'export', '', () => post({ type: 'export' })),
		];
		popup.ask({ label: node?.title ?? words.edit, items, at: at ?? (node ? this.#beside(node) : this.#middle()) });
	}

	/** Opens the menu of an edge. */
	edgeMenu(edge: DrawnEdge, at: Point): void {
		const { popup, strings } = this.#parts;
		const { source: node, handle, target } = edge;
		popup.ask({
			label: this.edgeName(edge),
			items: [
				{ label: strings().add, icon: 'add', act: () => this.add({ behind: { node, handle }, before: target }, at) },
				{ label: strings().disconnect, icon: 'debug-disconnect', keys: 'Del', act: () => this.cut(edge) },
			],
			at,
		});
	}

	edgeName({ source, target, label }: DrawnEdge): string {
		const { view, strings } = this.#parts;
		const titles = [source, target].map(id => view.node(id)?.title ?? id);
		return label === undefined ? fill(strings().edge, ...titles) : fill(strings().edgeOfBranch, ...titles, label);
	}

	#askExit(node: DrawnNode, take: (from: Exit) => void): void {
		const { popup, strings } = this.#parts;
		const words = strings();
		const exits = this.#parts.view.exits(node.id);
		const [only, second] = exits;
		if (only !== undefined && second === undefined) {
			take({ node: node.id, handle: only });
		} else if (exits.length > 0) {
			const items = exits.map((handle): PopupItem => {
				const row = node.rows.find(each => each.handle === handle);
				const label = row ? [row.head, rowText(row, words)].filter(Boolean).join(' ') : words.plainExit;
				return { label: label || handle, act: () => take({ node: node.id, handle }) };
			});
			popup.ask({ label: fill(words.exit, node.title), items, at: this.#beside(node) });
		}
	}

	/** Converts a point of the canvas to a position in the innermost container there. */
	#level(at: Point): { readonly at: Point; readonly parent?: string } {
		const containers = (this.#parts.picture()?.nodes ?? []).filter(
			({ container, x, y, width, height }) => container && x <= at.x && at.x <= x + width && y + card.head <= at.y && at.y <= y + height,
		);
		const inner = containers.at(-1);
		const place = { x: Math.round(at.x - (inner?.x ?? 0)), y: Math.round(at.y - (inner?.y ?? 0)) };
		return inner ? { at: place, parent: inner.id } : { at: place };
	}

	#chosen(): readonly string[] {
		const picture = this.#parts.picture();
		return picture ? outermost(picture, this.#parts.selected()) : [];
	}

	#node(): DrawnNode | undefined {
		return this.#parts.view.node(this.#parts.selected().at(-1));
	}

	#beside({ x, y, width }: DrawnNode): Point {
		return this.#parts.view.viewport.inWindow({ x: x + width, y: y + card.head });
	}

	#middle(): Point {
		const { left, top, width, height } = this.#parts.view.canvas.getBoundingClientRect();
		return { x: left + width / 3, y: top + height / 4 };
	}
}

function isBeginning({ role, parent }: DrawnNode): boolean {
	return parent === undefined && role === 'start';
}
