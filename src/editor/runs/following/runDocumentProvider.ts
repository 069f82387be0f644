import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { cutToLimit } from '#base/text/cutText.ts';
import { shortenId } from '#base/text/shortId.ts';
import { isEvent } from '#contract/events.ts';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { readNodeTimes } from '#runs/events/nodeTimes.ts';
import { parseOutputs } from '#runs/following/detailPoll.ts';
import { RecordEvents } from '#runs/following/recordEvents.ts';
import { type ComparedRun, formatComparison } from '#runs/following/runComparison.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { parseServiceRunKey } from '#runs/serviceRun.ts';
import { formatNumber } from '../../platform/format.ts';
import { runScheme } from '../../platform/names.ts';
import { getStatusText } from '../../platform/runWording.ts';
import { parseInputs } from './serviceRerun.ts';
import { type ServiceRuns, toRunRecord } from './serviceRuns.ts';

/** Maximum length of a string in the record, in UTF-16 units. Longer strings are cut. The document of the output has them in full. */
const longestText = 100_000;
/** Minimum milliseconds between two updates of the document of an active run. */
const renewMs = 1000;
/** An update also waits this many times as long as creating the document took. */
const restFactor = 10;

/** Returns the URI of the document with the record of a run. */
export function getRecordUri(record: RunRecord): vscode.Uri {
	return toRunUri(record, `${record.agent} ${shortenId(record.runId ?? record.key)}.json`);
}

/** Returns the URI of the document with all outputs of a run. */
export function getOutputsUri(record: RunRecord): vscode.Uri {
	return toRunUri(record, 'outputs.json');
}

/** Returns the URI of a document that shows how a run differs from another one, for one side of a diff editor. */
export function getComparisonUri(record: RunRecord, other: RunRecord): vscode.Uri {
	return toRunUri(record, 'compared.md').with({ fragment: other.key });
}

/** Returns the URI of the document with one complete output. A string is shown as it is, any other value as JSON. */
export function getOutputUri(record: RunRecord, name: string): vscode.Uri {
	return toRunUri(record, `output/${name}`);
}

/** Provides read-only documents of runs from their journals: the record, all outputs, one output, or the differences from another run. */
export class RunDocumentProvider extends DisposableBase implements vscode.TextDocumentContentProvider {
	readonly #runs: Runs;
	readonly #journals: EventJournals;
	readonly #serviceRuns: ServiceRuns;
	readonly #changed = this.register(new vscode.EventEmitter<vscode.Uri>());
	readonly onDidChange = this.#changed.event;
	readonly #waiting = new Set<string>();
	/** Milliseconds that creating the last document took. */
	#tookMs = 0;

	constructor(runs: Runs, journals: EventJournals, serviceRuns: ServiceRuns) {
		super();
		this.#serviceRuns = serviceRuns;
		this.#runs = runs;
		this.#journals = journals;
		this.register(runs.onDidChange(record => this.#scheduleUpdate(record.key)));
	}

	async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
		const startedAt = performance.now();
		try {
			return await this.#createContent(uri);
		} finally {
			this.#tookMs = performance.now() - startedAt;
		}
	}

	async #createContent(uri: vscode.Uri): Promise<string> {
		const [, , part, name] = uri.path.split('/');
		if (part === 'compared.md') {
			return this.#createComparison(uri.query, uri.fragment);
		}
		const record = this.#runs.get(uri.query);
		if (!record) {
			return vscode.l10n.t('This run is no longer in the history.');
		}
		if (part === 'output' && name !== undefined) {
			const value = (await this.readOutputs(record))?.[name];
			return typeof value === 'string' ? value : formatDocumentJson(value ?? null);
		}
		return part === 'outputs.json' ? formatDocumentJson(await this.readOutputs(record)) : this.#createRecord(record);
	}

	/** Reads the outputs of a run from its record, or from its journal if they are too large for the record. */
	async readOutputs(record: RunRecord): Promise<Record<string, unknown> | null> {
		if (record.outputs !== undefined) {
			return record.outputs;
		}
		let outputs: Record<string, unknown> | null = null;
		for await (const entry of this.#journals.readEntries(record.key)) {
			outputs = getEntryOutputs(entry) ?? outputs;
		}
		return outputs;
	}

