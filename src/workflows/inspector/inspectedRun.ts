import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '../../common/disposables.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { RunDocuments } from '../runDocuments.ts';
import type { RunJournal } from '../runJournal.ts';
import type { Runner } from '../runner.ts';
import { isLive } from '../runStore.ts';
import type { JournalEntry, RunRecord, Runs } from '../runTypes.ts';
import type { FromInspectorHost, InspectorHead, NodeDetail, ShownOutput } from './inspectorProtocol.ts';
import { nodeDetail } from './nodeDetail.ts';
import { RunGraphs } from './runGraphs.ts';
import { shownOutputs } from './shownOutputs.ts';
import { Timeline } from './timeline.ts';

/** Where an inspected run is read from. */
export interface RunSource {
	readonly runs: Runs;
	readonly runner: Runner;
	readonly journal: RunJournal;
	readonly documents: RunDocuments;
	readonly connections: Connections;
	/** Absolute paths of the agents folders; none in a workspace that is not trusted. */
	readonly agentFolders: () => readonly string[];
}

/** A run that an inspector shows: read from its journal, then followed live. What is large stays in the journal until it is asked for. */
export class InspectedRun extends DisposableBase {
	readonly #source: RunSource;
	readonly #key: string;
	readonly #timeline = new Timeline();
	readonly #graphs: RunGraphs;
	/** Entries that came while the journal was read. */
	#late: JournalEntry[] | undefined = [];
	#lastAt = 0;
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	/** Rows, text or head changed. */
	readonly onDidChange = this.#changed.event;

	constructor(source: RunSource, key: string) {
		super();
		this.#source = source;
		this.#graphs = new RunGraphs(source.agentFolders);
		this.#key = key;
	}

	/** Reads what came of the run so far, and follows it from then on. */
	async load(): Promise<void> {
		this.own(this.#source.runner.onEntry(({ key, entry }) => key === this.#key && this.#receive(entry)));
		for await (const entry of this.#source.journal.read(this.#key)) {
			this.#take(entry);
		}
		for (const entry of this.#late ?? []) {
			this.#take(entry);
		}
		this.#late = undefined;
		this.#endIfOver();
		this.own(this.#source.runs.onDidChange(record => record.key === this.#key && this.#recordChanged()));
	}

	get record(): RunRecord | undefined {
		return this.#source.runs.get(this.#key);
	}

	get timeline(): Timeline {
		return this.#timeline;
	}

	/** What the head says of this run; `undefined` once it left the history. */
	get head(): InspectorHead | undefined {
		const { record } = this;
		if (!record) {
			return undefined;
		}
		const { key, agent, runId, status, startedAt, error, connectionId, mode, user, file } = record;
		const { elapsedSeconds, totalTokens, totalSteps } = record;
		return {
			key,
			agent,
			status,
			startedAt,
			mode,
			user,
			connection: this.#source.connections.get(connectionId)?.name ?? connectionId,
			draft: record.draft ?? false,
			live: isLive(status),
			...(runId === undefined ? {} : { runId }),
			...(error === undefined ? {} : { error }),
			...(file === undefined ? {} : { file: path.posix.basename(vscode.Uri.parse(file).path) }),
			// a run that its service lost is told with zeros
			...(elapsedSeconds ? { elapsedMs: elapsedSeconds * 1000 } : {}),
			...(totalTokens ? { tokens: totalTokens } : {}),
			...(totalSteps ? { steps: totalSteps } : {}),
		};
	}

	/** Outputs, once the run is over. */
	async outputs(): Promise<readonly ShownOutput[] | undefined> {
		const { record } = this;
		return record && !isLive(record.status) ? shownOutputs(await this.#source.documents.outputs(record)) : undefined;
	}

	/** What the journal has of one row. */
	async detail(id: string): Promise<NodeDetail> {
		const wanted = new Set(this.#timeline.entriesOf(id));
		const entries: JournalEntry[] = [];
		let place = 0;
		for await (const entry of this.#source.journal.read(this.#key)) {
			if (wanted.has(place++)) {
				entries.push(entry);
			}
		}
		return nodeDetail(entries);
	}

	/** Where its graph is, and with `whole` the graph; `undefined` once the run left the history. */
	async graph(whole: boolean): Promise<Omit<Extract<FromInspectorHost, { type: 'graph' }>, 'type'> | undefined> {
		const { record } = this;
		if (!record) {
			return undefined;
		}
		const place = await this.#graphs.place(record);
		if ('why' in place) {
			return place;
		}
		return { file: place.file, ...(whole ? await this.#graphs.read(place, record) : {}) };
	}

	#receive(entry: JournalEntry): void {
		if (this.#late) {
			this.#late.push(entry);
		} else {
			this.#take(entry);
			this.#changed.fire();
		}
	}

	#take(entry: JournalEntry): void {
		this.#lastAt = entry.at;
		this.#timeline.take(entry);
	}

	#recordChanged(): void {
		this.#endIfOver();
		this.#changed.fire();
	}

	#endIfOver(): void {
		const { record } = this;
		if (record && !isLive(record.status)) {
			this.#timeline.end(this.#lastAt);
		}
	}
}
