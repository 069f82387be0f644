import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { HumanInputForm } from '#contract/humanInput.ts';
import { formRefusals } from '#contract/humanInput.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { HumanForm } from '#engine/run/pausedRun.ts';
import type { AgentRegistry } from '../agents/agentRegistry.ts';
import { MissingSecret } from '../agents/agentSecrets.ts';
import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import type { FormRow } from '../store/pausedRunStore.ts';
import type { Store } from '../store/store.ts';
import { StoreFault } from '../store/storeFault.ts';
import { checkAnswer, type GivenAnswer } from './formAnswer.ts';
import type { PreparedRun } from './runOrder.ts';
import { getSecretNames, restoreRun, type SavedRun } from './runPause.ts';
import type { RunService } from './runService.ts';
import type { RunSlots } from './runSlots.ts';

interface PausedRunsParts {
	readonly store: Store;
	readonly runs: RunService;
	readonly slots: RunSlots;
	readonly agents: Pick<AgentRegistry, 'getStartedVersion' | 'onSecrets'>;
	/** Starts a resumed run, together with its chat turn if it has one. */
	readonly resume: (run: PreparedRun, kept: SavedRun, agent: LoadedAgent) => Promise<unknown>;
	/** Maximum time that a form stays open, even if the form allows longer. */
	readonly limitMs: number;
	/** Returns Unix milliseconds. */
	readonly now: () => number;
	readonly log: Log;
}

/** Maximum wait before the clock is read again, because timers stop while the machine sleeps. */
const longestWaitMs = 60_000;
/** Delay before another attempt to resume a run when the store failed. */
const retryMs = 1_000;

/**
 * The forms of paused runs. Shows them, accepts one answer each, and expires them. An answer is saved before its run continues, and saved
 * answers that weren't used yet are used after a restart. Nothing waits in memory, so that an idle gateway can exit.
 */
export class PausedRuns {
	readonly #parts: PausedRunsParts;
	readonly #job: BackgroundJob;
	/** Runs that are being resumed. */
	readonly #going = new Set<number>();
	/** Answered runs that lack secrets since this process started, each with the time until which it waits for them. */
	readonly #withoutSecrets = new Map<number, number>();
	#stopped = false;

