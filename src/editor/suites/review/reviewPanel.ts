import path from 'node:path';
import * as vscode from 'vscode';
import { getErrorMessage, Problem } from '#base/problems.ts';
import {
	type FromReview,
	type FromReviewHost,
	type KeptReview,
	parseReviewMessage,
	type ReviewState,
} from '#pages/review/reviewMessages.ts';
import { getReviewStrings } from '#pages/review/reviewStrings.ts';
import type { Handlers } from '#pages/shared/handlers.ts';
import type { Suite } from '#suites/suite.ts';
import { PanelPage } from '../../platform/webviewPage.ts';
import type { ResultStore } from '../batches/resultStore.ts';
import type { SuiteBatches } from '../batches/suiteBatches.ts';
import { PageRequests } from '../pageRequests.ts';
import type { ResultActions } from '../results/resultActions.ts';
import type { SuiteFiles } from '../suiteFiles.ts';
import { ReviewSession, readPersonName } from './reviewSession.ts';

/** Milliseconds during which the progress of judges is collected into one message. */
const gatherMs = 150;

export interface ReviewPanelParts {
	readonly files: Pick<SuiteFiles, 'readSuite' | 'readSuiteForDisplay'>;
	readonly batches: Pick<SuiteBatches, 'start'>;
	readonly store: Pick<ResultStore, 'listFiles'>;
	readonly actions: Pick<ResultActions, 'goToCase'>;
	readonly log: vscode.LogOutputChannel;
}

/** The host's side of a page on which a person labels the outputs of judges. */
export class ReviewPanel extends PanelPage<FromReview, FromReviewHost> {
	readonly suite: vscode.Uri;
	readonly #parts: ReviewPanelParts;
	readonly #name: string;
	#batch: string | undefined;
	#session: ReviewSession | undefined;
	/** Number of outputs that were judged again so far, while that runs. */
	#judging: number | undefined;
	/** Queues requests, so that a label belongs to the output that was shown. */
	readonly #queue: PageRequests;

	constructor(panel: vscode.WebviewPanel, { suite, batch }: KeptReview, parts: ReviewPanelParts) {
		super(panel, { parse: parseReviewMessage, name: 'Review', log: parts.log });
		this.#parts = parts;
		this.#queue = new PageRequests({ name: 'Review', log: parts.log, showProblem: () => this.#sendState() });
		this.#batch = batch;
		this.suite = vscode.Uri.parse(suite);
		this.#name = path.posix.basename(this.suite.path, '.suite.json');
		panel.title = vscode.l10n.t({ message: 'Review of {0}', args: [this.#name], comment: ['{0} is the name of a suite'] });
	}

	protected override readonly handlers: Handlers<FromReview> = {
		ready: () => this.#sendSnapshot(),
		label: async ({ id, label, note }) => {
			if (id === this.#session?.shownId) {
				await this.#session.label(label, note);
			}
			this.#sendState();
		},
		move: async ({ id, by, note }) => {
			const session = this.#session;
			if (session && id === session.shownId) {
				// a note is part of the label
				await (session.ownLabel && session.label(session.ownLabel.label, note));
				await session.move(by);
			}
			this.#sendState();
		},
		judgeAgain: () => this.start(this.#queue.showErrors(this.#judgeAgain())),
		goToCase: () => this.#session?.result && this.#parts.actions.goToCase(this.#session.result),
	};

	protected override async handleMessage(message: FromReview): Promise<void> {
		await this.#queue.enqueue(() => {
			this.#queue.problem = undefined;
			return super.handleMessage(message);
		});
	}

	/** Shows the outputs of another batch, after earlier requests. */
	showBatch(batch: string | undefined): Promise<void> {
		return this.#queue.enqueue(async () => {
			if (batch !== undefined && batch !== this.#batch) {
				this.#batch = batch;
				this.#session = undefined;
				this.#queue.problem = undefined;
				if (this.isReady) {
					await this.#sendSnapshot();
				}
			}
		});
	}

	async #sendSnapshot(): Promise<void> {
		this.startPage();
		this.#session ??= await this.#openSession().catch((error: unknown) => {
			this.#queue.problem = getErrorMessage(error);
			return undefined;
		});
		this.post({
			type: 'snapshot',
			kept: { suite: this.suite.toString(), batch: this.#batch },
			name: this.#name,
			strings: getReviewStrings(vscode.l10n),
			state: this.#createState(),
		});
	}

	/** Opens the chosen batch, or else the newest one with outputs that a judge graded. */
	async #openSession(): Promise<ReviewSession | undefined> {
		const suite = await this.#readSuite('readSuiteForDisplay');
		const [files, by] = [await this.#parts.store.listFiles(suite.file), await readPersonName(suite.file)];
		const chosen = files.find(file => path.basename(file) === this.#batch);
		for (const file of chosen === undefined ? files : [chosen]) {
			const session = await ReviewSession.openSession(suite, file, by);
			if (session.count > 0) {
				this.#batch = path.basename(file);
				return session;
			}
		}
		return undefined;
	}

	async #readSuite(read: 'readSuite' | 'readSuiteForDisplay'): Promise<Suite> {
		const { suite } = await this.#parts.files[read](this.suite);
		if (!suite) {
			throw new Problem('wrong-suite', vscode.l10n.t('The suite has errors. Fix the errors listed in Problems first.'));
		}
		return suite;
	}

	/** Lets the judges of the suite grade the outputs again, then shows those. */
	async #judgeAgain(): Promise<void> {
		const file = this.#session?.file;
		if (file === undefined || this.#judging !== undefined) {
			return;
		}
		this.#judging = 0;
		this.#sendState();
		try {
			const batch = await this.#parts.batches.start(await this.#readSuite('readSuite'), { judgeAgain: file });
			const following = batch.onDidChange(() => {
				const { passed, failed, notRun } = batch.progress;
				this.#judging = passed + failed + notRun;
				this.schedule(gatherMs, () => this.#sendState());
			});
			await batch.ended;
			following.dispose();
			if (batch.error !== undefined) {
				throw batch.error;
			}
			await this.#queue.enqueue(async () => {
				this.#batch = path.basename(batch.file);
				this.#session = await this.#openSession();
			});
		} finally {
			this.#judging = undefined;
			this.cancelScheduled();
			this.#sendState();
		}
	}

	#createState(): ReviewState {
		const session = this.#session;
		return {
			...(session?.createState() ?? { place: 0, count: 0, labeled: 0, by: '', judges: [] }),
			canJudgeAgain: session?.hasVariants === false,
			...(this.#judging !== undefined && { judging: this.#judging }),
			...(this.#queue.problem !== undefined && { problem: this.#queue.problem }),
		};
	}

	#sendState(): void {
		this.post({ type: 'state', batch: this.#batch ?? '', state: this.#createState() });
	}
}
