/** Keys that the graph or its popups handle. */
const named = /^(Enter|Escape|Backspace|Delete|Insert|Home|End|F2|ContextMenu|Arrow\w+|Tab)$/;
/** Keys that the graph handles with Ctrl or Cmd. */
const commands = 'acdvxyz';

/**
 * Queues keys pressed on the graph while requests are pending, because they are meant for the resulting graph. Replays them when it
 * arrives, also into popups that they open, so that typing ahead has the same result as waiting.
 */
export class TypeAhead {
	readonly #waits: () => boolean;
	readonly #start: () => HTMLElement;
	#keys: readonly KeyboardEventInit[] = [];
	#isReplaying = false;

	/** @param start the element to focus if nothing else has the focus */
	constructor(waits: () => boolean, start: () => HTMLElement) {
		this.#waits = waits;
		this.#start = start;
	}

	/** Queues a key if requests are pending. Returns true if it was queued. */
	queueKey(event: KeyboardEvent): boolean {
		if (this.#isReplaying || !(this.#waits() || this.#keys.length > 0) || !isGraphKey(event)) {
			return false;
		}
		const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
		this.#keys = [...this.#keys, { key, code, ctrlKey, metaKey, shiftKey, altKey }];
		return true;
	}

	/** Replays queued keys until a request is pending again. */
	replayKeys(): void {
		while (this.#keys.length > 0 && !this.#waits()) {
			const [first, ...others] = this.#keys;
			this.#keys = others;
			this.#isReplaying = true;
			try {
				this.#dispatchKey(first as KeyboardEventInit);
			} finally {
				this.#isReplaying = false;
			}
		}
	}

	dropKeys(): void {
		this.#keys = [];
	}

	#dispatchKey(key: KeyboardEventInit): void {
		const active = document.activeElement;
		const target = active && active !== document.body ? active : this.#start();
		// the editor around the page has already seen this key
		const stopEvent = (event: Event) => event.stopPropagation();
		document.addEventListener('keydown', stopEvent);
		const View = document.defaultView as Window & typeof globalThis;
		const isLeft = target.dispatchEvent(new View.KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }));
		document.removeEventListener('keydown', stopEvent);
		const isText = target instanceof View.HTMLInputElement || target instanceof View.HTMLTextAreaElement;
		if (isLeft && isText && key.key?.length === 1 && !key.ctrlKey && !key.metaKey && !key.altKey) {
			target.setRangeText(key.key, target.selectionStart ?? 0, target.selectionEnd ?? 0, 'end');
			target.dispatchEvent(new View.Event('input', { bubbles: true }));
		}
	}
}

function isGraphKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
	if (ctrlKey || metaKey) {
		return !altKey && commands.includes(key.toLowerCase());
	}
	if (altKey) {
		return key.startsWith('Arrow');
	}
	return key.length === 1 || (named.test(key) && !(key === 'Tab' && shiftKey)) || (key === 'F10' && shiftKey);
}
