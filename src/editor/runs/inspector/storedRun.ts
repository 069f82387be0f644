import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { InspectorAction } from '#pages/inspector/inspectorMessages.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { findRunChain, type RunChain } from '#runs/following/runChain.ts';
import { findParentRun, listRunTree, type TreeRun } from '#runs/following/runTree.ts';
import type { JournalSpan } from '#runs/history/journalLines.ts';
import { isRunActive, isRunOver, isRunPaused } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { RunSource } from './inspectedRun.ts';
import type { RunReading } from './runReading.ts';

/** A run that was started here. Reads it from its journal, and large values on request. */
export class StoredRun extends DisposableBase implements RunReading {
	readonly #source: RunSource;
	readonly #key: string;
	/** Position in the journal of each entry read so far. */
	readonly #spans: JournalSpan[] = [];
	readonly #entered = this.register(new vscode.EventEmitter<JournalEntry>());
	readonly onEntry = this.#entered.event;
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;
	readonly problem = undefined;
	readonly ranGraph = undefined;
	readonly answersForms = true;
	/** Entries that arrived while the journal was being read. Undefined after that. */
	#late: JournalEntry[] | undefined = [];

	constructor(source: RunSource, key: string) {
		super();
		this.#source = source;
		this.#key = key;
		this.register(source.control.onEntry(received => received.key === key && this.#handleEntry(received.entry)));
		this.register(
			source.runs.onDidChange(record => (record.key === key || isStartingRepeat(record) || this.#isFork(record)) && this.#changed.fire()),
		);
	}

	get record(): RunRecord | undefined {
		return this.#source.runs.get(this.#key);
	}

	get chain(): RunChain | undefined {
		const { record } = this;
		return record && findRunChain(record, this.#source.runs);
	}

	get tree(): readonly TreeRun[] {
		const { record } = this;
		return record ? listRunTree(record, this.#source.runs) : [];
	}

	get parentKey(): string | undefined {
		const { record } = this;
		return record && findParentRun(record, this.#source.runs)?.key;
	}

	get actions(): readonly InspectorAction[] {
		const { record } = this;
		// drafts in Dify run with a sign-in, which can't be copied to a command line
		const rest = ['runAgain', ...(record?.deploymentDraft ? [] : ['copyAsCurl' as const]), 'open', 'openOutputs', 'ask'] as const;
		if (record && (isRunActive(record) || isRunPaused(record))) {
			return ['stop', ...rest];
		}
		const isRecorded = record?.runId !== undefined && this.#source.connections.get(record.connectionId)?.kind === 'built-in';
		return [
			...rest,
			...(this.parentKey === undefined ? [] : ['compareWithParent' as const]),
			'compare',
			...(isRecorded ? (['debugRecorded'] as const) : []),
			'saveOutputs',
			'addToSuite',
			'addToDataset',
		];
	}

	async *readEntries(): AsyncGenerator<JournalEntry> {
		for await (const { entry, span } of this.#source.journals.readEntriesFrom(this.#key, 0)) {
			this.#spans.push(span);
			yield entry;
		}
		yield* this.#late ?? [];
		this.#late = undefined;
	}

	async readEntriesAt(places: readonly number[]): Promise<readonly JournalEntry[]> {
		if (places.some(place => place >= this.#spans.length)) {
			const spans: JournalSpan[] = [];
			// skip the line separator
			const from = (this.#spans.at(-1)?.to ?? -1) + 1;
			const known = this.#spans.length;
			for await (const { span } of this.#source.journals.readEntriesFrom(this.#key, from)) {
				spans.push(span);
			}
			// a concurrent call may have added some of them already
			for (const span of spans.slice(this.#spans.length - known)) {
				this.#spans.push(span);
			}
		}
		const spans = places.flatMap(place => this.#spans[place] ?? []);
		return this.#source.journals.readEntriesAt(this.#key, spans);
	}

	async readOutputs(): Promise<Readonly<Record<string, unknown>> | null> {
		const { record } = this;
		return record && isRunOver(record) ? this.#source.documents.readOutputs(record) : null;
	}

	/** True for a fork of the same agent, which changes the tree. */
	#isFork({ parent, agent }: RunRecord): boolean {
		return parent !== undefined && agent === this.record?.agent;
	}

	#handleEntry(entry: JournalEntry): void {
		if (this.#late) {
			this.#late.push(entry);
		} else {
			this.#entered.fire(entry);
		}
	}
}

/** True if this is the start of a run that repeats another, which makes a chain longer. */
function isStartingRepeat({ repeats, status }: RunRecord): boolean {
	return repeats !== undefined && status === 'starting';
}
