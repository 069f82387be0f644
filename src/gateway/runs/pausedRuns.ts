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
import { checkedAnswer, type GivenAnswer } from './formAnswer.ts';
import type { PreparedRun } from './runOrder.ts';
import { keptRun, type SavedRun, secretsOf } from './runPause.ts';
import type { RunService } from './runService.ts';
import type { RunSlots } from './runSlots.ts';

/** What paused runs are made of. */
interface PausedRunsParts {
	readonly store: Store;
	readonly runs: RunService;
	readonly slots: RunSlots;
	readonly agents: Pick<AgentRegistry, 'asBegun' | 'onSecrets'>;
	/** Starts a run that goes on; a turn of a chat goes on with it. */
	readonly goOn: (run: PreparedRun, kept: SavedRun, agent: LoadedAgent) => Promise<unknown>;
	/** How long a form is kept at most, whatever it says of itself. */
	readonly limitMs: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	readonly log: Log;
}

/** How often clocks are compared: a timer does not count while the machine sleeps. */
const longestWaitMs = 60_000;
/** Before a run is tried again that the store did not let go on. */
const retryMs = 1_000;

/**
 * The forms of runs that wait for a person: shown, answered once each, and given up when their time is over. An answer is written before
 * anything comes of it; what is written and not used yet is gone on with, after a restart too. Nothing waits in memory, so that a gateway with nothing
 * to do may end.
 */
export class PausedRuns {
	readonly #parts: PausedRunsParts;
	readonly #job: BackgroundJob;
	/** Runs that are being gone on with. */
	readonly #going = new Set<number>();
	/** Runs that were answered and whose secrets nobody has given since this process began, and until when that is waited for. */
	readonly #withoutSecrets = new Map<number, number>();
	#stopped = false;

	constructor(parts: PausedRunsParts) {
		this.#parts = parts;
		this.#job = new BackgroundJob('going on with paused runs', () => this.#look(), parts.log);
		parts.runs.onPause(() => this.#job.wake());
		parts.agents.onSecrets(() => {
			this.#withoutSecrets.clear();
			this.#job.wake();
		});
	}

	/** Goes on with what was answered, or has expired, before this process began. */
	start(): void {
		this.#job.wake();
	}

	/** Goes on with no more runs: they wait for the next process. */
	stop(): void {
		this.#stopped = true;
		this.#job.stop();
	}

	/** A form that takes an answer, of this agent if one is named. Throws a fault: 404 for none, 412 for one that takes none any more. */
	form(token: string, agent: number | undefined): HumanInputForm {
		const form = JSON.parse(this.#waiting(token, agent).form) as HumanForm;
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

	/** Takes the answer to a form; its run goes on by itself. Throws a fault as {@link form} does, and 400 for what the form does not take. */
	answer(token: string, agent: number | undefined, given: GivenAnswer): void {
		const row = this.#waiting(token, agent);
		const { uploads, paused } = this.#parts.store;
		const answer = checkedAnswer(JSON.parse(row.form) as HumanForm, given, id => uploads.get(id));
		if (!paused.answer(token, 'submitted', JSON.stringify(answer))) {
			throw refusal('submitted', row.id);
		}
		this.#job.wake();
	}

	#waiting(token: string, agent: number | undefined): FormRow {
		const { paused } = this.#parts.store;
		const row = paused.form(token);
		if (!row || (agent !== undefined && paused.agentOf(row) !== agent)) {
			throw new ServiceFault(404, 'Form not found');
		}
		if (row.status !== 'waiting') {
			throw refusal(row.status, row.id);
		}
		if (Math.min(row.expires_at, this.#limitOf(row)) <= this.#parts.now()) {
			throw refusal('expired', row.id);
		}
		return row;
	}

	#limitOf(row: FormRow): number {
		return row.asked_at + this.#parts.limitMs;
	}

	#look(): NextTurn {
		const { store, runs, limitMs, now, log } = this.#parts;
		const time = now();
		for (const row of store.paused.askedBy(time - limitMs)) {
			// a form whose own time was over first has timed out
			if (this.#limitOf(row) < row.expires_at) {
				log.info('a run has waited for a person for too long', { run: row.run, node: row.node });
				runs.giveUp(row.run, `Human input global timeout at node ${row.node}`);
			}
		}
		for (const row of store.paused.expired(time)) {
			store.paused.answer(row.token, 'expired', JSON.stringify({ timeout: true }));
		}
		for (const [run, until] of this.#withoutSecrets) {
			if (until <= time) {
				this.#withoutSecrets.delete(run);
			}
		}
		for (const run of store.paused.answered()) {
			if (!this.#going.has(run) && !this.#withoutSecrets.has(run)) {
				this.#going.add(run);
				void this.#goOn(run).finally(() => this.#going.delete(run));
			}
		}
		const ends = [store.paused.nextEnd(limitMs) ?? Number.POSITIVE_INFINITY, ...this.#withoutSecrets.values()];
		const end = Math.min(...ends);
		return end === Number.POSITIVE_INFINITY ? undefined : Math.max(0, Math.min(end - now(), longestWaitMs));
	}

	/** Never rejects. */
	async #goOn(run: number): Promise<void> {
		const { store, runs, slots, agents, goOn, log } = this.#parts;
		const slot = slots.queue();
		try {
			await slot.ready;
			const row = this.#stopped ? undefined : store.paused.get(run);
			if (!row) {
				slot[Symbol.dispose]();
				return;
			}
			const target = await agents.asBegun(row.agent, row.workflow_id, row.source, secretsOf(row));
			const kept = keptRun(row, target.agent);
			using prepared = runs.resumption(row, kept, target, slot);
			await goOn(prepared, kept, target.agent);
		} catch (error) {
			slot[Symbol.dispose]();
			if (this.#stopped) {
				return;
			}
			if (error instanceof StoreFault || store.paused.get(run) === undefined) {
				this.#job.wake(retryMs);
				return;
			}
			if (error instanceof MissingSecret && this.#waitsForSecrets(run, error.message)) {
				log.warn('a paused run goes on when its secrets are given again', { run, error });
				return;
			}
			log.error('a paused run could not go on', { run, error });
			runs.waiting.end(run, 'failed', error instanceof ServiceFault ? error.message : 'Internal Server Error, please contact support.');
		}
	}

	/**
	 * A run may wait for its secrets as long again as it may for a person; whoever looks at it is told so.
	 * @param why the sentence that says which
	 * @returns false: it has waited for as long
	 */
	#waitsForSecrets(run: number, why: string): boolean {
		const { store, limitMs, now, log } = this.#parts;
		const until = (store.paused.lastAsked(run) ?? 0) + 2 * limitMs;
		if (until <= now()) {
			return false;
		}
		try {
			store.runs.hold(run, why);
		} catch (error) {
			// the run waits all the same
			log.warn('what a paused run waits for could not be written', { run, error });
		}
		this.#withoutSecrets.set(run, until);
		this.#job.wake(longestWaitMs);
		return true;
	}
}

function refusal(status: 'submitted' | 'expired', id: string): ServiceFault {
	// Dify's words
	return status === 'submitted'
		? new ServiceFault(412, `This form has already been submitted by another user, form_id=${id}`, { code: formRefusals.submitted })
		: new ServiceFault(412, `This form has expired, form_id=${id}`, { code: formRefusals.expired });
}
