import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import { isEvent } from '../protocol/events.ts';
import type { WorkflowRunDetail } from '../protocol/workflows.ts';
import { outputsOf } from './detailPoll.ts';
import { nodeTimes } from './inspector/nodeTimes.ts';
import { runScheme } from './names.ts';
import type { RunJournal } from './runJournal.ts';
import { shortId } from './runLines.ts';
import type { JournalEntry, RunRecord, Runs } from './runTypes.ts';

/** Texts longer than this, in UTF-16 units, are cut in the whole record; the document of the output has them in full. */
const longestText = 1_000_000;
/** A document of a run that goes on is renewed at most this often, in milliseconds. */
const renewMs = 1000;

/** Address of the whole record of a run. */
export function recordUri(record: RunRecord): vscode.Uri {
	return uriOf(record, `${record.agent} ${shortId(record.runId ?? record.key)}.json`);
}

/** Address of all outputs of a run. */
export function outputsUri(record: RunRecord): vscode.Uri {
	return uriOf(record, 'outputs.json');
}

/** Address of the inputs of a run, as they were sent. */
export function inputsUri(record: RunRecord): vscode.Uri {
	return uriOf(record, 'inputs.json');
}

/** Address of the table of the times of a run's nodes. */
export function nodeTimesUri(record: RunRecord): vscode.Uri {
	return uriOf(record, 'nodes.txt');
}

/** Address of one output, whole: a text as it is, any other value as JSON. */
export function outputUri(record: RunRecord, name: string): vscode.Uri {
	return uriOf(record, `output/${name}`);
}

/** Documents of runs, made from their journals: the whole record, inputs, all outputs, one output, the times of nodes. Read-only by their scheme. */
export class RunDocuments extends DisposableBase implements vscode.TextDocumentContentProvider {
	readonly #runs: Runs;
	readonly #journal: RunJournal;
	readonly #changed = this.own(new vscode.EventEmitter<vscode.Uri>());
	readonly onDidChange = this.#changed.event;
	readonly #waiting = new Set<string>();

	constructor(runs: Runs, journal: RunJournal) {
		super();
		this.#runs = runs;
		this.#journal = journal;
		this.own(runs.onDidChange(record => this.#renew(record.key)));
	}

	async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
		const record = this.#runs.get(uri.query);
		if (!record) {
			return vscode.l10n.t('This run is no longer in the history.');
		}
		const [, , part, name] = uri.path.split('/');
		if (part === 'output' && name !== undefined) {
			const value = (await this.outputs(record))?.[name];
			return typeof value === 'string' ? value : pretty(value ?? null);
		}
		switch (part) {
			case 'outputs.json':
				return pretty(await this.outputs(record));
			case 'inputs.json':
				return pretty(((await this.request(record)) as { inputs?: unknown } | undefined)?.inputs ?? null);
			case 'nodes.txt':
				return nodeTimes(this.#journal.read(record.key));
			default:
				return this.#whole(record);
		}
	}

	/** Outputs of a run, from its record or, where they are too large for that, from its journal. */
	async outputs(record: RunRecord): Promise<Record<string, unknown> | null> {
		if (record.outputs !== undefined) {
			return record.outputs;
		}
		let outputs: Record<string, unknown> | null = null;
		for await (const entry of this.#journal.read(record.key)) {
			outputs = outputsOfEntry(entry) ?? outputs;
		}
		return outputs;
	}

	/** Request of a run as it was sent; `undefined` where the journal has it no longer. */
	async request(record: RunRecord): Promise<unknown> {
		for await (const entry of this.#journal.read(record.key)) {
			if ('request' in entry) {
				return entry.request;
			}
		}
		return undefined;
	}

	async #whole(record: RunRecord): Promise<string> {
		const { key: _key, outputs: _outputs, node: _node, events: _events, startedAt, ...facts } = record;
		const found: { request?: unknown; detail?: unknown; notes: string[]; events: unknown[] } = { notes: [], events: [] };
		for await (const entry of this.#journal.read(record.key)) {
			const at = new Date(entry.at).toISOString();
			if ('event' in entry) {
				found.events.push({ at, ...entry.event });
			} else if ('note' in entry) {
				found.notes.push(`${at} ${entry.note}`);
			} else {
				Object.assign(found, 'request' in entry ? { request: entry.request } : { detail: entry.detail });
			}
		}
		const { request, detail, notes, events } = found;
		return pretty({
			...facts,
			startedAt: new Date(startedAt).toISOString(),
			request,
			outputs: await this.outputs(record),
			detail,
			notes,
			events,
		});
	}

	#renew(key: string): void {
		if (this.#waiting.has(key) || !vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === runScheme && uri.query === key)) {
			return;
		}
		this.#waiting.add(key);
		setTimeout(() => {
			this.#waiting.delete(key);
			for (const { uri } of vscode.workspace.textDocuments) {
				if (uri.scheme === runScheme && uri.query === key && !this.disposed) {
					this.#changed.fire(uri);
				}
			}
		}, renewMs);
	}
}

function uriOf(record: RunRecord, part: string): vscode.Uri {
	return vscode.Uri.from({
		scheme: runScheme,
		path: `/${shortId(record.runId ?? record.key)}/${part.replaceAll('\\', '_')}`,
		query: record.key,
	});
}

function outputsOfEntry(entry: JournalEntry): Record<string, unknown> | null | undefined {
	if ('event' in entry) {
		return isEvent(entry.event, 'workflow_finished') ? entry.event.data.outputs : undefined;
	}
	if ('detail' in entry) {
		// the answer of a blocking run has the detail one level down
		const answer = entry.detail as { data?: WorkflowRunDetail } & WorkflowRunDetail;
		return outputsOf(answer.data ?? answer);
	}
	return undefined;
}

function pretty(value: unknown): string {
	const cut = (_name: string, part: unknown) =>
		typeof part === 'string' && part.length > longestText
			? `${part.slice(0, longestText)}… (${part.length.toLocaleString('en-US')} characters in all: open the output to see them)`
			: part;
	return `${JSON.stringify(value, cut, '\t') ?? 'null'}\n`;
}
