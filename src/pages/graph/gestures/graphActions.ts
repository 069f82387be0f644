import { card, type Point } from '#agentFile/layout/geometry.ts';
import { getOwnField } from '#base/records/ownField.ts';
import { fill } from '../../shared/fill.ts';
import { getRowText } from '../cards/rowText.ts';
import type { GraphView } from '../graphView.ts';
import type { AddableKind, Doing, FromGraph, PageOperation } from '../picture/graphProtocol.ts';
import type { GraphStrings } from '../picture/graphStrings.ts';
import type { AgentPicture, DrawnEdge, DrawnNode } from '../picture/graphTypes.ts';
import { formatTarget, listConnectTargets } from './connectTargets.ts';
import { createItem, createNodeMenu, createRunItems } from './graphMenu.ts';
import { findOutermostNodes, getPositionsToWrite, movePicture } from './movedPicture.ts';
import type { Exit } from './pointerGestures.ts';
import type { Popup, PopupItem } from './popup.ts';

interface GraphActionParts {
	readonly view: GraphView;
	readonly popup: Popup;
	readonly post: (message: FromGraph) => void;
	/** Requests a change of the file. Returns its sequence number. */
	readonly sendRequest: (doing: Doing) => number;
	readonly getPicture: () => AgentPicture | undefined;
	readonly getSelected: () => readonly string[];
	readonly getStrings: () => GraphStrings;
	readonly getKinds: () => readonly AddableKind[];
	/** Shows the fields of the agent. */
	readonly showAgentForm: () => void;
}

/** Steps of the arrow keys in pixels of the canvas, without and with Shift. */
const keySteps = { usual: 20, small: 1 };

/** Actions on the graph for keys, menus and gestures. Each sends one request to the host. */
export class GraphActions {
	readonly #parts: GraphActionParts;

	constructor(parts: GraphActionParts) {
		this.#parts = parts;
	}

	/** Requests an edit. Returns the sequence number of the request. */
	requestEdit(operation: PageOperation): number {
		return this.#parts.sendRequest({ type: 'edit', operation });
	}

	deleteSelected(): void {
		const nodes = this.#parts.getSelected();
		if (nodes.length > 0) {
			this.requestEdit({ do: 'delete', nodes });
		}
	}

	duplicateSelected(): void {
		const nodes = this.#getOutermostSelected();
		if (nodes.length > 0) {
			this.requestEdit({ do: 'duplicate', nodes });
		}
	}

	wrapSelected(container: 'iteration' | 'loop'): void {
		const nodes = this.#getOutermostSelected();
		if (nodes.length > 0) {
			this.requestEdit({ do: 'wrap', nodes, container });
		}
	}

	copySelected(cut: boolean): void {
		const nodes = this.#getOutermostSelected();
		if (nodes.length > 0) {
			this.#parts.sendRequest({ type: 'copy', nodes, cut });
		}
	}

	/** Pastes nodes at a point of the canvas, into the container there. */
	pasteNodes(at?: Point): void {
		const place = at && this.#toLevelPosition(at);
		this.#parts.sendRequest({ type: 'paste', ...(place ?? {}) });
	}

	/** Moves the selected nodes with an arrow key. */
	nudgeSelected(key: string, small: boolean): void {
		const picture = this.#parts.getPicture();
		const step = small ? keySteps.small : keySteps.usual;
		const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[key] ?? [0, 0];
		const ids = picture ? this.#getOutermostSelected() : [];
		if (picture && ids.length > 0 && dx !== undefined && dy !== undefined) {
			this.requestEdit({ do: 'move', nodes: getPositionsToWrite(movePicture(picture, ids, dx, dy), ids) });
		}
	}

