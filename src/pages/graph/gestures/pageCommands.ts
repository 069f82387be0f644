import { findNodeId, type GraphView } from '../graphView.ts';
import { isInnerStart } from '../layout/cardSize.ts';
import type { PageSelection } from '../pageSelection.ts';
import type { AgentPicture, DrawnEdge } from '../picture/graphTypes.ts';
import type { GraphActions } from './graphActions.ts';
import { handleGestureKey } from './graphKeys.ts';
import type { PointerGestures } from './pointerGestures.ts';
import type { TypeAhead } from './typeAhead.ts';

interface PageCommandParts {
	readonly view: GraphView;
	readonly actions: GraphActions;
	readonly gestures: PointerGestures;
	readonly selection: PageSelection;
	readonly typeAhead: TypeAhead;
	getPicture(): AgentPicture | undefined;
	isEditable(): boolean;
	/** Requests undo or redo. Returns false if the editor handles it itself, as a custom editor does. */
	undo(type: 'undo' | 'redo'): boolean;
	select(nodes: readonly string[]): void;
	chooseEdge(edge: DrawnEdge | undefined): void;
}

/** Handles the keys and menus of the graph. */
export class PageCommands {
	readonly #parts: PageCommandParts;

	constructor(parts: PageCommandParts) {
		this.#parts = parts;
	}

	/** Handles a key. Returns false for a key that isn't used. */
	handleKey(event: KeyboardEvent): boolean {
		const { actions, gestures, selection, typeAhead, getPicture: picture, isEditable: editable, undo, select, chooseEdge } = this.#parts;
		if (typeAhead.queueKey(event)) {
			return true;
		}
		const command = event.ctrlKey || event.metaKey;
		const key = event.key.toLowerCase();
		if (command && key === 'a') {
			select(
				picture()
					?.nodes.filter(node => !isInnerStart(node))
					.map(({ id }) => id) ?? [],
			);
			return true;
		}
		if (command && (key === 'z' || key === 'y') && undo(key === 'y' || event.shiftKey ? 'redo' : 'undo')) {
			return true;
		}
		if (event.key === 'Escape') {
			gestures.cancelGesture();
			chooseEdge(undefined);
			return true;
		}
		if (!editable()) {
			return false;
		}
		if (selection.edge && (key === 'delete' || key === 'backspace')) {
			actions.removeEdge(selection.edge);
			return true;
		}
		return handleGestureKey(event, actions);
	}

	/** Opens the menu of the element under the pointer. */
	openMenu(event: MouseEvent): void {
		const { view, actions, gestures, selection, isEditable: editable, select, chooseEdge } = this.#parts;
		event.preventDefault();
		if (!editable()) {
			return;
		}
		gestures.cancelGesture();
		const at = { x: event.clientX, y: event.clientY };
		const edge = view.findEdge(event);
		if (edge) {
			chooseEdge(edge);
			actions.openEdgeMenu(edge, at);
			return;
		}
		const id = findNodeId(event);
		if (id === undefined || !selection.nodes.includes(id)) {
			select(id === undefined ? [] : [id]);
		}
		actions.openMenu(at);
	}
}
