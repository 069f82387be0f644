import type * as vscode from 'vscode';
import { ChannelLines, type ChannelText } from '#runs/channel/channelLines.ts';
import { HeldStarts } from '#runs/channel/heldStarts.ts';
import { JoinedTexts } from '#runs/channel/joinedTexts.ts';
import { insertRunId } from '#runs/channel/lineFormat.ts';
import type { RunRecord } from '#runs/runTypes.ts';

/** Minimum milliseconds between two appends, because each append is a message to another process. */
const flushMs = 8;

/** The output channel *Agent Runs*. Collects the lines of all runs in order of arrival, and appends them in batches. */
export class RunsChannel implements vscode.Disposable {
	readonly #channel: vscode.OutputChannel;
	#pending: string[] = [];
	#timer: NodeJS.Timeout | undefined;
	readonly #texts = new JoinedTexts();
	readonly #starts = new HeldStarts((owner, texts) => this.#addTexts(owner, texts));
	/** Short IDs of the runs that have lines in the channel, by key. */
	readonly #written = new Map<string, string>();
	/** Key of the run that started last. Its lines have no ID. */
	#last: string | undefined;

	constructor(channel: vscode.OutputChannel) {
		this.#channel = channel;
	}

	/** Creates the writer of one run's lines. They are passed to {@link write}. `record` returns the current record. */
	createLines(record: () => RunRecord, names: { readonly connection: string; readonly file: string | undefined }): ChannelLines {
		return new ChannelLines(record, names);
	}

	/** Adds lines of a run. `owner` is the run's key. */
	write(owner: string, texts: readonly ChannelText[]): void {
		this.#addTexts(owner, this.#starts.filterTexts(owner, texts));
	}

	/** Adds the last lines of a run, and appends all pending lines immediately. */
	writeRunEnd(owner: string, texts: readonly ChannelText[]): void {
		this.#starts.dropRun(owner);
		this.#addTexts(owner, texts);
		this.flushLines();
	}

	#addTexts(owner: string, texts: readonly ChannelText[]): void {
		const isFirst = this.#written.size === 0;
		const marked = texts.map(text => this.#markRun(owner, text));
		const text = this.#texts.add(owner, marked);
		if (text !== '') {
			// an empty line before each run, except the first
			this.#pending.push(!isFirst && texts.some(each => 'head' in each) ? `\n${text}` : text);
		}
		if (this.#pending.length > 0) {
			this.#timer ??= setTimeout(() => this.flushLines(), flushMs);
		}
	}

	/** Adds the ID to a line of a run after which another one has started. */
	#markRun(owner: string, text: ChannelText): ChannelText {
		if ('head' in text) {
			this.#last = owner;
			this.#written.set(owner, text.head ?? '');
		}
		const id = this.#written.get(owner);
		if (owner === this.#last || id === undefined) {
			return text;
		}
		return 'line' in text ? { line: insertRunId(text.line, id) } : { ...text, lead: insertRunId(text.lead, id) };
	}

	/** Appends pending lines immediately. */
	flushLines(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#pending.length > 0) {
			const text = this.#pending.join('');
			this.#pending = [];
			this.#channel.append(text);
		}
	}

	/** Shows the channel without moving the focus. */
	showChannel(): void {
		this.#channel.show(true);
	}

	dispose(): void {
		this.#starts.dispose();
		this.flushLines();
	}
}
