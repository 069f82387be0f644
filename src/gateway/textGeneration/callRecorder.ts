import type { TokenUsage } from '#contract/text/tokenPrice.ts';
import { TextCall } from '#models/calls/textCall.ts';
import { readTokenUsage } from '#models/calls/tokenUsage.ts';
import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import type { RequestLogConfig } from '../setup/config.ts';
import { RetentionPeriod } from '../store/retentionPeriod.ts';
import { StoreFault } from '../store/storeFault.ts';
import type { TextCallRow, TextCallStore } from '../store/textCallStore.ts';

const flushMs = 250;
/** Number of calls saved at once, which takes a few milliseconds. */
const maxBatch = 500;
/** Maximum number of calls that wait while the store fails. If there are more, the oldest are dropped. */
const maxWaiting = 20_000;
const sweepIntervalMs = 3_600_000;
const sweepStep = 500;
/** Maximum characters of a body, a name and an error message. */
const longestBody = 1_000_000;
const longestName = 200;
const longestError = 1_000;

/** Saves text generation calls in batches after their replies were sent, so that nothing waits for it. */
export class CallRecorder {
	readonly #store: TextCallStore;
	readonly #config: RequestLogConfig;
	readonly #log: Log;
	readonly #period: RetentionPeriod;
	readonly #writing: BackgroundJob;
	readonly #sweeping: BackgroundJob;
	/** Rows, and calls whose compressed replies must be decompressed first. */
	#pending: (TextCallRow | TextCall)[] = [];
	/** Settles once the last batch has been saved. */
	#written: Promise<void> = Promise.resolve();
	/** True while the store fails. Pending rows have no bodies then, because 20,000 of them could use up all memory. */
	#isStoreFailing = false;

	constructor(store: TextCallStore, config: RequestLogConfig, log: Log) {
		this.#store = store;
		this.#config = config;
		this.#log = log;
		this.#period = new RetentionPeriod(config.days, store.getNewestTime(Date.now()), log);
		this.#writing = new BackgroundJob('Writing the request log', () => this.#writeNextBatch(), log);
		this.#sweeping = new BackgroundJob('Deleting old calls from the request log', () => this.#sweepOldCalls(), log);
		this.#sweeping.scheduleStep();
	}

	/** True if the bodies of requests and replies are stored. */
	get keepsBodies(): boolean {
		return this.#config.bodies;
	}

	/** Adds an ended call. Keeps no chunk of its reply, because each chunk references the whole buffer it was read from. */
	add(call: TextCall): void {
		this.#pending.push(call.reply.isCompressed ? call : this.#toRow(call, call.reply.getPlainChunks()));
		if (this.#pending.length > maxWaiting) {
			this.#pending = this.#pending.slice(maxWaiting / 2);
			this.#log.error('Dropped calls from the request log because the store has been failing for too long');
		}
		this.#writing.scheduleStep(flushMs);
	}

	/** Saves all pending calls. Rejects if the store can't save them. */
	async flushCalls(): Promise<void> {
		do {
			await this.#queueBatch();
		} while (this.#pending.length > 0);
	}

	/** Stops after saving the pending calls, if possible. */
	async stop(): Promise<void> {
		await this.flushCalls().catch(() => {});
		this.#writing.stop();
		this.#sweeping.stop();
	}

	async #writeNextBatch(): Promise<NextTurn> {
		await this.#queueBatch();
		return this.#pending.length > 0 ? 5 : undefined;
	}

	/** Saves one batch after another, because decompressing may take a while and {@link flushCalls} must wait for it. */
	#queueBatch(): Promise<void> {
		const written = this.#written.catch(() => {}).then(() => this.#writeBatch());
		this.#written = written;
		return written;
	}

	async #writeBatch(): Promise<void> {
		const rows: TextCallRow[] = [];
		for (const waiting of this.#pending.splice(0, maxBatch)) {
			rows.push(waiting instanceof TextCall ? this.#toRow(waiting, await waiting.reply.readChunks()) : waiting);
		}
		try {
			if (rows.length > 0) {
				this.#store.add(rows);
				this.#isStoreFailing = false;
			}
		} catch (error) {
			if (error instanceof StoreFault) {
				this.#isStoreFailing = true;
				this.#pending = [...rows, ...this.#pending].map(row => (row instanceof TextCall ? row : { ...row, request: null, reply: null }));
			}
			throw error;
		}
	}

	#toRow(call: TextCall, pieces: readonly Buffer[]): TextCallRow {
		const { route, end = { status: 500 } } = call;
		call.usage ??= readTokenUsage(pieces);
		const usage: Partial<TokenUsage> = call.usage ?? {};
		const bodies = this.#config.bodies && !this.#isStoreFailing;
		const cutBody = (text: string) => call.maskSecrets(text).slice(0, longestBody);
		return {
			at: call.at,
			endpoint: call.endpoint,
			model: call.answered.slice(0, longestName),
			route: route?.pattern ?? '',
			provider: route?.provider ?? '',
			status: end.status,
			user: call.caller.user.slice(0, longestName),
			agent: call.caller.agent.slice(0, longestName),
			run: call.caller.run,
			tries: call.tries,
			hit: call.isHit ? 1 : 0,
			elapsed: Math.round(call.elapsedMs * 10) / 10,
			input_tokens: usage.input ?? null,
			cached_tokens: usage.cached ?? null,
			output_tokens: usage.output ?? null,
			cost: call.getCost() ?? null,
			currency: route?.price?.currency ?? '',
			error: end.error === undefined ? null : call.maskSecrets(end.error).slice(0, longestError),
			request: bodies && call.request !== undefined ? cutBody(call.request.toString()) : null,
			reply: bodies ? cutBody(Buffer.concat(pieces).toString()) : null,
		};
	}

	#sweepOldCalls(): NextTurn {
		const time = this.#period.findStart();
		const deleted = time === undefined ? 0 : this.#store.deleteCallsBefore(time, sweepStep);
		return deleted === sweepStep ? 10 : sweepIntervalMs;
	}
}
