import type { GraphActions } from './graphActions.ts';

/** Handles keys on an editable graph. Returns false for a key that isn't used. */
export function handleGestureKey(event: KeyboardEvent, actions: GraphActions): boolean {
	const command = event.ctrlKey || event.metaKey;
	const key = event.key.toLowerCase();
	if (event.altKey && event.key.startsWith('Arrow')) {
		actions.nudgeSelected(event.key, event.shiftKey);
	} else if (event.altKey) {
		return false;
	} else if (command && key === 'd') {
		actions.duplicateSelected();
	} else if (command && key === 'c') {
		actions.copySelected(false);
	} else if (command && key === 'x') {
		actions.copySelected(true);
	} else if (command && key === 'v') {
		actions.pasteNodes();
	} else if (command) {
		return false;
	} else if (key === 'delete' || key === 'backspace') {
		actions.deleteSelected();
	} else if (key === 'f2') {
		actions.renameSelected();
	} else if (key === 'f9') {
		actions.actOnSelected('toggleBreakpoint');
	} else if (key === 'r') {
		actions.actOnSelected('run');
	} else if (key === 'contextmenu' || (event.shiftKey && key === 'f10')) {
		actions.openMenu();
	} else if (key === 'a' || key === 'insert') {
		actions.addNodeAfterSelected();
	} else if (key === 'c') {
		actions.connectSelected();
	} else if (key === 'd') {
		actions.disconnectSelected();
	} else {
		return false;
	}
	return true;
}
