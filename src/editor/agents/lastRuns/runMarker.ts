import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { cutToLimit } from '#base/text/cutText.ts';
import { readNodeEnds } from '#runs/following/nodeEnds.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';
import { isRunOver } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { runInBackground } from '../../platform/background.ts';
import type { RunRecords } from '../../runs/history/runRecords.ts';
import { findFailedNodes } from './failedNodes.ts';
import type { NodeResults } from './nodeResults.ts';
import type { NodeText } from './nodeTexts.ts';

/** Maximum length of a mark's error, in UTF-16 units. The run record keeps the complete error. */
const longestError = 2000;

interface RunMarkerParts {
	readonly records: RunRecords;
	readonly journals: EventJournals;
	/** Returns the agent file of a run, or `undefined` for runs of other services. */
	readonly findAgentFile: (record: RunRecord) => Promise<vscode.Uri | undefined>;
	/** Returns the text of an agent file's published version. */
	readonly readPublished: (uri: vscode.Uri) => Promise<string>;
	readonly results: NodeResults;
	/** Returns the nodes of an agent file's text. */
	readonly readNodeTexts: (text: vscode.TextDocument | string) => Promise<ReadonlyMap<string, NodeText>>;
	readonly log: vscode.LogOutputChannel;
}

/** When a run of this window finishes, records what its nodes put out, and which nodes of its agent file failed and which earlier failures now pass. */
export class RunMarker extends DisposableBase {
	readonly #parts: RunMarkerParts;
	/** Draft text at the start of each active run, by run key. */
	readonly #running = new Map<string, string | undefined>();

	constructor(parts: RunMarkerParts) {
		super();
		this.#parts = parts;
		this.register(parts.records.onDidChange(record => this.#onRunChange(record)));
	}

	#onRunChange(record: RunRecord): void {
		const { key, agentFile } = record;
		if (!isRunOver(record)) {
			if (!this.#running.has(key) && this.#parts.records.isOwnRun(key)) {
				this.#running.set(key, findDocument(agentFile)?.getText());
			}
		} else if (this.#running.has(key)) {
			const draft = this.#running.get(key);
			this.#running.delete(key);
			runInBackground(this.#recordMarks(record, draft), this.#parts.log, 'Marking failed nodes');
		}
	}

	async #recordMarks(record: RunRecord, draft: string | undefined): Promise<void> {
		const { records, journals, findAgentFile, readNodeTexts } = this.#parts;
		// the text that ran on a Dify deployment isn't known here
		const file = record.deploymentDraft ? undefined : await findAgentFile(record);
		const failedBefore = file && findFailedNodes(records.list(), file.toString());
		const open = file && findDocument(file.toString());
		if (!file || (!open && record.status !== 'failed' && failedBefore?.size === 0)) {
			return;
		}
		const ends = await readNodeEnds(journals.readEntries(record.key));
		const text = open || record.status === 'failed' ? (draft ?? (await this.#readRunText(record, file))) : '';
		const ran = await readNodeTexts(open?.getText() === text ? open : text);
		const ended = [...ends.failed].filter(([id]) => !ends.replaced.has(id));
		const failed = ended.flatMap(([id, error]) => {
			const text = ran.get(id)?.text;
			return text === undefined ? [] : [{ id, error: cutToLimit(error || (record.error ?? ''), longestError), text }];
		});
		const results = [...ends.passed].flatMap(([id, outcome]) => {
			const node = ran.get(id)?.text;
			return node === undefined ? [] : [[id, { ...outcome, key: record.key, text: node }] as const];
		});
		this.#parts.results.setResults(
			file,
			new Map(results),
			ended.map(([id]) => id),
		);
		const passed = [...ends.passed.keys()].filter(id => failedBefore?.has(id));
		if (failed.length > 0 || passed.length > 0) {
			records.updateRun(record.key, { marks: { file: file.toString(), failed, passed } });
		}
	}

	/** Returns the text that ran: the published version, or the current file if the published version isn't available. */
	async #readRunText({ draft }: RunRecord, file: vscode.Uri): Promise<string> {
		const published = draft ? '' : await this.#parts.readPublished(file).catch(() => '');
		return published || (await vscode.workspace.openTextDocument(file)).getText();
	}
}

function findDocument(file: string | undefined): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file);
}
