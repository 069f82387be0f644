import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { cutText } from '#base/text/cutText.ts';
import { shortenId } from '#base/text/shortId.ts';
import type { RowDetail, ShownRun } from '#pages/graph/picture/graphProtocol.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';
import { isRunActive } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { runInBackground } from '../../platform/background.ts';
import { getStatusText } from '../../platform/runWording.ts';
import { formatRelativeTime } from '../../platform/wording.ts';
import { getGatherMs } from '../../runs/inspector/gatherTime.ts';
import type { InspectedRun } from '../../runs/inspector/inspectedRun.ts';
import { isRunOfFile } from './runsOfFile.ts';

/** Maximum length of inputs, outputs and errors, in UTF-16 units. The inspector shows the rest. */
const longestPart = 20_000;

export interface GraphRunParts {
	readonly runs: Runs;
	/** Opens a run for reading, with live updates. */
	readonly read: (key: string) => Promise<InspectedRun>;
	/** Absolute paths of the agents folders. */
	readonly agentFolders: () => readonly string[];
	readonly log: vscode.LogOutputChannel;
}

/** Changes of the shown run, for a page. */
interface RunNews {
	readonly head?: ShownRun;
	readonly rows: readonly TimelineRow[];
	/** One-line previews of outputs by node ID. */
	readonly values: readonly (readonly [node: string, value: string])[];
	readonly isNew: boolean;
}

/** The run shown on a graph: the file's active run, or one that the user picked. */
export class ShownGraphRun extends DisposableBase {
	readonly #parts: GraphRunParts;
	readonly #uri: () => vscode.Uri;
	readonly #updated = this.register(new vscode.EventEmitter<RunNews>());
	readonly onNews = this.#updated.event;
	#run: InspectedRun | undefined;
	#key: string | undefined;
	#timer: NodeJS.Timeout | undefined;

	/** @param uri returns the current URI of the file */
	constructor(uri: () => vscode.Uri, parts: GraphRunParts) {
		super();
		this.#uri = uri;
		this.#parts = parts;
		this.register(
			parts.runs.onDidChange(
				record =>
					record.key !== this.#key &&
					record.status === 'starting' &&
					this.#isRunOfThisFile(record) &&
					this.#showRunInBackground(record.key),
			),
		);
		this.register({ dispose: () => this.#stopFollowing() });
		const going = parts.runs.list().find(record => isRunActive(record) && this.#isRunOfThisFile(record));
		if (going) {
			this.#showRunInBackground(going.key);
		}
	}

	/** Key of the shown run. */
	get key(): string | undefined {
		return this.#key;
	}

	/** Complete state of the run for a page that has just loaded. */
	get whole(): RunNews {
		const head = this.#head;
		const { timeline, values } = (head && this.#run) ?? {};
		return { ...(head ? { head } : {}), rows: timeline?.rows ?? [], values: values?.all ?? [], isNew: true };
	}

	/** Shows a run, or no run if `key` is undefined. */
	async showRun(key: string | undefined): Promise<void> {
		this.#stopFollowing();
		this.#key = key;
		if (key !== undefined) {
			const run = await this.#parts.read(key);
			if (this.#key !== key || this.disposed) {
				run.dispose();
				return;
			}
			this.#run = run;
			run.onDidChange(() => {
				this.#timer ??= setTimeout(() => this.#emitUpdate(), getGatherMs(run.timeline.rows));
			});
			try {
				await run.loadRun();
			} catch (error) {
				this.#parts.log.warn(`Couldn't read run ${key} for a graph: ${String(error)}`);
			}
			run.timeline.takeChangedRows();
			run.values.takeChangedValues();
		}
		this.#updated.fire(this.whole);
	}

	#showRunInBackground(key: string): void {
		runInBackground(this.showRun(key), this.#parts.log, `Showing run ${key} on a graph`);
	}

	/** Lets the user pick a run from the file's history. */
	async pickRun(): Promise<void> {
		const records = this.#parts.runs.list().filter(record => this.#isRunOfThisFile(record));
		if (records.length === 0) {
			void vscode.window.showInformationMessage(vscode.l10n.t('No saved runs of this agent. Run it to see its progress on the graph.'));
			return;
		}
		const items = records.map(record => ({
			label: shortenId(record.runId ?? record.key),
			description: `${getStatusText(record.status)} · ${formatRelativeTime(record.startedAt)}`,
			...(record.error === undefined ? {} : { detail: record.error.slice(0, 120) }),
			key: record.key,
		}));
		const picked = await vscode.window.showQuickPick(items, {
			placeHolder: vscode.l10n.t('Select a run to show on the graph'),
			matchOnDescription: true,
		});
		if (picked) {
			await this.showRun(picked.key);
		}
	}

	/** Shows the file's last run, unless a run is shown. */
	async showLastRun(): Promise<void> {
		const last = this.#parts.runs.list().find(record => this.#isRunOfThisFile(record));
		if (this.#key === undefined && last) {
			await this.showRun(last.key);
		}
	}

	/** Returns the error of a node in the shown run, if its last execution failed. */
	findNodeError(node: string): string | undefined {
		return this.#run?.timeline.findLastExecution(node)?.error;
	}

	/** Returns inputs, outputs and the error of a row, shortened for the page. */
	async readRowDetail(row: string): Promise<RowDetail> {
		const { inputs, outputs, error } = (await this.#run?.readRowDetail(row)) ?? {};
		const parts = Object.entries({ inputs, outputs, error }).filter(([, text]) => text !== undefined);
		return Object.fromEntries(parts.map(([part, text = '']) => [part, cutText(text, longestPart)]));
	}

	#isRunOfThisFile(record: RunRecord): boolean {
		return isRunOfFile(this.#uri(), record, this.#parts.agentFolders());
	}

	get #head(): ShownRun | undefined {
		const head = this.#run?.head;
		return (
			head && {
				label: shortenId(head.runId ?? head.key),
				status: head.status,
				live: head.live,
				startedAt: head.startedAt,
				waitedMs: head.waitedMs,
			}
		);
	}

	#emitUpdate(): void {
		this.#timer = undefined;
		const head = this.#head;
		if (this.#run && head) {
			const { timeline, values } = this.#run;
			this.#updated.fire({ head, rows: timeline.takeChangedRows(), values: values.takeChangedValues(), isNew: false });
		}
	}

	#stopFollowing(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#run?.dispose();
		this.#run = undefined;
		this.#key = undefined;
	}
}
