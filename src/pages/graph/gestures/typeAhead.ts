/** Keys that mean something on the graph, or in what it asks. */
const named = /^(Enter|Escape|Backspace|Delete|Insert|Home|End|F2|ContextMenu|Arrow\w+|Tab)$/;
/** Letters of commands on the graph. */
const commands = 'acdvxyz';

/**
 * Keys that are pressed on the graph while what was asked for before is still on its way: they mean the graph that comes of it. They are kept, and pressed again when it is there, in the
 * boxes that they open too, so that someone who types ahead gets what someone gets who waits.
 */
export class TypeAhead {
	readonly #waits: () => boolean;
	readonly #start: () => HTMLElement;
	#keys: readonly KeyboardEventInit[] = [];
	#isReplaying = false;

	/** @param start what has the focus at first, when nothing else has it */
	constructor(waits: () => boolean, start: () => HTMLElement) {
		this.#waits = waits;
		this.#start = start;
	}

	/** Whether a key of the graph is kept for later. */
	keep(event: KeyboardEvent): boolean {
		if (this.#isReplaying || !(this.#waits() || this.#keys.length > 0) || !isOurs(event)) {
			return false;
		}
		const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
		this.#keys = [...this.#keys, { key, code, ctrlKey, metaKey, shiftKey, altKey }];
		return true;
	}

	/** Presses what was kept, as far as nothing is on its way again. */
	replay(): void {
		while (this.#keys.length > 0 && !this.#waits()) {
			const [first, ...others] = this.#keys;
			this.#keys = others;
			this.#isReplaying = true;
			try {
				this.#press(first as KeyboardEventInit);
			} finally {
				this.#isReplaying = false;
			}
		}
	}

	/** Lets go of what was kept. */
	forget(): void {
		this.#keys = [];
	}

	#press(key: KeyboardEventInit): void {
		const active = document.activeElement;
		const target = active && active !== document.body ? active : this.#start();
		// the editor around the page has had this key already
		const stop = (event: Event) => event.stopPropagation();
		document.addEventListener('keydown', stop);
		const View = document.defaultView as Window & typeof globalThis;
		const isLeft = target.dispatchEvent(new View.KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }));
		document.removeEventListener('keydown', stop);
		const isText = target instanceof View.HTMLInputElement || target instanceof View.HTMLTextAreaElement;
		if (isLeft && isText && key.key?.length === 1 && !key.ctrlKey && !key.metaKey && !key.altKey) {
			target.setRangeText(key.key, target.selectionStart ?? 0, target.selectionEnd ?? 0, 'end');
			target.dispatchEvent(new View.Event('input', { bubbles: true }));
		}
	}
}

function isOurs({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
	if (ctrlKey || metaKey) {
		return !altKey && commands.includes(key.toLowerCase());
	}
	if (altKey) {
		return key.startsWith('Arrow');
	}
	return key.length === 1 || (named.test(key) && !(key === 'Tab' && shiftKey)) || (key === 'F10' && shiftKey);
}