	constructor(parts: PausedRunsParts) {
		this.#parts = parts;
		this.#job = new BackgroundJob('Resuming paused runs', () => this.#resumeRuns(), parts.log);
		parts.runs.onPause(() => this.#job.scheduleStep());
		parts.agents.onSecrets(() => {
			this.#withoutSecrets.clear();
			this.#job.scheduleStep();
		});
	}

	/** Resumes runs whose forms were answered or expired before this process started. */
	start(): void {
		this.#job.scheduleStep();
	}

	/** Stops resuming runs. The next process continues with them. */
	stop(): void {
		this.#stopped = true;
		this.#job.stop();
	}

	/** Returns an open form, of this agent if one is given. Throws an error: 404 for an unknown form, 412 for a closed one. */
	getForm(token: string, agent: number | undefined): HumanInputForm {
		const form = JSON.parse(this.#getOpenForm(token, agent).form) as HumanForm;
		return {
			form_content: form.content,
			inputs: [...form.inputs],
			resolved_default_values: Object.fromEntries(
				Object.entries(form.defaults).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
			),
			user_actions: [...form.actions],
			expiration_time: form.expires,
		};
	}

	/**
	 * Accepts the answer to a form, after which its run resumes automatically. Throws the same errors as {@link getForm}, and 400 for an
	 * invalid answer.
	 */
	answerForm(token: string, agent: number | undefined, given: GivenAnswer): void {
		const row = this.#getOpenForm(token, agent);
		const { uploads, paused } = this.#parts.store;
		const answer = checkAnswer(JSON.parse(row.form) as HumanForm, given, id => uploads.get(id));
		if (!paused.closeForm(token, 'submitted', JSON.stringify(answer))) {
			throw createRefusal('submitted', row.id);
		}
		this.#job.scheduleStep();
	}

	#getOpenForm(token: string, agent: number | undefined): FormRow {
		const { paused } = this.#parts.store;
		const row = paused.getForm(token);
		if (!row || (agent !== undefined && paused.getAgent(row) !== agent)) {
			throw new ServiceFault(404, 'Form not found');
		}
		if (row.status !== 'waiting') {
			throw createRefusal(row.status, row.id);
		}
		if (Math.min(row.expires_at, this.#getDeadline(row)) <= this.#parts.now()) {
			throw createRefusal('expired', row.id);
		}
		return row;
	}

	#getDeadline(row: FormRow): number {
		return row.asked_at + this.#parts.limitMs;
	}

	#resumeRuns(): NextTurn {
		const { store, runs, limitMs, now, log } = this.#parts;
		const time = now();
		for (const row of store.paused.findOldForms(time - limitMs)) {
			// otherwise the form's own deadline came first, so only the form has timed out
			if (this.#getDeadline(row) < row.expires_at) {
				log.info('A paused run has expired', { run: row.run, node: row.node });
				runs.expireRun(row.run, `Human input global timeout at node ${row.node}`);
			}
		}
		for (const row of store.paused.findExpiredForms(time)) {
			store.paused.closeForm(row.token, 'expired', JSON.stringify({ timeout: true }));
		}
		for (const [run, until] of this.#withoutSecrets) {
			if (until <= time) {
				this.#withoutSecrets.delete(run);
			}
		}
		for (const run of store.paused.findAnsweredRuns()) {
			if (!this.#going.has(run) && !this.#withoutSecrets.has(run)) {
				this.#going.add(run);
				void this.#resumeRun(run).finally(() => this.#going.delete(run));
			}
		}
		const ends = [store.paused.getNextExpiry(limitMs) ?? Number.POSITIVE_INFINITY, ...this.#withoutSecrets.values()];
		const end = Math.min(...ends);
		return end === Number.POSITIVE_INFINITY ? undefined : Math.max(0, Math.min(end - now(), longestWaitMs));
	}

	/** Resumes a run. Never rejects. */
	async #resumeRun(run: number): Promise<void> {
		const { store, runs, slots, agents, resume, log } = this.#parts;
		const slot = slots.enqueueResumedRun();
		try {
			await slot.ready;
			const row = this.#stopped ? undefined : store.paused.get(run);
			if (!row) {
				slot[Symbol.dispose]();
				return;
			}
			const target = await agents.getStartedVersion(row.agent, row.workflow_id, row.source, getSecretNames(row));
			const kept = restoreRun(row, target.agent);
			using prepared = runs.prepareResumedRun(row, kept, target, slot);
			await resume(prepared, kept, target.agent);
		} catch (error) {
			slot[Symbol.dispose]();
			if (this.#stopped) {
				return;
			}
			if (error instanceof StoreFault || store.paused.get(run) === undefined) {
				this.#job.scheduleStep(retryMs);
				return;
			}
			if (error instanceof MissingSecret && this.#waitForSecrets(run, error.message)) {
				log.warn('A paused run is waiting for its secrets to be provided again', { run, error });
				return;
			}
			log.error("Couldn't resume a paused run", { run, error });
			runs.waiting.endRun(run, 'failed', error instanceof ServiceFault ? error.message : 'Internal Server Error, please contact support.');
		}
	}

	/**
	 * Makes a run wait for its secrets for as long as it may wait for a form, and shows the reason in the run.
	 * @param why message that says which secrets are missing
	 * @returns false if it has already waited that long
	 */
	#waitForSecrets(run: number, why: string): boolean {
		const { store, limitMs, now, log } = this.#parts;
		const until = (store.paused.getLastFormTime(run) ?? 0) + 2 * limitMs;
		if (until <= now()) {
			return false;
		}
		try {
			store.runs.setPauseReason(run, why);
		} catch (error) {
			// the run keeps waiting anyway
			log.warn("Couldn't save what a paused run is waiting for", { run, error });
		}
		this.#withoutSecrets.set(run, until);
		this.#job.scheduleStep(longestWaitMs);
		return true;
	}
}

function createRefusal(status: 'submitted' | 'expired', id: string): ServiceFault {
	// Dify's wording
	return status === 'submitted'
		? new ServiceFault(412, `This form has already been submitted by another user, form_id=${id}`, { code: formRefusals.submitted })
		: new ServiceFault(412, `This form has expired, form_id=${id}`, { code: formRefusals.expired });
}
