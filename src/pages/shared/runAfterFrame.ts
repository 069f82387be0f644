/**
 * Runs work after the next frame was painted. Receiving a message, rendering much text and painting it are too much for one frame together.
 */
export function runAfterFrame(act: () => void): void {
	requestAnimationFrame(() => setTimeout(act));
}