	/** Reads the request of a run, with placeholders instead of secrets. Returns `undefined` if the journal no longer contains it. */
	async readRequest(record: RunRecord): Promise<unknown> {
		return (await this.#findRequestEntry(record))?.request;
	}

	/** Reads which placeholders in the request replace secrets. */
	async readSecretPlaces(record: RunRecord): Promise<ReadonlySet<string>> {
		return new Set((await this.#findRequestEntry(record))?.secretPlaces);
	}

	async #findRequestEntry(record: RunRecord) {
		for await (const entry of this.#journals.readEntries(record.key)) {
			if ('request' in entry) {
				return entry;
			}
		}
		return undefined;
	}

	/** Describes the differences of a run from another. The keys can be those of runs of this editor or of a service. */
	async #createComparison(key: string, otherKey: string): Promise<string> {
		const [run, other] = await Promise.all([this.#readComparedRun(key), this.#readComparedRun(otherKey)]);
		if (!run) {
			return vscode.l10n.t('This run is no longer in the history.');
		}
		return other ? formatComparison(run, other, vscode.l10n) : vscode.l10n.t('The run to compare with is no longer in the history.');
	}

	async #readComparedRun(key: string): Promise<ComparedRun | undefined> {
		const of = parseServiceRunKey(key);
		if (of) {
			const detail = await this.#serviceRuns.fetchDetail(of);
			const record = toRunRecord(of, detail);
			return toComparedRun(record, parseInputs(detail), parseOutputs(detail), this.#serviceRuns.readEvents(of, record));
		}
		const record = this.#runs.get(key);
		const request = record && ((await this.readRequest(record)) as { inputs?: Record<string, unknown> } | undefined);
		return record && toComparedRun(record, request?.inputs, await this.readOutputs(record), this.#journals.readEntries(key));
	}

	async #createRecord(record: RunRecord): Promise<string> {
		const { key: _key, outputs: _outputs, node: _node, events: _events, startedAt, ...facts } = record;
		const found: { request?: unknown; detail?: unknown; notes: string[] } = { notes: [] };
		const shown = new RecordEvents();
		for await (const entry of this.#journals.readEntries(record.key)) {
			const at = new Date(entry.at).toISOString();
			if ('event' in entry) {
				const event = JSON.parse(JSON.stringify({ at, ...entry.event }, cutLongString)) as unknown;
				shown.add(event, JSON.stringify(event).length);
			} else if ('note' in entry) {
				found.notes.push(`${at} ${entry.note}`);
			} else {
				Object.assign(found, 'request' in entry ? { request: entry.request } : { detail: entry.detail });
			}
		}
		const { request, detail, notes } = found;
		const events = shown.listEvents(vscode.l10n.t('… Events omitted: {0}. The inspector shows all events.', shown.left));
		return formatDocumentJson({
			...facts,
			startedAt: new Date(startedAt).toISOString(),
			request,
			outputs: await this.readOutputs(record),
			detail,
			notes,
			events,
		});
	}

	#scheduleUpdate(key: string): void {
		if (this.#waiting.has(key) || !vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === runScheme && uri.query === key)) {
			return;
		}
		this.#waiting.add(key);
		setTimeout(
			() => {
				this.#waiting.delete(key);
				for (const { uri } of vscode.workspace.textDocuments) {
					if (uri.scheme === runScheme && uri.query === key && !this.disposed) {
						this.#changed.fire(uri);
					}
				}
			},
			Math.max(renewMs, this.#tookMs * restFactor),
		);
	}
}

async function toComparedRun(
	{ status, error, elapsedSeconds, totalTokens }: RunRecord,
	inputs: ComparedRun['inputs'] = {},
	outputs: ComparedRun['outputs'] | null,
	entries: AsyncIterable<JournalEntry>,
): Promise<ComparedRun> {
	return {
		status: getStatusText(status),
		...(error && { error }),
		...(elapsedSeconds !== undefined && { duration: elapsedSeconds * 1000 }),
		...(totalTokens !== undefined && { tokens: totalTokens }),
		inputs,
		outputs: outputs ?? {},
		nodes: await readNodeTimes(entries),
	};
}

function toRunUri(record: RunRecord, part: string): vscode.Uri {
	return vscode.Uri.from({
		scheme: runScheme,
		path: `/${shortenId(record.runId ?? record.key)}/${part.replaceAll('\\', '_')}`,
		query: record.key,
	});
}

function getEntryOutputs(entry: JournalEntry): Record<string, unknown> | null | undefined {
	if ('event' in entry) {
		return isEvent(entry.event, 'workflow_finished') ? entry.event.data.outputs : undefined;
	}
	if ('detail' in entry) {
		// the response of a blocking run has the details one level deeper
		const answer = entry.detail as { data?: WorkflowRunDetail } & WorkflowRunDetail;
		return parseOutputs(answer.data ?? answer);
	}
	return undefined;
}

/** Cuts strings that are too long to display. Passed to `JSON.stringify` as a replacer. */
function cutLongString(_name: string, part: unknown): unknown {
	return typeof part === 'string' && part.length > longestText
		? vscode.l10n.t(
				'{0}… ({1} characters in total. Open the output to see all of them.)',
				cutToLimit(part, longestText),
				formatNumber(part.length),
			)
		: part;
}

function formatDocumentJson(value: unknown): string {
	return `${JSON.stringify(value, cutLongString, '\t') ?? 'null'}\n`;
}
