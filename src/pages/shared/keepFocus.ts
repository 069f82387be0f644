/**
 * Restores the focus when the page gets it back. A page loses its focused element when the focus moves to another frame, such as a text
 * editor, and the next key would have no effect. `otherwise` sets the focus if that element is gone.
 */
export function restoreFocusOnReturn(root: HTMLElement, otherwise: () => void): void {
	let last: HTMLElement | undefined;
	root.addEventListener('focusin', ({ target }) => {
		last = target instanceof HTMLElement ? target : undefined;
	});
	window.addEventListener('focus', () => {
		// a click sets its own focus after this event
		if (document.activeElement === document.body) {
			last?.focus({ preventScroll: true });
			if (document.activeElement === document.body) {
				otherwise();
			}
		}
	});
}
