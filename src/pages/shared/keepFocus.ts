/**
 * Gives the focus back to the element that had it when the page gets it again. A page loses its focused element when the focus goes to another frame, such as
 * a text editor, so that the next key would reach nothing. `otherwise` sets the focus when that element is gone.
 */
export function keepFocus(root: HTMLElement, otherwise: () => void): void {
	let last: HTMLElement | undefined;
	root.addEventListener('focusin', ({ target }) => {
		last = target instanceof HTMLElement ? target : undefined;
	});
	window.addEventListener('focus', () => {
		// a click focuses what it hits after this event, so that nothing is taken from it
		if (document.activeElement === document.body) {
			last?.focus({ preventScroll: true });
			if (document.activeElement === document.body) {
				otherwise();
			}
		}
	});
}
