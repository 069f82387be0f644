import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import type { RequestThread } from '../process/requestThread.ts';
import type { Embeddings } from '../textGeneration/embeddings.ts';
import type { IndexRequest } from './index/indexThread.ts';

/** Number of segments to embed at once, and timeouts in milliseconds for these and for a question. */
const batch = 32;
const batchMs = 60_000;
const questionMs = 5_000;

/** A folder whose segments get vectors from a model. */
interface EmbeddedFolder {
	readonly folder: string;
	readonly model: string;
}

/** Computes the vectors of segments in the background. Retries after a while if a service fails; keyword search works without vectors. */
export class Embedder {
	readonly #folders: readonly EmbeddedFolder[];
	readonly #thread: RequestThread<IndexRequest>;
	readonly #embeddings: Embeddings;
	readonly #job: BackgroundJob;
	readonly #ending = new AbortController();
	/** Last errors of the services, by model. */
	readonly #faults = new Map<string, string>();

	constructor(folders: readonly EmbeddedFolder[], thread: RequestThread<IndexRequest>, embeddings: Embeddings, log: Log) {
		this.#folders = folders;
		this.#thread = thread;
		this.#embeddings = embeddings;
		this.#job = new BackgroundJob('Embedding documents', () => this.#embedNextBatch(), log);
	}

	/** Must be called when there may be segments without vectors. */
	scheduleEmbedding(): void {
		if (this.#folders.length > 0) {
			this.#job.scheduleStep();
		}
	}

	stop(): void {
		this.#job.stop();
		this.#ending.abort();
	}

	/** Returns why segments get no vectors from a model; undefined if they do. */
	getError(model: string): string | undefined {
		return this.#faults.get(model);
	}

	/** Returns the name under which the index has the vectors of a model. */
	identifyModel(model: string): string {
		return this.#embeddings.identifyModel(model);
	}

	/** Returns the vector of a question. Rejects with a message if the service doesn't respond in time. */
	async embedQuestion(model: string, text: string, signal: AbortSignal): Promise<Float32Array> {
		const [vector] = await this.#embedTexts(model, [text], questionMs, signal);
		return vector as Float32Array;
	}

	async #embedNextBatch(): Promise<NextTurn> {
		let failure: unknown;
		let more = false;
		for (const { folder, model } of this.#folders) {
			const segments = await this.#thread.sendRequest<readonly { segment: number; text: string }[]>({
				kind: 'unembedded',
				folder,
				model: this.identifyModel(model),
				limit: batch,
			});
			if (segments.length === 0) {
				continue;
			}
			try {
				const vectors = await this.#embedTexts(
					model,
					segments.map(({ text }) => text),
					batchMs,
					this.#ending.signal,
				);
				const found = segments.map(({ segment }, index) => ({ segment, vector: vectors[index] as Float32Array }));
				await this.#thread.sendRequest({ kind: 'keepVectors', folder, model: this.identifyModel(model), vectors: found });
				this.#faults.delete(model);
				more = true;
			} catch (error) {
				this.#faults.set(model, (error as Error).message);
				failure = error;
			}
		}
		if (failure !== undefined && !more) {
			throw failure;
		}
		return more ? 0 : undefined;
	}

	async #embedTexts(model: string, texts: readonly string[], ms: number, signal: AbortSignal): Promise<readonly Float32Array[]> {
		const time = AbortSignal.timeout(ms);
		try {
			return await this.#embeddings.embedTexts(model, texts, AbortSignal.any([signal, time]));
		} catch (error) {
			signal.throwIfAborted();
			throw time.aborted ? new Error(`The model '${model}' returned no embeddings within ${ms / 1000} seconds.`) : error;
		}
	}
}
