import type { ChannelText } from './channelLines.ts';

/** How long to hold the line of a node that starts, in milliseconds. */
const holdMs = 300;

interface HeldStart {
	readonly owner: string;
	readonly text: ChannelText;
	readonly due: number;
}

/** Holds the lines of nodes that start, and drops them if the node ends soon, because its last line says the same. */
export class HeldStarts {
	/** In the order in which they are due, by run and execution. */
	readonly #held = new Map<string, HeldStart>();
	readonly #write: (owner: string, texts: readonly ChannelText[]) => void;
	#timer: NodeJS.Timeout | undefined;

	/** `write` is called with lines that were held and are due. */
	constructor(write: (owner: string, texts: readonly ChannelText[]) => void) {
		this.#write = write;
	}

	/** Returns the texts of a run (`owner`: its key) to write now. */
	filterTexts(owner: string, texts: readonly ChannelText[]): ChannelText[] {
		return texts.filter(text => {
			if (text.ends !== undefined) {
				this.#held.delete(`${owner} ${text.ends}`);
			}
			if (text.starts === undefined) {
				return true;
			}
			this.#held.set(`${owner} ${text.starts}`, { owner, text, due: Date.now() + holdMs });
			this.#timer ??= setTimeout(() => this.#writeDueStarts(), holdMs);
			return false;
		});
	}

	/** Drops the held lines of a run that has ended. */
	dropRun(owner: string): void {
		for (const [key, held] of this.#held) {
			if (held.owner === owner) {
				this.#held.delete(key);
			}
		}
		if (this.#held.size === 0) {
			this.dispose();
		}
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#writeDueStarts(): void {
		this.#timer = undefined;
		const now = Date.now();
		for (const [key, { owner, text, due }] of this.#held) {
			if (due > now) {
				this.#timer = setTimeout(() => this.#writeDueStarts(), due - now);
				return;
			}
			this.#held.delete(key);
			this.#write(owner, [text]);
		}
	}
}
