import type { GraphActions } from './graphActions.ts';

/** Handles keys on an editable graph. Returns false for a key that isn't used. */
export function handleGestureKey(event: KeyboardEvent, actions: GraphActions): boolean {
	const command = event.ctrlKey || event.metaKey;
	const key = event.key.toLowerCase();
	if (event.altKey && event.key.startsWith('Arrow')) {
		actions.nudge(event.key, event.shiftKey);
	} else if (event.altKey) {
		return false;
	} else if (command && key === 'd') {
		actions.duplicate();
	} else if (command && key === 'c') {
		actions.copy(false);
	} else if (command && key === 'x') {
		actions.copy(true);
	} else if (command && key === 'v') {
		actions.paste();
	} else if (command) {
		return false;
	} else if (key === 'delete' || key === 'backspace') {
		actions.delete();
	} else if (key === 'f2') {
		actions.rename();
	} else if (key === 'f9') {
		actions.toggleBreakpoint();
	} else if (key === 'contextmenu' || (event.shiftKey && key === 'f10')) {
		actions.openMenu();
	} else if (key === 'a' || key === 'insert') {
		actions.addAfterSelected();
	} else if (key === 'c') {
		actions.connect();
	} else if (key === 'd') {
		actions.disconnect();
	} else {
		return false;
	}
	return true;
}
