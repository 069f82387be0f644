import type * as vscode from 'vscode';
import type { ChannelText } from './runLines.ts';

/** Lines are handed to the editor together at most this often, in milliseconds: an append is a message between processes each. */
const flushMs = 8;

/** The output channel *Agent Workbench: Runs*: takes the lines of all runs in the order in which they come, and hands them on in batches. */
export class RunsChannel implements vscode.Disposable {
	readonly #channel: vscode.OutputChannel;
	#pending: string[] = [];
	#timer: NodeJS.Timeout | undefined;
	/** Who wrote the text that is still open at the end of the channel, and after which lead. */
	#open: { owner: string } | undefined;

	constructor(channel: vscode.OutputChannel) {
		this.#channel = channel;
	}

	/** Adds what a run (`owner`, its key) has to show. Streamed text goes on where its last piece ended, unless something came between. */
	write(owner: string, texts: readonly ChannelText[]): void {
		for (const item of texts) {
			if ('line' in item) {
				this.#close();
				this.#pending.push(item.line, '\n');
			} else if (item.text !== '') {
				if (this.#open?.owner !== owner) {
					this.#close();
					this.#pending.push(item.lead);
					this.#open = { owner };
				}
				this.#pending.push(item.text.replace(/\r?\n/g, `\n${' '.repeat(item.lead.length - 4)}│ ❯ `));
			}
		}
		if (this.#pending.length > 0) {
			this.#timer ??= setTimeout(() => this.flush(), flushMs);
		}
	}

	/** Hands on what is pending, at once. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#pending.length > 0) {
			const text = this.#pending.join('');
			this.#pending = [];
			this.#channel.append(text);
		}
	}

	/** Shows the channel; the focus stays where it is. */
	show(): void {
		this.#channel.show(true);
	}

	dispose(): void {
		this.flush();
	}

	#close(): void {
		if (this.#open) {
			this.#open = undefined;
			this.#pending.push('\n');
		}
	}
}