	/** Asks for the type of a node to add: after an output handle, on an edge, or at a point of the canvas. */
	addNode(where: { readonly behind?: Exit; readonly before?: string; readonly at?: Point }, window: Point = this.#getCenterPoint()): void {
		const { popup, getKinds, getStrings } = this.#parts;
		const { behind, before, at } = where;
		const place = at ? this.#toLevelPosition(at) : {};
		const items = getKinds().map(
			({ type, title, help, icon }): PopupItem => ({
				label: title,
				detail: help,
				icon,
				words: type.replaceAll('-', ' '),
				act: () =>
					void this.requestEdit({ do: 'add', type, ...(behind ? { behind } : place), ...(before === undefined ? {} : { before }) }),
			}),
		);
		popup.openPopup({ label: getStrings().search, items, at: window });
	}

	/** Adds a node after the selected one, or in the middle if none is selected. */
	addNodeAfterSelected(): void {
		const node = this.#getNode();
		if (!node) {
			const { x, y, width, height } = this.#parts.view.viewport.sight;
			this.addNode({ at: { x: x + width / 2, y: y + height / 2 } });
			return;
		}
		this.#chooseHandle(node, behind => this.addNode({ behind }, this.#getPointNextToNode(node)));
	}

	/** Asks for the node to connect the selected one to. */
	connectSelected(): void {
		const node = this.#getNode();
		if (node) {
			this.#chooseHandle(node, from => {
				const { popup, getPicture, getStrings } = this.#parts;
				const picture = getPicture();
				const targets = picture ? listConnectTargets(picture, node, from.handle) : [];
				const items = targets.map(
					(each): PopupItem => ({
						label: each.title,
						detail: formatTarget(each, targets, getOwnField(getStrings().types, each.kind) ?? each.kind),
						icon: each.icon,
						act: () => void this.requestEdit({ do: 'connect', from, target: each.id }),
					}),
				);
				popup.openPopup({ label: fill(getStrings().connectTo, node.title), items, at: this.#getPointNextToNode(node) });
			});
		}
	}

	/** Asks which edge of the selected node to remove. */
	disconnectSelected(): void {
		const node = this.#getNode();
		const { getPicture, popup, getStrings } = this.#parts;
		const edges = (getPicture()?.edges ?? []).filter(({ source, target }) => source === node?.id || target === node?.id);
		if (node && edges.length > 0) {
			popup.openPopup({
				label: getStrings().disconnect,
				items: edges.map(edge => ({ label: this.formatEdge(edge), act: () => this.removeEdge(edge) })),
				at: this.#getPointNextToNode(node),
			});
		}
	}

	/** Removes an edge. */
	removeEdge({ source, handle, target }: Pick<DrawnEdge, 'source' | 'handle' | 'target'>): void {
		this.requestEdit({ do: 'disconnect', from: { node: source, handle }, target });
	}

	renameSelected(): void {
		const node = this.#getNode();
		if (node) {
			const { popup, getStrings } = this.#parts;
			popup.openPopup({
				label: fill(getStrings().renameOf, node.title),
				text: {
					value: node.id,
					take: id => void (id !== node.id && id.trim() !== '' && this.requestEdit({ do: 'rename', node: node.id, id: id.trim() })),
				},
				at: this.#getPointNextToNode(node),
			});
		}
	}

	/** Runs the selected node, or toggles its breakpoint. */
	actOnSelected(action: 'run' | 'toggleBreakpoint'): void {
		const node = this.#getNode();
		if (node) {
			this.#parts.post({ type: 'onNode', action, node: node.id });
		}
	}

