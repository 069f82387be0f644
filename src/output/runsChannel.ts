import type * as vscode from 'vscode';
import type { RunRecord } from '../runs/runTypes.ts';
import { ChannelLines, type ChannelText } from './channelLines.ts';

/** Lines are handed to the editor together at most this often, in milliseconds: an append is a message between processes each. */
const flushMs = 8;

/** The output channel *Agent Runs*: takes the lines of all runs in the order in which they come, and hands them on in batches. */
export class RunsChannel implements vscode.Disposable {
	readonly #channel: vscode.OutputChannel;
	#pending: string[] = [];
	#timer: NodeJS.Timeout | undefined;
	/** Who wrote the text that is still open at the end of the channel, and after which lead. */
	#open: { owner: string; kind: string; name: string | undefined } | undefined;

	constructor(channel: vscode.OutputChannel) {
		this.#channel = channel;
	}

	/** What writes one run as lines for {@link write}: its record as it stands, and what its connection and file are called. */
	lines(record: () => RunRecord, names: { readonly connection: string; readonly file: string | undefined }): ChannelLines {
		return new ChannelLines(record, names);
	}

	/** Adds what a run (`owner`, its key) has to show. Streamed text goes on where its last piece ended, unless something came between: a line, or a text of another name. */
	write(owner: string, texts: readonly ChannelText[]): void {
		for (const item of texts) {
			if ('line' in item) {
				this.#close();
				this.#pending.push(item.line, '\n');
			} else if (item.text !== '') {
				// thoughts and texts begin with bars of their own
				const kind = item.lead.slice(-4);
				const { name } = item;
				if (this.#open?.owner !== owner || this.#open.kind !== kind || this.#open.name !== name) {
					this.#close();
					this.#pending.push(item.lead, name === undefined ? '' : `${name}: `);
					this.#open = { owner, kind, name };
				}
				this.#pending.push(item.text.replace(/\r?\n/g, `\n${' '.repeat(item.lead.length - 4)}${kind}`));
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
