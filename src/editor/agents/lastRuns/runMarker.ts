import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { beginningOf } from '#base/text/cutText.ts';
import { nodeEnds } from '#runs/events/nodeEnds.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';
import { isOver } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { background } from '../../platform/background.ts';
import type { RunRecords } from '../../runs/history/runRecords.ts';
import { failedNodes } from './failedNodes.ts';
import type { NodeText } from './nodeTexts.ts';

/** What a mark tells of an error, in UTF-16 units; the run has the rest. */
const longestError = 2000;

interface RunMarkerParts {
	readonly records: RunRecords;
	readonly journals: EventJournals;
	/** The agent file that a run is of; `undefined` for one of another service. */
	readonly fileOf: (record: RunRecord) => Promise<vscode.Uri | undefined>;
	/** Text of the published version of an agent file. */
	readonly published: (uri: vscode.Uri) => Promise<string>;
	/** The nodes of an agent file's text. */
	readonly nodeTexts: (text: string) => Promise<ReadonlyMap<string, NodeText>>;
	readonly log: vscode.LogOutputChannel;
}

/** Notes with runs of this window, once they are over, for which nodes of their agent file they failed, and which of those that had failed went well. */
export class RunMarker extends DisposableBase {
	readonly #parts: RunMarkerParts;
	/** Runs that go on, with the text of a draft as it was when it began. */
	readonly #going = new Map<string, string | undefined>();

	constructor(parts: RunMarkerParts) {
		super();
		this.#parts = parts;
		this.own(parts.records.onDidChange(record => this.#note(record)));
	}

	#note(record: RunRecord): void {
		const { key, agentFile } = record;
		if (!isOver(record)) {
			if (!this.#going.has(key) && this.#parts.records.isOwn(key)) {
				this.#going.set(key, vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === agentFile)?.getText());
			}
		} else if (this.#going.has(key)) {
			const draft = this.#going.get(key);
			this.#going.delete(key);
			background(this.#mark(record, draft), this.#parts.log, 'Nodes that failed');
		}
	}

	async #mark(record: RunRecord, draft: string | undefined): Promise<void> {
		const { records, journals, fileOf, nodeTexts } = this.#parts;
		// which text a deployment ran is not known here
		const file = record.deploymentDraft ? undefined : await fileOf(record);
		const failedBefore = file && failedNodes(records.list(), file.toString());
		if (!file || (record.status !== 'failed' && failedBefore?.size === 0)) {
			return;
		}
		const ends = await nodeEnds(journals.read(record.key));
		const ran = record.status === 'failed' ? await nodeTexts(draft ?? (await this.#text(record, file))) : new Map<string, NodeText>();
		const failed = [...ends.failed].flatMap(([id, error]) => {
			const text = ran.get(id)?.text;
			return text === undefined ? [] : [{ id, error: beginningOf(error || (record.error ?? ''), longestError), text }];
		});
		const passed = [...ends.passed].filter(id => failedBefore?.has(id));
		if (failed.length > 0 || passed.length > 0) {
			records.update(record.key, { marks: { file: file.toString(), failed, passed } });
		}
	}

	/** What was run: the published version, or the file as it stands where that is not to be had. */
	async #text({ draft }: RunRecord, file: vscode.Uri): Promise<string> {
		const published = draft ? '' : await this.#parts.published(file).catch(() => '');
		return published || (await vscode.workspace.openTextDocument(file)).getText();
	}
}