	/** Opens the menu of the selected node, or of the canvas if none is selected. */
	openMenu(at?: Point): void {
		const node = this.#getNode();
		const { popup, getStrings, post } = this.#parts;
		const words = getStrings();
		const onCanvas = at && this.#parts.view.viewport.toCanvasPoint({ clientX: at.x, clientY: at.y });
		const items = [
			...(node
				? createNodeMenu(node, this, words, post)
				: [createItem(words.add, 'add', 'A', () => this.addNode(onCanvas ? { at: onCanvas } : {}, at)), ...this.#createFileItems()]),
			createItem(words.paste, 'clippy', 'Ctrl+V', () => this.pasteNodes(onCanvas)),
			createItem(words.arrange, 'layout', '', () => void this.requestEdit({ do: 'arrange' })),
			...createRunItems(words, post),
		];
		popup.openPopup({
			label: node?.title ?? words.edit,
			items,
			at: at ?? (node ? this.#getPointNextToNode(node) : this.#getCenterPoint()),
		});
	}

	/** Opens the toolbar's menu of rarely used actions. */
	openMoreMenu(at: Point): void {
		const { popup, getStrings } = this.#parts;
		popup.openPopup({ label: getStrings().more, items: this.#createFileItems(), at });
	}

	#createFileItems(): readonly PopupItem[] {
		const { getStrings, post, showAgentForm } = this.#parts;
		const words = getStrings();
		return [
			createItem(words.agentForm, 'symbol-variable', '', showAgentForm),
			createItem(words.openText, 'go-to-file', '', () => post({ type: 'openText' })),
			createItem(words.export, 'export', '', () => post({ type: 'export' })),
		];
	}

	/** Opens the menu of an edge. */
	openEdgeMenu(edge: DrawnEdge, at: Point): void {
		const { popup, getStrings } = this.#parts;
		const { source: node, handle, target } = edge;
		popup.openPopup({
			label: this.formatEdge(edge),
			items: [
				{ label: getStrings().add, icon: 'add', act: () => this.addNode({ behind: { node, handle }, before: target }, at) },
				{ label: getStrings().disconnect, icon: 'debug-disconnect', keys: 'Del', act: () => this.removeEdge(edge) },
			],
			at,
		});
	}

	formatEdge({ source, target, label }: DrawnEdge): string {
		const { view, getStrings } = this.#parts;
		const titles = [source, target].map(id => view.findNode(id)?.title ?? id);
		return label === undefined ? fill(getStrings().edge, ...titles) : fill(getStrings().edgeOfBranch, ...titles, label);
	}

	#chooseHandle(node: DrawnNode, take: (from: Exit) => void): void {
		const { popup, getStrings } = this.#parts;
		const words = getStrings();
		const exits = this.#parts.view.getHandles(node.id);
		const [only, second] = exits;
		if (only !== undefined && second === undefined) {
			take({ node: node.id, handle: only });
		} else if (exits.length > 0) {
			const items = exits.map((handle): PopupItem => {
				const row = node.rows.find(each => each.handle === handle);
				const label = row ? [row.head, getRowText(row, words)].filter(Boolean).join(' ') : words.plainExit;
				return { label: label || handle, act: () => take({ node: node.id, handle }) };
			});
			popup.openPopup({ label: fill(words.exit, node.title), items, at: this.#getPointNextToNode(node) });
		}
	}

	/** Converts a point of the canvas to a position in the innermost container there. */
	#toLevelPosition(at: Point): { readonly at: Point; readonly parent?: string } {
		const containers = (this.#parts.getPicture()?.nodes ?? []).filter(
			({ container, x, y, width, height }) => container && x <= at.x && at.x <= x + width && y + card.head <= at.y && at.y <= y + height,
		);
		const inner = containers.at(-1);
		const place = { x: Math.round(at.x - (inner?.x ?? 0)), y: Math.round(at.y - (inner?.y ?? 0)) };
		return inner ? { at: place, parent: inner.id } : { at: place };
	}

	#getOutermostSelected(): readonly string[] {
		const picture = this.#parts.getPicture();
		return picture ? findOutermostNodes(picture, this.#parts.getSelected()) : [];
	}

	#getNode(): DrawnNode | undefined {
		return this.#parts.view.findNode(this.#parts.getSelected().at(-1));
	}

	#getPointNextToNode({ x, y, width }: DrawnNode): Point {
		return this.#parts.view.viewport.toWindowPoint({ x: x + width, y: y + card.head });
	}

	#getCenterPoint(): Point {
		const { left, top, width, height } = this.#parts.view.canvas.getBoundingClientRect();
		return { x: left + width / 3, y: top + height / 4 };
	}
}
