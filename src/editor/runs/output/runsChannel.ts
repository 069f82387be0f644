import type * as vscode from 'vscode';
import { ChannelLines, type ChannelText } from '#runs/channel/channelLines.ts';
import { JoinedTexts } from '#runs/channel/joinedTexts.ts';
import type { RunRecord } from '#runs/runTypes.ts';

/** Lines are handed to the editor together at most this often, in milliseconds: an append is a message between processes each. */
const flushMs = 8;

/** The output channel *Agent Runs*: takes the lines of all runs in the order in which they come, and hands them on in batches. */
export class RunsChannel implements vscode.Disposable {
	readonly #channel: vscode.OutputChannel;
	#pending: string[] = [];
	#timer: NodeJS.Timeout | undefined;
	readonly #texts = new JoinedTexts();

	constructor(channel: vscode.OutputChannel) {
		this.#channel = channel;
	}

	/** What writes one run as lines for {@link write}: its record as it stands, and what its connection and file are called. */
	lines(record: () => RunRecord, names: { readonly connection: string; readonly file: string | undefined }): ChannelLines {
		return new ChannelLines(record, names);
	}

	/** Adds what a run (`owner`, its key) has to show. */
	write(owner: string, texts: readonly ChannelText[]): void {
		const text = this.#texts.add(owner, texts);
		if (text !== '') {
			this.#pending.push(text);
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
}
